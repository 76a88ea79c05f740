"""The table: a web service that seats people and computers at games and shows each what it may know."""
