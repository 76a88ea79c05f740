"""A Ray cluster as a place where long work is done: the same jobs as in processes here, with the same results."""
