"""The table over HTTP: routes, guards, pages, and the server that runs them."""
