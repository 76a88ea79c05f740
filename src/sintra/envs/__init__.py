"""Sintra as an environment of others: PettingZoo and Gymnasium.

Each lives in a module of its own, which needs that package (`pip install 'sintra[envs]'`, and `'sintra[envs,pictures]'`
to render `rgb_array`):

- `sintra.envs.pettingzoo`: two agents that take turns, `env()` and `raw_env()`
- `sintra.envs.gymnasium`: one agent against a named player, `Sintra-v0`, and thousands of games at once

They share what an action is (a choice of the engine, see `sintra.rules.choices`) and what a seat is shown
(`sintra.features.observation`).
"""
