"""The command line: `sintra --help` teaches it."""

from __future__ import annotations

import argparse
import atexit
import json
import os
import sys
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from io import StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

from sintra import __version__
from sintra.cli.cluster import add_cluster, jobs_of
from sintra.cli.numbers import above_zero, whole_from
from sintra.cli.progress import progress_bar, tracked
from sintra.components import SPECTATOR
from sintra.errors import RecordError, SintraError
from sintra.records.files import read_records, replacing
from sintra.records.record import Record
from sintra.rules.rule_options import RULE_OPTIONS, word_for

if TYPE_CHECKING:
    from sintra.arena.selfplay import Series
    from sintra.review import GameReview

_STOPPED: Final = 130
"""The exit code after Ctrl-C, by custom."""
_MOMENT: Final = 0.05
"""Seconds."""
_count: Final = whole_from(0)
_seconds: Final = above_zero("a number of seconds", 3600)
_DESCRIPTION = """\
Sintra plays, checks and measures Azul Duel. Without a command it opens the table in your browser.

  sintra                                          play in the browser: computer, one screen, or a friend
  sintra serve --port 8080 --network              serve the table, also to your network
  sintra tables copy old.sqlite postgresql://…    move its games to another database, or check them all
  sintra selfplay --games 10 --out games.jsonl    play games between two players; --format npz: data for training
  sintra check games.jsonl                        replay records and verify every move
  sintra show games.jsonl --game 3 --ply 40       look at a position; --svg, --png, --gif, --plot draw it
  sintra legal games.jsonl --game 3 --ply 40      its legal moves
  sintra review games.jsonl --game 3              what decisions and chance did in a finished game
  sintra puzzles show packaged 0                  a puzzle; make and check are there, too
  sintra perft games.jsonl --ply 2 --depth 2      count move sequences
  sintra arena search greedy --games 100          who is better, and where the points come from
  sintra arena search --engine "./my-engine"      the same against a program of your own, in any language
  sintra engine search:sims=800                   a player as such a program, on standard input and output
  sintra learn FOLDER --minutes 60                let the search learn from its own games
  sintra players                                  list the players
  sintra bench                                    how fast the engine is here
  sintra warm                                     compile everything now: the first game starts at once

A FILE holds game records (sintra/1): one JSON object, or one per line; - reads standard input.
Games in a file count from 0. Ply K is the position after K moves; without --ply, after all.
"""


def run() -> NoReturn:
    """The command line as a program. One that was stopped ends at once: what the compiler had half made cannot be
    taken apart, and Python, which tries it at its end, can crash."""
    code = main()
    if code != _STOPPED:
        sys.exit(code)
    atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; a user's mistake is one clear line and exit code 2, a mismatch 1."""
    _prepare_channels()
    options = _parser().parse_args(arguments)
    try:
        with _no_signal_lost():
            code = int(options.run(options))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _mute()
        return 0
    except OSError as error:
        _mute()
        _complain(f"sintra: cannot go on: {error.strerror or error}")
        return 2
    except KeyboardInterrupt:
        sys.unraisablehook = _let_go
        _complain("sintra: stopped")
        return _STOPPED
    except SintraError as error:
        _complain(f"sintra {options.command}: {error}" if options.command else f"sintra: {error}")
        return 2


