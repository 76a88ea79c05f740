"""A policy that learns to beat `random`, in plain NumPy.

    pip install 'sintra[envs]'
    python examples/train_numpy.py --decisions 1000000

128 games at once (SintraVectorEnv) are played by a network with one hidden layer over the observation. It gives each
choice a chance and guesses how many points are still to be won; after every 16 choices it learns from how much better
or worse these turned out than it had guessed (an actor and a critic, with generalized advantage estimation).

Measured: 1,000,000 decisions, some 10,000 games, took 47 seconds on one core (OPENBLAS_NUM_THREADS=1; on few cores more
threads only wait for each other) and led from 50 % of the games won and +0.0 points to 90 % and +17.4; with --seed 2 to
87 % and +15.5.
"""

import argparse
import time

import numpy as np
from gymnasium.vector import AutoresetMode

from sintra.envs.gymnasium import SintraVectorEnv
from sintra.features.observation import SIZE
from sintra.rules.choices import CHOICES

GAMES = 128
STEPS = 16
HIDDEN = 32
RATE = 0.002
LATER = 0.97  # what a point counts that is won one choice later
TRUST = 0.9  # how far what happened counts, and how far what the network guesses of it
CURIOSITY = 0.01  # what it is worth to keep several choices open
POINT = 0.1


class Network:
    """Chances for all choices, and a guess of the points to come; learns with Adam."""

    def __init__(self, dice):
        self.weights = {
            "seen": dice.normal(0, 0.08, (SIZE, HIDDEN)).astype(np.float32),
            "seen bias": np.zeros(HIDDEN, np.float32),
            "out": np.zeros((HIDDEN, CHOICES + 1), np.float32),
            "out bias": np.zeros(CHOICES + 1, np.float32),
        }
        self.moments = {name: (np.zeros_like(one), np.zeros_like(one)) for name, one in self.weights.items()}
        self.updates = 0

    def look(self, seen, mask):
        """The hidden numbers, the chances of the legal choices, and the guess."""
        hidden = np.maximum(seen @ self.weights["seen"] + self.weights["seen bias"], 0)
        out = hidden @ self.weights["out"] + self.weights["out bias"]
        scores = np.where(mask, out[:, :CHOICES], -np.inf)
        chances = np.exp(scores - scores.max(1, keepdims=True))
        return hidden, chances / chances.sum(1, keepdims=True), out[:, CHOICES]

    def learn(self, seen, mask, chosen, gain, worth):
        """One step towards choices that gained more than was guessed, and towards better guesses."""
        hidden, chances, guess = self.look(seen, mask)
        logs = np.log(np.maximum(chances, 1e-9))
        surprise = -(chances * logs).sum(1, keepdims=True)
        push = chances * (gain[:, None] + CURIOSITY * (logs + surprise))
        push[np.arange(len(gain)), chosen] -= gain
        at_out = np.concatenate([push, 0.5 * (guess - worth)[:, None]], axis=1) / len(gain)
        at_hidden = (at_out @ self.weights["out"].T) * (hidden > 0)
        self._step("out", hidden.T @ at_out, at_out.sum(0))
        self._step("seen", seen.T @ at_hidden, at_hidden.sum(0))
        self.updates += 1

    def _step(self, name, slope, bias_slope):
        for one, now in ((name, slope), (f"{name} bias", bias_slope)):
            mean, square = self.moments[one]
            mean += 0.1 * (now - mean)
            square += 0.01 * (now**2 - square)
            sure, sure_square = 1 - 0.9 ** (self.updates + 1), 1 - 0.99 ** (self.updates + 1)
            self.weights[one] -= RATE * (mean / sure) / (np.sqrt(square / sure_square) + 1e-8)


def numbers(shown):
    """What the network gets of an observation: counts, none of them large."""
    return np.minimum(shown["observation"], 10).astype(np.float32)


def draw(chances, dice):
    """A choice in each game, by its chances."""
    steps = chances.cumsum(1, dtype=np.float64)
    return (steps > dice.random((len(chances), 1)) * steps[:, -1:]).argmax(1)


