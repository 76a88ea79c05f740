"""The messages that a seat is sent, and the functions that build them from that seat's view."""
