"""The friendly face: games to play, views of them, legal moves and the reasons against others."""
