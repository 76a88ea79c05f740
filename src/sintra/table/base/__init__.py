"""What all rooms of the table use: time, output, scheduling, and who can be played against."""
