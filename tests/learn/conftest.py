"""Tests of learning; what needs PyTorch is run by `make test-learn` alone."""

collect_ignore = ["needs_torch.py"]
