"""Sintra as an environment of others: PettingZoo, Gymnasium and OpenSpiel.

Each lives in a module of its own, which needs that package (`pip install 'sintra[envs]'` or `'sintra[openspiel]'`, and
the extra `pictures` to render `rgb_array`):

- `sintra.envs.pettingzoo`: two agents that take turns, `env()` and `raw_env()`
- `sintra.envs.gymnasium`: one agent against a named player, `Sintra-v0`, and thousands of games at once
- `sintra.envs.openspiel`: the game `python_sintra`, with explicit chance

They share what an action is (a choice of the engine, see `sintra.rules.choices`) and what a seat is shown
(`sintra.features.observation`).
"""