@contextmanager
def _no_signal_lost() -> Iterator[None]:
    """Python forgets a Ctrl-C that meets code which a library calls back, as the compiler does: it comes again."""

    def notice(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            Timer(_MOMENT, interrupt_main).start()
        else:
            before(lost)

    before, sys.unraisablehook = sys.unraisablehook, notice
    try:
        yield
    finally:
        sys.unraisablehook = before


def _let_go(_: object) -> None:
    """What the compiler had half made when it was stopped fails once more when it is thrown away: nothing is lost
    by that, and there is nothing to say about it."""


def _complain(text: str) -> None:
    """Says what is wrong, if it can be said."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _mute(sys.stderr)


def _mute(channel: TextIO | None = None) -> None:
    """What could not be printed is not tried again when the program ends."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (channel or sys.stdout).fileno())


def _prepare_channels() -> None:
    """A closed channel swallows what is said, and letters that a terminal lacks are replaced."""
    for name in ("stdout", "stderr"):
        channel = getattr(sys, name)
        if channel is None:
            setattr(sys, name, StringIO())
        elif isinstance(channel, TextIOWrapper):
            channel.reconfigure(errors="backslashreplace" if name == "stderr" else "replace")


def _parser() -> argparse.ArgumentParser:
    from sintra.cli.engine import add_engine
    from sintra.cli.learn import add_learn
    from sintra.cli.puzzles import add_puzzles
    from sintra.cli.serve import add_play_options, add_serve
    from sintra.cli.show import add_show_options
    from sintra.cli.tables import add_tables

    parser = argparse.ArgumentParser(
        prog="sintra", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"sintra {__version__}")
    add_play_options(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    add_serve(commands)
    add_tables(commands)
    _add_selfplay(commands)
    _add_check(commands)
    for name, run, text in (
        ("legal", _legal, "the legal moves of a position, sorted, one per line"),
        ("perft", _perft, "how many sequences of moves follow a position"),
        ("show", _show, "a position, drawn for the terminal, or as a picture"),
    ):
        command = commands.add_parser(name, help=text, description=f"Prints {text}.")
        _add_game(command, is_needed=name != "show")
        command.add_argument("--ply", type=_count, metavar="K", help="the position after K moves (default: all)")
        if name == "perft":
            command.add_argument("--depth", type=_depth, required=True, metavar="D", help="how many moves deep")
        if name == "show":
            add_show_options(command)
        command.set_defaults(run=run)
    _add_review(commands)
    add_puzzles(commands)
    _add_arena(commands)
    add_engine(commands)
    add_learn(commands)
    players = commands.add_parser("players", help="list the players", description="Lists the players.")
    players.set_defaults(run=_players)
    _add_bench(commands)
    warm = commands.add_parser(
        "warm",
        help="compile everything now",
        description="Compiles the engine, the players and the table ahead of time, so that nothing is slow at first.",
    )
    warm.set_defaults(run=_warm)
    return parser


def _depth(text: str) -> int:
    depth = _count(text)
    if depth > 200:
        raise argparse.ArgumentTypeError(f"{text} is deeper than any game: give at most 200")
    return depth


def _add_selfplay(commands: Any) -> None:
    command = commands.add_parser(
        "selfplay",
        help="play games between two players and keep the records",
        description="Plays games between two players, who change seats from game to game.",
    )
    command.add_argument(
        "--players",
        nargs=2,
        default=["random", "random"],
        metavar="NAME",
        help="two players by name, with parameters like random:seed=3 (default: random random)",
    )
    command.add_argument("--games", type=_count, default=1, metavar="N", help="how many games (default 1)")
    command.add_argument("--seed", type=_count, default=0, metavar="S", help="the same seed gives the same games")
    command.add_argument("--out", default="-", metavar="FILE", help="where to, - for standard output (default)")
    command.add_argument(
        "--format",
        choices=("records", "npz", "parquet"),
        default="records",
        help="records of the games (default), or their decisions as numbers for training elsewhere, with the visits of "
        "searches: for NumPy, or as Parquet, which needs pyarrow (pip install 'sintra[data]'); such a run, if stopped, "
        "goes on with the same command",
    )
    command.add_argument("--jobs", type=whole_from(1), metavar="J", help="games at once (default 1)")
    add_cluster(command)
    command.add_argument(
        "--goals",
        nargs="+",
        metavar="GOAL",
        help="3 or 4 goals by name, or first-game, or the number 3 or 4 to draw them at random (default 3)",
    )
    for option in RULE_OPTIONS:
        usual = word_for(option.default)
        about = f"{option.rule} (default {usual})"
        command.add_argument(f"--{option.name.replace('_', '-')}", choices=option.words, default=usual, help=about)
    command.add_argument("--legal", action="store_true", help="also note the number of legal moves before each move")
    command.set_defaults(run=_selfplay)


def _selfplay(options: argparse.Namespace) -> int:
    from sintra.arena.selfplay import Series

    rules = {option.name: option.words[getattr(options, option.name)] for option in RULE_OPTIONS}
    goals = options.goals
    if goals and len(goals) == 1 and goals[0] in ("3", "4"):
        goals = int(goals[0])
    elif goals:
        goals = ",".join(goals)
    series = Series(tuple(options.players), options.seed, rules, goals)
    if options.format != "records":
        return _decisions(options, series)
    jobs, cluster = jobs_of(options, 1), options.cluster
    records = series.records(options.games, jobs=jobs, legal=options.legal, cluster=cluster)
    with _output(options.out) as file:
        for record in tracked(records, options.games, "games"):
            file.write(record.dumps() + "\n")
    return 0


def _decisions(options: argparse.Namespace, series: Series) -> int:
    """Plays games for their decisions, which go into a file, or through one to standard output."""
    from sintra.learn.collecting import Collecting

    if options.legal:
        raise SintraError("--legal is for records: files of decisions have all legal choices anyway")
    if options.out == "-" and sys.stdout.isatty():
        raise SintraError(f"--format {options.format} is not for reading: give --out FILE.{options.format}")
    with TemporaryDirectory() as folder:
        out = Path(folder) / "decisions" if options.out == "-" else Path(options.out)
        collecting = Collecting(series, options.games, out, options.format)
        with progress_bar("games") as report:
            collecting.play(jobs_of(options, 1), report, options.cluster)
        with progress_bar("writing") as report:
            collecting.write(report)
        if options.out == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(out.read_bytes())
    return 0


@contextmanager
def _output(path: str) -> Iterator[TextIO]:
    """Standard output, or a file that appears only when it is complete."""
    if path == "-":
        yield sys.stdout
        return
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise SintraError(f"cannot write {path}: {error.strerror}") from None


def _add_check(commands: Any) -> None:
    command = commands.add_parser(
        "check",
        help="replay records and verify every move, legal count and result",
        description="Replays records and verifies every move, the optional legal counts and the result. "
        "On a mismatch it prints the exact place and exits with code 1.",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="game records, - for standard input")
    command.add_argument("--quiet", action="store_true", help="print nothing when all is well")
    command.set_defaults(run=_check)


def _check(options: argparse.Namespace) -> int:
    faults = 0
    for name in options.files:
        try:
            records = _read(name)
            if not records:
                raise RecordError("holds no game", source=name)
        except RecordError as error:
            print(error, file=sys.stderr)
            faults += 1
            continue
        wrong = 0
        for index, record in enumerate(tracked(records, len(records), name)):
            try:
                record.check()
            except RecordError as error:
                ply = "" if error.ply is None else f", ply {error.ply}"
                print(f"{name}, game {index}{ply}: {error.reason}", file=sys.stderr)
                wrong += 1
        if not wrong and not options.quiet:
            print(f"{name}: {len(records)} game{'s' if len(records) != 1 else ''}, all as the rules say")
        faults += wrong
    return 1 if faults else 0


def _read(name: str) -> list[Record]:
    return read_records(sys.stdin.buffer if name == "-" else name)


def _add_game(command: argparse.ArgumentParser, is_needed: bool = True) -> None:
    """One game of a file, as `_chosen` finds it."""
    nargs = None if is_needed else "?"
    command.add_argument("file", nargs=nargs, metavar="FILE", help="game records, - for standard input")
    command.add_argument("--game", type=_count, default=0, metavar="I", help="which game of the file (default 0)")


def _chosen(options: argparse.Namespace) -> Record:
    records = _read(str(options.file))
    if options.game >= len(records):
        last = f"games 0 to {len(records) - 1}" if records else "no game"
        raise RecordError(f"there is no game {options.game}: the file has {last}", source=options.file)
    return records[int(options.game)]


def _legal(options: argparse.Namespace) -> int:
    for token in sorted(map(str, _chosen(options).replay(options.ply).legal_moves)):
        print(token)
    return 0


def _perft(options: argparse.Namespace) -> int:
    record = _chosen(options)
    with progress_bar("counting") as report:
        leaves = record.perft(options.ply, options.depth, report)
    print(leaves)
    return 0


def _show(options: argparse.Namespace) -> int:
    from sintra.cli.show import drawn, wanted_file

    wanted = wanted_file(options)
    record = _chosen(options)
    if wanted:
        with progress_bar("drawing") as report:
            content = drawn(options, record, report)
        with _output(getattr(options, wanted)) as file:
            file.flush()
            file.buffer.write(content)
        return 0
    game = record.replay(options.ply)
    table = game if options.seat is None else game.view(SPECTATOR if options.seat == "spectator" else int(options.seat))
    print(table.position if options.text else table, end="" if options.text else "\n")
    return 0


def _add_review(commands: Any) -> None:
    command = commands.add_parser(
        "review",
        help="what decisions and chance did in a finished game",
        description="Looks at every decision of a finished game and prints how the chance to win went, what each "
        "player's decisions and what chance did to it, which adds up to the result, and the turns that gave something "
        "away. A turn is blamed only if a deeper look agrees.",
    )
    _add_game(command)
    command.add_argument(
        "--format",
        choices=("text", "json", "html", "svg"),
        default="text",
        help="for reading (default), programs, browsers, or the plots of the game",
    )
    command.add_argument(
        "--sims", type=whole_from(2), default=700, metavar="S", help="simulations of a look (default 700)"
    )
    command.add_argument("--out", default="-", metavar="FILE", help="where to, - for standard output (default)")
    command.set_defaults(run=_review)


def _review(options: argparse.Namespace) -> int:
    from sintra.review import ReviewBudget, review
    from sintra.review.telling import as_html, as_text

    record = _chosen(options)
    record.check()
    with progress_bar("looking at every move") as report:
        found = review(record, ReviewBudget(sims=options.sims), report)
    with _output(options.out) as file:
        if options.format == "json":
            file.write(json.dumps(found.to_dict()) + "\n")
        elif options.format == "svg":
            file.write(_plotted(found, record) + "\n")
        else:
            file.write(as_html(found, record) if options.format == "html" else as_text(found, record) + "\n")
    return 0


def _plotted(found: GameReview, record: Record) -> str:
    from sintra.drawing.plot import plot
    from sintra.records.pictures import course_of
    from sintra.review.chances import chances_in

    return plot(replace(course_of(record), chances=chances_in(found.to_dict(), record)))


def _add_arena(commands: Any) -> None:
    command = commands.add_parser(
        "arena",
        help="pit players against each other on paired deals and measure them",
        description="Every pair of players plays N games: each deal twice, with swapped seats. Prints win rates, "
        "the Elo ladder (greedy = 1000), where the points came from and the players' habits. With --out a match "
        "can be stopped and resumed. With --engine a program in any language plays too: it is sent what its seat may "
        "know as lines of text (docs/engine-protocol.md), and loses a game in which it crashes, answers too late, or "
        "makes an illegal move; it is started again for the next one.",
    )
    command.add_argument("players", nargs="*", metavar="PLAYER", help="like search:sims=400 greedy; two, with engines")
    command.add_argument(
        "--engine",
        action="append",
        default=[],
        dest="engines",
        metavar="COMMAND",
        help='a program that plays too, like --engine "python engine.py"; can be repeated',
    )
    command.add_argument(
        "--engine-time",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="how long an engine has for a move (default 10)",
    )
    command.add_argument(
        "--engine-start",
        type=_seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long an engine has to start, and to be ready for a game (default 60)",
    )
    command.add_argument("--games", type=_count, default=100, metavar="N", help="games of each pair (default 100)")
    command.add_argument("--seed", type=_count, default=0, metavar="S", help="the same seed gives the same deals")
    command.add_argument("--jobs", type=_count, metavar="J", help="games at once (default: as many as processors)")
    add_cluster(command)
    command.add_argument("--out", metavar="FILE.jsonl", help="the records; if it exists, the match continues")
    command.add_argument("--plot", metavar="FILE.svg", help="a picture of the ladder")
    command.add_argument("--neighbours", action="store_true", help="only players named next to each other play")
    command.add_argument("--goals", metavar="GOALS", help="as for selfplay, with commas (default: 3 at random)")
    command.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="two players: stop as soon as the sequential test tells ELO1 from ELO0",
    )
    command.set_defaults(run=_arena)


def _arena(options: argparse.Namespace) -> int:
    from sintra.arena import Match, play_match
    from sintra.arena.report import ladder_svg, print_report
    from sintra.protocol import TimeLimits
    from sintra.protocol.asking import ENGINE

    players = (*options.players, *(ENGINE + command for command in options.engines))
    if options.sprt and len(players) != 2:
        raise SintraError("--sprt compares two players")
    goals = int(options.goals) if options.goals in ("3", "4") else options.goals
    limits = TimeLimits(options.engine_time, options.engine_start)
    match = Match(players, options.games, options.seed, goals, limits=limits)
    pairs = None
    if options.neighbours:
        pairs = list(pairwise(players))
    total = len(list(match.jobs(pairs)))
    with progress_bar("games") as report:

        def show(match: Match) -> None:
            first = match.players[0]
            own = [one.won for one in match.played if one.names[0] == first]
            note = f"{first} wins {100 * sum(own) / len(own):.0f} %" if own else ""
            report(len(match.played), note, total=total)

        play_match(
            match,
            jobs=jobs_of(options, os.cpu_count() or 1),
            cluster=options.cluster,
            out=options.out,
            pairs=pairs,
            sprt=tuple(options.sprt) if options.sprt else None,
            on_game=show,
        )
    print_report(match, tuple(options.sprt) if options.sprt else None)
    if options.plot:
        with _output(options.plot) as file:
            file.write(ladder_svg(match))
    return 0


def _players(options: argparse.Namespace) -> int:
    from sintra.players import entries

    for entry in sorted(entries(), key=lambda entry: entry.name):
        parameters = ", ".join(f"{name} ({kind.__name__})" for name, kind in entry.parameters.items())
        print(f"{entry.name:10} {entry.summary}" + (f"\n{'':10} parameters: {parameters}" if parameters else ""))
    return 0


def _add_bench(commands: Any) -> None:
    command = commands.add_parser(
        "bench",
        help="measure the engine's speed on this machine",
        description="Measures the engine on one core and prints a table; --out writes the figures as JSON.",
    )
    command.add_argument("--out", metavar="FILE.json", help="also write the figures here")
    command.add_argument("--seconds", type=_seconds, default=1.0, metavar="S", help="how long each measurement runs")
    command.add_argument("--quick", action="store_true", help="skip the start-up measurements (about a minute)")
    command.set_defaults(run=_bench)


def _bench(options: argparse.Namespace) -> int:
    from sintra.cli.bench import run

    run(options.seconds, start_up=not options.quick, out=options.out)
    return 0


def _warm(options: argparse.Namespace) -> int:
    from sintra.arena.selfplay import play_game
    from sintra.game.game import Game
    from sintra.players import player
    from sintra.rules.compiled import cache_folder
    from sintra.table.warming import warm_engine, warm_forecasts, warm_players

    def warm_games() -> None:
        for name in ("greedy", "search:sims=4,nodes=50"):
            play_game(Game.new(seed=1), [player(name), player(name)], 1)

    parts = (warm_engine, warm_forecasts, warm_players, warm_games)
    for part in tracked(parts, len(parts), "compiling"):
        part()
    print(f"compiled into {cache_folder('sintra.rules.engine').parent}")
    return 0
