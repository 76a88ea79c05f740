"""Training from self-play; features and inference are in the layers below."""
