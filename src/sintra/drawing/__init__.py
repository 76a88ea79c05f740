"""A position to look at: in the terminal, and as a picture."""
