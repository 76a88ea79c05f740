"""Game records: reading, writing, checking, and what a seat may know of them."""
