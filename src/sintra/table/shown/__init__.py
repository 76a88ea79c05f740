"""What leaves for a seat: messages, and what builds them from that seat's view."""
