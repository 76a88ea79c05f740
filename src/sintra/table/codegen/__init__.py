"""What writes sources of the page: types of messages, facts of the game, art."""
