"""What learners and values see of a position, as numbers: boards, positions, and choices."""
