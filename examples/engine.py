"""A small engine for Sintra's engine protocol: plain Python, without Sintra.

    sintra arena greedy --engine "python examples/engine.py" --games 10

It knows no rules. It is sent what its seat may know and the legal moves, gives each move some points by a simple
rule of thumb, and plays the best one. docs/engine-protocol.md explains every line.
"""

import random
import sys

NAME = "thumb 1.0"


def read_position(text):
    """`seat: 0; round: 1; ...` as a dictionary."""
    pairs = (part.partition(":") for part in text.split(";"))
    return {key.strip(): value.strip() for key, _, value in pairs}


def tiles_on_offer(position):
    """How many tiles of a colour a take would bring: from the sun side of a factory, or from the moon sides."""
    sun, moon = {}, {}
    for factory in "1234L":
        words = position[f"factory {factory}"].split()  # sun BYRK moon RY chip down
        for color in words[1].replace("-", ""):
            sun[factory, color] = sun.get((factory, color), 0) + 1
        pile = words[3].replace("-", "")
        for color in pile if factory == "L" else pile[-1:]:  # of a stack only the top tile lies uncovered
            moon[color] = moon.get(color, 0) + 1
    return sun, moon


def room_on_lines(position):
    """How many tiles still fit on each of one's own lines."""
    lines = position[f"{position['seat']} lines"].split()  # B1 - K2 - - -
    return {n: n - (0 if line == "-" else int(line[1])) for n, line in enumerate(lines, start=1)}


def points_of_take(move, sun, moon, room):
    """Full lines are good, broken tiles are bad."""
    if move[0] == "S":  # S1B3:RYK, SLB3
        tiles, line = sun[move[1], move[2]], move[3]
    else:  # MB3
        tiles, line = moon[move[1]], move[2]
    if line == "x":
        return -10 * tiles
    left = room[int(line)] - tiles
    broken = max(0, -left)
    return tiles - 5 * broken + (4 if left <= 0 else -left)


def choose(position, moves, dice):
    """The move with most points, and these points."""
    sun, moon = tiles_on_offer(position)
    room = room_on_lines(position)

    def points(move):
        if move[0] in "SM":
            return points_of_take(move, sun, moon, room)
        return {"T": 20, "P": 3, "K": 3, "C": 2, "E": 1, "H": 0, "<": 0, "D": -3, "U": -5}[move[0]]

    best = max(map(points, moves))
    return dice.choice([move for move in moves if points(move) == best]), best


def main():
    """Reads a command a line, until the end."""
    dice = random.Random(0)
    position, moves = {}, []
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "sintra":
            print(f"name {NAME}")
            print("ok 1")
        elif command == "isready":
            print("readyok")
        elif command == "newgame":  # newgame seed 7
            dice = random.Random(rest)
        elif command == "position":
            position = read_position(rest)
        elif command == "legal":
            moves = rest.split()
        elif command == "go":
            move, points = choose(position, moves, dice)
            print(f"info string {points} points for {move}, the best of {len(moves)}")
            print(f"bestmove {move}")
        elif command == "quit":
            return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
