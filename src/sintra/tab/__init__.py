"""The table in a browser's tab: what is different where Python runs in a worker of the page, by Pyodide.

The service, its messages and its ASGI application are the same as on a server. Here is what stands in the place of
threads, processes, files and connections. None of it imports anything of Pyodide: what the browser does is handed over
as objects (`browser`), so that all of it runs and is tested anywhere.
"""
