"""Worker processes and external programs: started in one way, and never left behind."""
