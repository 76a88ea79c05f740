"""What players think with: opinions, exact tiling, the tree, the end of round 5, and the one `Evaluator`."""
