"""The service over HTTP: every endpoint and every refusal."""
