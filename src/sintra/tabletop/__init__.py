"""What lies on the table and what can be done there, as values: pieces, rules of a game, moves, results."""
