"""The service: games, presence, hints, reviews, studies, puzzles and names of players."""