def evaluate(network, games=512, seed=2026):
    """The share of games won against `random`, and the mean lead at the end, without learning."""
    dice = np.random.default_rng(seed)
    envs = SintraVectorEnv(games, opponent="random", autoreset_mode=AutoresetMode.SAME_STEP)
    shown, _ = envs.reset(seed=seed)
    won, lead, is_over = np.zeros(games), np.zeros(games), np.zeros(games, bool)
    while not is_over.all():
        _, chances, _ = network.look(numbers(shown), shown["action_mask"])
        shown, result, ended, _, infos = envs.step(draw(chances, dice))
        now = ended & ~is_over
        if now.any():
            won[now] = result[now] > 0
            lead[now] = np.subtract(*infos["final_info"]["scores"][now].T)
        is_over |= ended
    envs.close()
    return won.mean(), lead.mean()


def experience(network, envs, shown, dice):
    """So many choices in each game: what was seen, what could be chosen and was, how much better than guessed that
    turned out, and what should have been guessed; and what is shown next."""
    seen, masks = np.empty((STEPS, GAMES, SIZE), np.float32), np.empty((STEPS, GAMES, CHOICES), np.int8)
    chosen, goes_on = np.empty((STEPS, GAMES), np.int64), np.empty((STEPS, GAMES), bool)
    points, guesses = np.empty((STEPS, GAMES), np.float32), np.empty((STEPS + 1, GAMES), np.float32)
    for t in range(STEPS):
        seen[t], masks[t] = numbers(shown), shown["action_mask"]
        _, chances, guesses[t] = network.look(seen[t], masks[t])
        chosen[t] = draw(chances, dice)
        shown, points[t], ended, _, _ = envs.step(chosen[t])
        goes_on[t] = ~ended
    guesses[STEPS] = network.look(numbers(shown), shown["action_mask"])[2]
    gain, later = np.empty_like(points), np.zeros(GAMES, np.float32)
    for t in reversed(range(STEPS)):
        better = POINT * points[t] + LATER * guesses[t + 1] * goes_on[t] - guesses[t]
        gain[t] = later = better + LATER * TRUST * goes_on[t] * later
    worth = gain + guesses[:STEPS]
    gain = (gain - gain.mean()) / (gain.std() + 1e-6)
    return seen.reshape(-1, SIZE), masks.reshape(-1, CHOICES), chosen.ravel(), gain.ravel(), worth.ravel(), shown


def train(decisions, seed=1, looks=10):
    """Learns from so many decisions and prints how it goes: before, and so many times on the way. Returns what was
    seen of it: the decisions so far, the share of games won, and the mean lead."""
    dice = np.random.default_rng(seed)
    network = Network(dice)
    envs = SintraVectorEnv(GAMES, opponent="random", reward="points", autoreset_mode=AutoresetMode.SAME_STEP)
    shown, _ = envs.reset(seed=seed)
    updates = max(looks, decisions // (GAMES * STEPS))
    seconds, course = 0.0, []
    print("decisions  seconds   won   lead")
    for update in range(updates + 1):
        if update * looks // updates > (update - 1) * looks // updates:
            course.append((update * GAMES * STEPS, *evaluate(network)))
            done, won, lead = course[-1]
            print(f"{done:9,}  {seconds:7.1f}  {won:4.0%}  {lead:+5.1f}", flush=True)
        began = time.monotonic()
        *lesson, shown = experience(network, envs, shown, dice)
        network.learn(*lesson)
        seconds += time.monotonic() - began
    envs.close()
    return course


def main():
    """Trains as asked."""
    parser = argparse.ArgumentParser(description="Learns to beat `random`.")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="how many to learn from (default 1000000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is random (default 1)")
    parser.add_argument("--looks", type=int, default=10, help="how often to play 512 games meanwhile (default 10)")
    options = parser.parse_args()
    train(options.decisions, options.seed, options.looks)


if __name__ == "__main__":
    main()
