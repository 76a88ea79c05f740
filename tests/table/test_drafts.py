"""Tables built by hand: every table of a game can be built, faults are told with their places, rounds are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest

from helpers import play_on, some
from sintra import Game, Stage
from sintra.components import CHIPS, COLOR_LETTERS, PLATES, SPACE_LETTERS, SPECIAL, letters_of
from sintra.records.steps import run_to_completion
from sintra.table.games.fingerprints import fingerprint
from sintra.table.games.refusals import RefusalError
from sintra.table.shown.counting import counting
from sintra.table.shown.drafts import checking
from sintra.table.shown.messages import AskStudy, DraftShown, RoundCount, TableDraft
from sintra.table.shown.study import following
from table.catalogues import LANGUAGES, texts
from table.local_table import LocalTable


def draft_of(game: Game) -> dict[str, Any]:
    """The table of a game, as somebody builds it who sees it from outside."""
    s = game.state[0]
    chips = ["", "down", "up"]
    laid = 4 * (game.round - 1)
    faces = [CHIPS[face].face for face in s["chip_order"].tolist()]
    factories = []
    for f in range(4):
        moon = "".join(COLOR_LETTERS[tile] for tile in s["stack"][f, : s["stack_height"][f]].tolist())
        chip = chips[int(s["chip_state"][f])]
        chip = faces[laid + f] if chip == "up" else chip
        factories.append({"sun": letters_of(s["sun"][f].tolist()), "moon": moon, "chip": chip})
    factories.append({"sun": letters_of(s["sun"][4].tolist()), "moon": letters_of(s["moon"].tolist())})
    pile = s["pile"][: s["pile_size"]].tolist()
    return {
        "round": game.round,
        "turn": game.turn,
        "first": int(s["first"]),
        "start_tile": None if s["start_tile"] < 0 else int(s["start_tile"]),
        "goals": [str(goal) for goal in game.rules.goals],
        "factories": factories,
        "display": [PLATES[plate].name if plate >= 0 else None for plate in s["display"].tolist()],
        "top": PLATES[pile[0]].kind.value if pile else "",
        "tower": letters_of(s["tower"].tolist()),
        "boards": [_board_of(s, seat) for seat in (0, 1)],
    }


def _board_of(s: Any, seat: int) -> dict[str, Any]:
    def chips(name: str) -> list[str]:
        return [CHIPS[face].face for face, n in enumerate(s[name][seat].tolist()) for _ in range(n)]

    plates = zip(s["slot_plate"][seat].tolist(), s["slot_turns"][seat].tolist(), strict=True)
    lines = zip(s["line_color"][seat].tolist(), s["line_size"][seat].tolist(), strict=True)
    return {
        "score": int(s["score"][seat]),
        "lines": [COLOR_LETTERS[color] * size if size else "" for color, size in lines],
        "plates": [{"plate": PLATES[plate].name, "turns": turns} if plate >= 0 else None for plate, turns in plates],
        "tiles": ["".join((SPACE_LETTERS + ".")[tile] for tile in row) for row in s["dome"][seat].tolist()],
        "broken": letters_of(s["broken"][seat].tolist()),
        "chips": chips("store"),
        "spent": chips("spent"),
    }


def check(draft: dict[str, Any]) -> DraftShown:
    return run_to_completion(checking(msgspec.convert(draft, TableDraft)))


def tables(seed: int, taste: str = "chips") -> Iterator[Game]:
    """The tables of a game that can be built: nobody is in the middle of something."""
    for game in play_on(Game.new(seed=seed), taste, Random(seed)):
        s = game.state[0]
        is_tiling = game.stage is Stage.TILING and s["walk"] == 0 and not s["line_placed"].any()
        if game.stage in (Stage.OPENING, Stage.TURN) or is_tiling:
            yield game


@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_every_table_of_a_game_can_be_built(taste: str) -> None:
    stages = Counter[tuple[int, Stage]]()
    for seed in (1, 2, 3):
        for game in tables(seed, taste):
            if game.stage is Stage.TURN and game.ply % 4:
                continue
            found = check(draft_of(game))
            assert not found.faults, (seed, game.ply, found.faults)
            assert (found.stage, found.turn) == (game.stage.name.lower(), game.turn)
            built = Game.from_position(found.text)
            assert fingerprint(built.state) == fingerprint(game.state)
            assert built.scores == game.scores
            assert [str(move) for move in built.legal_moves] == [str(move) for move in game.legal_moves]
            for name in (
                "sun",
                "stack",
                "display",
                "chip_state",
                "markers_left",
                "chips_left",
                "store",
                "spent",
                "bag",
                "tower",
                "start_tile",
                "first",
            ):
                assert (built.state[name] == game.state[name]).all(), name
            stages[game.round, game.stage] += 1
    assert set(stages) == {(1, Stage.OPENING)} | {
        (n, stage) for n in range(1, 6) for stage in (Stage.TURN, Stage.TILING)
    }


def test_the_same_table_gives_the_same_text_and_tells_what_is_left() -> None:
    game = next(game for game in tables(1) if game.round == 3)
    found = check(draft_of(game))
    assert found == check(draft_of(game))
    s = game.state[0]
    special = int((s["dome"] == SPECIAL).sum())
    assert found.tiles == dict(zip(COLOR_LETTERS, s["bag"].tolist(), strict=True)) | {"*": 9 - special}
    assert found.plates == sorted(PLATES[plate].name for plate in s["pile"][: s["pile_size"]].tolist())
    assert sum(found.chips.values()) == 20 - 8 - sum(
        one["chip"] not in ("down",) for one in draft_of(game)["factories"][:4]
    )


@pytest.fixture(scope="module")
def third() -> dict[str, Any]:
    """A table at the beginning of round 3."""
    game = next(game for game in tables(1) if game.round == 3)
    return draft_of(game)


@pytest.fixture(scope="module")
def tiling() -> dict[str, Any]:
    """A table at the end of phase 1 of round 3."""
    return draft_of(next(game for game in tables(1) if game.round == 3 and game.stage is Stage.TILING))


def faults(draft: dict[str, Any]) -> list[tuple[str, str]]:
    """What is wrong, and where; every fault has words in every language."""
    found = check(draft)
    assert bool(found.text) == (not found.faults)
    for one in found.faults:
        for language in LANGUAGES:
            assert one.telling.key in texts(language), one.telling.key
    return [(one.place, one.telling.key.removeprefix("fault.")) for one in found.faults]


def changed(draft: dict[str, Any], *changes: tuple[str, Any]) -> dict[str, Any]:
    """A draft with other values at paths like `boards.0.score`."""
    other = deepcopy(draft)
    for path, value in changes:
        *way, last = [int(word) if word.isdigit() else word for word in path.split(".")]
        at: Any = other
        for step in way:
            at = at[step]
        at[last] = value
    return other


def test_faults_of_the_market_are_told(third: dict[str, Any]) -> None:
    assert faults(third) == []
    cases: list[tuple[list[tuple[str, Any]], tuple[str, str]]] = [
        ([("goals", ["rows", "colors", "edge"])], ("goals", "goals")),
        ([("goals", ["rows", "edge"])], ("goals", "goals")),
        ([("factories.0.sun", "BYR")], ("sun-1", "sun")),
        ([("factories.4.sun", "BYRKTB")], ("sun-L", "sun")),
        ([("factories.1.moon", "B")], ("moon-2", "sun_and_moon")),
        ([("factories.1.sun", ""), ("factories.1.moon", "BYRK")], ("moon-2", "moon")),
        ([("factories.2.chip", "")], ("chip-3", "chip_down")),
        ([("factories.2.sun", "")], ("chip-3", "chip_up")),
        ([("start_tile", 0)], ("start", "start_there")),
        ([("factories.4.sun", "")], ("start", "start_taken")),
        ([("tower", 13 * "B")], ("tower", "tiles")),
        ([("display", [None, None, None])], ("display", "display_exactly")),
        ([("display.0", third["boards"][0]["plates"][_slot(third, 0)]["plate"])], ("display-0", "plate_twice")),
    ]
    for changes, wanted in cases:
        assert wanted in faults(changed(third, *changes)), wanted


def _slot(draft: dict[str, Any], seat: int) -> int:
    """A slot of a seat on which a plate lies."""
    return next(slot for slot, plate in enumerate(draft["boards"][seat]["plates"]) if plate)


def test_faults_of_a_board_are_told(third: dict[str, Any]) -> None:
    slot, other = _slot(third, 0), _slot(third, 1)
    plates = third["boards"][0]["plates"]
    free = next(slot for slot, plate in enumerate(plates) if plate is None)
    name = f"{free // 3 + 1}{free % 3 + 1}"
    row, column = 2 * (free // 3), 2 * (free % 3)
    floating = third["boards"][0]["tiles"][row]
    floating = floating[:column] + "B" + floating[column + 1 :]
    taken = third["boards"][1]["plates"][other]
    cases: list[tuple[list[tuple[str, Any]], tuple[str, str]]] = [
        ([(f"boards.0.plates.{slot}", None)], ("plates-0", "plates")),
        ([(f"boards.0.plates.{free}", taken)], (f"slot-0-{name}", "plate_twice")),
        ([("boards.0.lines.1", "BBB")], ("line-0-2", "line")),
        ([("boards.0.lines.2", "BY")], ("line-0-3", "line_colors")),
        ([("boards.1.broken", "BYRKT")], ("broken-1", "broken")),
        ([("boards.0.lines.5", 13 * "B"), ("factories.0.sun", "BBBB")], ("bag", "tiles")),
        ([("boards.0.chips", []), ("boards.0.spent", [])], ("store-0", "chips")),
        ([("boards.0.chips", 4 * ["B-"]), ("boards.0.spent", [])], ("chips", "chip_twice")),
        ([(f"boards.0.tiles.{row}", floating)], (f"space-0-{row + 1}-{column + 1}", "space")),
        ([("boards.1.tiles.3", "BYRK..")], ("row-1-4", "row")),
    ]
    for changes, wanted in cases:
        assert wanted in faults(changed(third, *changes)), wanted


def test_special_tiles_lie_exactly_where_they_were_earned(third: dict[str, Any]) -> None:
    """Plate 01 reads Y K / T *."""
    board = deepcopy(third["boards"][0]) | {"plates": [{"plate": "01", "turns": 0}, *third["boards"][0]["plates"][1:]]}
    empty = 4 * ["......"]
    early = changed(third, ("boards.0", board | {"tiles": ["......", ".*....", *empty]}))
    assert ("space-0-2-2", "special") in faults(early)
    late = changed(third, ("boards.0", board | {"tiles": ["YK....", "T.....", *empty]}))
    assert ("space-0-2-2", "special_missing") in faults(late)


def test_chips_and_the_stack_fit_together(third: dict[str, Any]) -> None:
    chips = third["boards"][0]["chips"] + third["boards"][0]["spent"]
    spare = next(face for face, n in check(third).chips.items() if n)
    assert ("chips", "chips_gone") in faults(
        changed(third, ("boards.0.chips", [*chips, spare]), ("boards.0.spent", []))
    )
    laid = [plate for board in third["boards"] for plate in board["plates"] if plate]
    assert len(laid) == 10
    wild = [plate.name for plate in PLATES if plate.kind.value == "W"]
    slots = [{"plate": name, "turns": 0} for name in wild]
    none = [None] * 4
    all_wild = changed(
        third,
        ("boards.0.plates", [*slots[:5], *none]),
        ("boards.1.plates", [*slots[5:9], {"plate": "01", "turns": 0}, *none]),
        ("boards.0.tiles", 6 * ["......"]),
        ("boards.1.tiles", 6 * ["......"]),
        ("display", ["05", "07", "08"]),
        ("top", "W"),
    )
    assert ("stack", "top") in faults(all_wild)
    assert faults(changed(all_wild, ("top", "*"))) == []


def test_who_has_nothing_to_do_is_not_to_move(tiling: dict[str, Any]) -> None:
    """One plate is still to be taken, by the other player."""
    slot = _slot(tiling, 1 - tiling["turn"])
    seat = 1 - tiling["turn"]
    plate = tiling["boards"][seat]["plates"][slot]["plate"]
    rows = list(tiling["boards"][seat]["tiles"])
    top, left = 2 * (slot // 3), 2 * (slot % 3)
    for row in (top, top + 1):
        rows[row] = rows[row][:left] + ".." + rows[row][left + 2 :]
    draft = changed(
        tiling,
        (f"boards.{seat}.plates.{slot}", None),
        (f"boards.{seat}.tiles", rows),
        ("display", [plate, *tiling["display"][1:]]),
    )
    assert check(draft).stage == "turn"
    assert faults(draft) == [("turn", "no_move")]
    assert faults(changed(draft, ("turn", seat))) == []


def test_the_first_plates_are_asked_for_in_their_order() -> None:
    game = Game.new(seed=3)
    draft = draft_of(game)
    assert check(draft).turn == game.turn
    assert check(changed(draft, ("turn", 1 - game.turn))).turn == game.turn
    early = changed(draft, (f"boards.{1 - game.turn}.plates.0", {"plate": check(draft).plates[0], "turns": 0}))
    assert (f"plates-{1 - game.turn}", "plates_exactly") in faults(early)


# --- the count of a round -----------------------------------------------------------------------


def count(text: str, moves: list[str] | None = None) -> RoundCount:
    return run_to_completion(counting(run_to_completion(following(AskStudy(position=text, moves=moves or [])))))


def test_the_best_tiling_is_counted_move_by_move() -> None:
    """It brings what the forecast promises, and what the moves book when they are played."""
    rounds = set()
    for seed in (1, 2):
        for game in tables(seed):
            if game.stage is not Stage.TILING or game.turn != game.state["first"][0]:
                continue
            rounds.add(game.round)
            found = count(game.position)
            played = Game.from_position(game.position)
            for seat in (played.turn, 1 - played.turn):
                before = played.scores[seat]
                for move in found.seats[seat].moves:
                    assert played.turn == seat
                    assert not move.is_made
                    played.push(move.token)
                gained = found.seats[seat].points
                parts = [(one.placement, one.specials, one.broken, one.start_tile) for one in found.seats[seat].moves]
                assert sum(map(sum, parts)) == gained
                if game.round < 5:
                    assert played.scores[seat] == before + gained
                    assert gained == _most(game, seat)
            assert played.scores == tuple(one.score for one in found.seats)
    assert rounds == {1, 2, 3, 4, 5}


def _most(game: Game, seat: int) -> int:
    """The most points of all ways to tile, by trying them all."""
    start = Game.from_position(game.position)
    while start.turn != seat:
        start.push(start.legal_moves[-1])
    best = -100

    def walk(at: Game) -> None:
        nonlocal best
        for move in at.legal_moves:
            after = at.copy()
            after.push(move)
            if str(move) == "E":
                best = max(best, after.scores[seat] - start.scores[seat])
            else:
                walk(after)

    walk(start)
    return best


def test_a_tiling_that_was_begun_is_counted_as_it_is() -> None:
    game = next(
        game for game in tables(2) if game.stage is Stage.TILING and len(game.legal_moves) > 1 and game.round > 1
    )
    best = count(game.position).seats[game.turn]
    for move in some(game.legal_moves):
        found = count(game.position, [str(move)]).seats[game.turn]
        assert found.moves[0].is_made
        assert found.moves[0].token == str(move)
        assert found.points <= best.points


def test_other_positions_have_no_count(local: LocalTable, third: dict[str, Any], tiling: dict[str, Any]) -> None:
    ann = local.person()
    text = ann.post("/study/table", third)["text"]
    assert ann.refused("POST", "/study/count", {"position": text}) == (422, "not_tiling")
    text = ann.post("/study/table", tiling)["text"]
    assert len(ann.post("/study/count", {"position": text})["seats"]) == 2
    assert ann.refused("POST", "/study/table", tiling | {"round": 6}) == (400, "malformed")
    with pytest.raises(RefusalError):
        count(Game.new(seed=1).position)
