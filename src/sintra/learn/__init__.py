"""Learning from self-play; only trains: features and inference live below."""
