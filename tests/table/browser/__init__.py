"""The page in a real Chromium, before a real server."""
