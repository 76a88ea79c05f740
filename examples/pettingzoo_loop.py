"""PettingZoo's usual loop: two agents in turn, an action mask, and rewards at the end.

    pip install 'sintra[envs]'
    python examples/pettingzoo_loop.py

Both agents take any action that their mask allows, but player_0 breaks no tiles while it has another choice. An action
is one choice of the engine: a move is up to four of them, so the agents do not take turns strictly one by one.
"""

from sintra.envs.pettingzoo import env
from sintra.rules.choices import BREAK, CHOICES, destination_of, is_take

BREAKS = [is_take(choice) and destination_of(choice) == BREAK for choice in range(CHOICES)]


def policy(game, agent, shown):
    """An action for an agent, from what it is shown."""
    mask = shown["action_mask"]
    if agent == "player_0":
        careful = mask.copy()
        careful[BREAKS] = 0
        mask = careful if careful.any() else mask
    return game.action_space(agent).sample(mask)


def main():
    """Three games."""
    game = env()
    for seed in range(3):
        game.reset(seed=seed)
        for agent in game.possible_agents:
            game.action_space(agent).seed(seed)
        actions, results = 0, {}
        for agent in game.agent_iter():
            shown, reward, termination, truncation, info = game.last()
            if termination or truncation:
                results[agent] = reward
                game.step(None)
            else:
                game.step(policy(game, agent, shown))
                actions += 1
        told = ", ".join(f"{agent} {results[agent]:+.0f}" for agent in game.possible_agents)
        print(f"game {seed}: {told}, points {info['scores']}, {actions} actions")
    game.close()


if __name__ == "__main__":
    main()
