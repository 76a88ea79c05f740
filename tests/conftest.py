"""What all tests share: one hypothesis profile, so that a run gives the same answer everywhere."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "sintra",
    deadline=None,
    derandomize=True,
    database=None,
    # most examples are seeds of whole games: a smaller seed is no simpler game
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sintra")
