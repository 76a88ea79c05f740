"""Jobs on a Ray cluster: the same jobs as in worker processes, with the same results."""
