"""A game at the table is its log of events: the log, where it is kept, and what it adds up to."""
