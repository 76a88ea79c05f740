"""Processes that think and review, their queues, and their warm-up."""
