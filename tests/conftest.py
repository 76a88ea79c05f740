"""What all tests share: one hypothesis profile, so that a run gives the same answer everywhere."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "sintra",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sintra")
