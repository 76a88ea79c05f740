"""Lets two searches of OpenSpiel play Sintra against each other.

    pip install 'sintra[openspiel]'
    python examples/openspiel_mcts.py --simulations 20

The first is `MCTSBot`, which looks at the state itself, so that it knows what is hidden. The second is `ISMCTSBot`,
which plays in worlds that its player cannot tell apart. Both judge a position by playing on at random, which is slow
and weak.
"""

from __future__ import annotations

import argparse
import random

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from sintra.envs.openspiel import resample


def play(simulations: int, seed: int) -> list[float]:
    """One game; what it brought each player."""
    game = pyspiel.load_game("python_sintra(reward=win)")
    dice, numbers = random.Random(seed), np.random.RandomState(seed)
    rollouts = mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=numbers)
    knowing = mcts.MCTSBot(game, 1.4, simulations, rollouts, random_state=numbers)
    fair = ismcts.ISMCTSBot(game=game, evaluator=rollouts, uct_c=1.4, max_simulations=simulations, random_state=numbers)
    fair.set_resampler(lambda state, player: resample(state, player, dice.getrandbits(60)))
    bots = [knowing, fair]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(outcomes, odds)[0])
            continue
        legal = state.legal_actions()
        player = state.current_player()
        action = legal[0] if len(legal) == 1 else bots[player].step(state)
        print(state.action_to_string(action), end=" ", flush=True)
        state.apply_action(action)
    print()
    return state.returns()


def main() -> None:
    """Plays a game and says who won."""
    options = argparse.ArgumentParser(description="two searches of OpenSpiel play a game of Sintra")
    options.add_argument("--simulations", type=int, default=20, help="how many for a choice (default 20)")
    options.add_argument("--seed", type=int, default=1, help="the same seed gives the same game (default 1)")
    chosen = options.parse_args()
    returns = play(chosen.simulations, chosen.seed)
    print("MCTSBot won" if returns[0] > 0 else "ISMCTSBot won", returns)


if __name__ == "__main__":
    main()
