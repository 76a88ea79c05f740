"""The table itself: games, listeners and thinking computers together, without a word of HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Final

from sintra.errors import SintraError
from sintra.records.record import Record
from sintra.table.games import acts
from sintra.table.games.acts import with_starter
from sintra.table.games.capabilities import hash_of, new_secret
from sintra.table.games.log import AnyAct, Created, Joined, Rematched
from sintra.table.games.refusals import (
    RefusalError,
    cancelled,
    closing,
    link_used,
    no_game,
    seat_taken,
    spectator,
    stale,
)
from sintra.table.games.room import Frame, Room, new_game
from sintra.table.games.rooms import Rooms
from sintra.table.games.storage import ARRIVED, FRIEND, INVITATION, LAPSED, LATE, Storage
from sintra.table.live import PATIENCE, Hub
from sintra.table.names import clean_name, other_name
from sintra.table.opponents import OPPONENTS
from sintra.table.portions import Portions
from sintra.table.shown.game import Watcher, brief_of, hinting, recording, replay_shown, telling, whole_game
from sintra.table.shown.messages import GameBrief, GameShown, Hint, Links, NewGame
from sintra.table.thinkers import Thinkers, ThinkingError
from sintra.table.warming import is_compiled, warm_engine
from sintra.tabletop.ruleset import RuleOptions

SEATS_OF: Final[dict[str, dict[str, tuple[int, ...]]]] = {
    "computer": {"own": (0,)},
    "friend": {"own": (0,), "friend": (1,)},
    "screen": {"own": (0, 1)},
}
"""What each role plays in each mode; `watch` plays nothing."""
ROLES: Final = ("own", "friend", "watch")
_MOST_HINTS: Final = 1000
_PAUSE: Final = 5.0
"""Seconds before a computer that failed is asked again."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who comes to a game: the roles that their secrets give them, and what they see."""

    room: Room
    roles: frozenset[str]
    watcher: Watcher

    @property
    def game(self) -> str:
        """The game's name."""
        return self.room.id

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that they play."""
        return self.watcher.seats

    @property
    def role(self) -> str:
        """The role in whose name they act."""
        return next(role for role in ROLES if role in self.roles)


class Service:
    """Everything that can be done at the table. One event loop; nothing waits between a check and what
    it allows."""

    def __init__(self, storage: Storage, thinkers: Thinkers, *, patience: float = PATIENCE) -> None:
        self.storage = storage
        self.portions = Portions()
        self.rooms = Rooms(storage, self.portions)
        self.hub = Hub(patience, self.portions)
        self.thinkers = thinkers
        self.on_failure: Callable[[BaseException], None] = lambda error: None
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._hints: OrderedDict[tuple[str, int], asyncio.Task[Hint]] = OrderedDict()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._held: Counter[str] = Counter()
        self._preparing: asyncio.Task[None] | None = None
        self.rooms.is_busy = lambda room: (
            room.id in self._thinking or room.id in self._held or self.hub.listeners(room) > 0
        )
        self.rooms.on_event = self._on_event

    # --- coming and going -----------------------------------------------------------------------

    def start(self) -> None:
        """Warms engine and thinkers while the first page loads."""
        self._preparing = asyncio.create_task(self._prepare())
        self._keep(self._preparing)

    async def _prepare(self) -> None:
        """Loads what is needed, and tells the garbage collector that it stays, and to come less often:
        looking through everything again and again would stop the service for tenths of a second."""
        if not is_compiled():
            with contextlib.suppress(ThinkingError):
                await self.thinkers.compile_engine()
        await asyncio.to_thread(warm_engine)
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        self._keep(asyncio.create_task(self.thinkers.warm()))

    @property
    def preparing(self) -> bool:
        """Whether the engine is not ready yet."""
        return self._preparing is not None and not self._preparing.done()

    async def when_ready(self) -> None:
        """Waits until games can be played: a first time on a machine takes up to a minute."""
        if self._preparing is not None and not self._preparing.done():
            await asyncio.wait((self._preparing,))
        if self.stopping:
            raise closing()

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)

        def done(task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            if not task.cancelled() and (error := task.exception()):
                self.on_failure(error)

        task.add_done_callback(done)

    @property
    def stopping(self) -> bool:
        """Whether the table is being closed."""
        return self.hub.stopping

    def stop(self) -> None:
        """Ends streams and thinking; what is in the log stays."""
        self.hub.stop()
        for task in list(self._tasks):
            task.cancel()
        self.thinkers.close()

    # --- seats ----------------------------------------------------------------------------------

    def create(self, asked: NewGame) -> tuple[Room, Links]:
        """A new game, and the secrets of its links."""
        names = [clean_name(name) for name in asked.names]
        if asked.mode == "computer":
            names = [names[0], OPPONENTS[asked.opponent].name]
        elif len(names) == 1:
            if asked.mode == "screen":
                raise RefusalError(422, "names_needed", "On one screen both players need a name.")
            names.append("")
        elif asked.mode == "screen":
            names[1] = other_name(names[1], names[0])
        try:
            made = Created(
                seed=0,
                computer_seed=secrets.randbits(63),
                mode=asked.mode,
                names=names,
                goals=list(asked.goals),
                goal_count=asked.goal_count,
                options=RuleOptions.from_dict(asked.rule_options),
                opponent=asked.opponent if asked.mode == "computer" else "",
            )
            new_game(made)
        except SintraError as error:
            raise RefusalError(422, "bad_rules", str(error)) from None
        made = with_starter(made, {"me": 0, "other": 1, "draw": None}[asked.first])
        links = {role: new_secret() for role in (*SEATS_OF[asked.mode], "watch")}
        roles = {INVITATION if role == "friend" else role: hash_of(secret) for role, secret in links.items()}
        room = self.rooms.create(made, roles)
        self.nudge(room)
        return room, Links(**links)

    async def load(self, game: str, secrets_held: list[str], *, following: bool = False) -> None:
        """Reads the log of a game that secrets open, and with `following` that of its rematch, before
        anything is decided about it: deciding waits for nothing."""
        if not self.storage.roles(game, [hash_of(secret) for secret in secrets_held]):
            return
        await self.rooms.load(game)
        if following and (name := self.rooms.open(game).now.rematch):
            await self.rooms.load(name)
            await self.rooms.load(game)

    def open(self, game: str, secrets_held: list[str]) -> tuple[Room, set[str]]:
        """A game and the roles that secrets give there; without any it is as if it were not there. Who has
        come by an invitation sits down with it, for good."""
        hashes = [hash_of(secret) for secret in secrets_held]
        roles = self.storage.roles(game, hashes)
        if ARRIVED in roles:
            for secret_hash, name in self.storage.arrivals(game, hashes):
                self.rooms.sit(game, secret_hash, name)
            roles = self.storage.roles(game, hashes)
        held = roles & set(ROLES)
        if not held:
            raise seat_taken() if LATE in roles else no_game()
        room = self.rooms.open(game)
        self.nudge(room)
        return room, held

    def visitor(self, game: str, secrets_held: list[str], asked_seat: int | None = None) -> Visitor:
        """What secrets open at a game; a player of both seats may say from which one they look."""
        room, roles = self.open(game, secrets_held)
        seats = sorted({seat for role in roles for seat in SEATS_OF[room.created.mode].get(role, ())})
        if asked_seat is not None and asked_seat not in seats:
            raise RefusalError(403, "not_your_seat", "You can only look from your own seat.")
        return Visitor(room, frozenset(roles), Watcher(tuple(seats), asked_seat))

    def is_known(self, game: str, secrets_held: list[str]) -> bool:
        """Whether secrets are or were for a game; to ask this is not to look at it."""
        return bool(self.storage.roles(game, [hash_of(secret) for secret in secrets_held]))

    def enter(self, game: str, secret: str, name: str | None) -> tuple[Room, str, str]:
        """Opens a game by the secret of a link: the role, and the secret that opens it from now on. An
        invitation gives one to everybody who says a name, until one of them sits down: so an answer that is
        lost locks nobody out, and whoever sent the link cannot look over the friend's shoulder."""
        known = self.storage.roles(game, [hash_of(secret)])
        if LAPSED in known:
            raise link_used()
        if INVITATION not in known:
            room, roles = self.open(game, [secret])
            return room, roles.pop(), secret
        room = self.rooms.open(game)
        if room.now.status == "cancelled":
            raise cancelled(410)
        if name is None:
            return room, FRIEND, ""
        said = other_name(clean_name(name), room.now.names[0])
        if not room.now.joined:
            try:
                self.rooms.append(room, Joined(1, said))
            except RefusalError:  # another process has written to the log: look at it again
                return self.enter(game, secret, name)
        own = new_secret()
        if not self.storage.arrive(game, hash_of(secret), hash_of(own), said):
            raise link_used()
        return room, FRIEND, own

    def links(self, visitor: Visitor) -> Links:
        """More secrets for one's role and for spectators, and while the table waits for the friend, too: those
        given before are kept as hashes only."""
        room, role = visitor.room, visitor.role
        links = {"own": new_secret(), "watch": new_secret()}
        self.storage.add_secret(room.id, role, hash_of(links["own"]))
        self.storage.add_secret(room.id, "watch", hash_of(links["watch"]))
        if room.now.status == "waiting":
            invitation = new_secret()
            if self.storage.invite(room.id, hash_of(invitation)):
                links["friend"] = invitation
        return Links(**links)

    def rematch(self, visitor: Visitor, post: str, seq: int) -> tuple[Room, Links]:
        """The next game, made by the player who asks first; the other gets a place at the same one, and
        spectators can watch it once it is there."""
        room, role = visitor.room, visitor.role
        if role == "watch":
            if not room.now.rematch:
                raise spectator()
            following, watch = self.rooms.open(room.now.rematch), new_secret()
            self.storage.add_secret(following.id, role, hash_of(watch))
            return following, Links(watch=watch)
        secret, watch = new_secret(), new_secret()
        mine = {role: hash_of(secret), "watch": hash_of(watch)}
        if not room.now.rematch:
            if seq != room.seq:
                raise stale(room.seq)
            made = acts.next_game(room)
            joined = made.names[1] if made.mode == "friend" else None
            following = self.rooms.create(made, mine, joined)
            seats = SEATS_OF[made.mode][role]
            self.rooms.append(room, Rematched(seats[0], following.id), post)
        else:
            following = self.rooms.open(room.now.rematch)
            for one, secret_hash in mine.items():
                self.storage.add_secret(following.id, one, secret_hash)
        self.nudge(following)
        return following, Links(own=secret, watch=watch)

    # --- what a player does ---------------------------------------------------------------------
    # `post` is what the act is called in the log, `seq` the event that its sender has seen

    def move(self, visitor: Visitor, post: str, seq: int, token: str) -> int:
        """A decision of the rules."""
        return self._act(visitor, post, seq, None, lambda: acts.move(visitor.room, visitor.seats, token))

    def undo(self, visitor: Visitor, post: str, seq: int, seat: int | None) -> int:
        """One move back, within the law."""
        return self._act(visitor, post, seq, seat, lambda: acts.undo(visitor.room, visitor.seats, seat))

    def take_back(self, visitor: Visitor, post: str, seq: int, seat: int | None) -> int:
        """Back to one's latest decision, or the question for it."""
        return self._act(visitor, post, seq, seat, lambda: acts.take_back(visitor.room, visitor.seats, seat))

    def answer(self, visitor: Visitor, post: str, seq: int, agree: bool) -> int:
        """The other player's answer to that question."""
        return self._act(visitor, post, seq, None, lambda: acts.answer(visitor.room, visitor.seats, agree))

    def resign(self, visitor: Visitor, post: str, seq: int, seat: int | None) -> int:
        """Giving up."""
        return self._act(visitor, post, seq, seat, lambda: acts.resign(visitor.room, visitor.seats, seat))

    def claim(self, visitor: Visitor, post: str, seq: int, seat: int | None) -> int:
        """The game for the one who stayed."""
        room = visitor.room
        return self._act(visitor, post, seq, seat, lambda: acts.claim(room, visitor.seats, self.hub.gone(room)))

    def cancel(self, visitor: Visitor, post: str, seq: int, seat: int | None) -> int:
        """No more waiting for the friend."""
        return self._act(visitor, post, seq, seat, lambda: acts.cancel(visitor.room, visitor.seats))

    def _act(self, visitor: Visitor, post: str, seq: int, seat: int | None, make: Callable[[], AnyAct]) -> int:
        """Writes down what `make` says of an act, and returns the event that it became."""
        if seat is not None and seat not in visitor.seats:
            raise RefusalError(403, "not_your_seat", "You can only act for your own seat.")
        return self.rooms.post(visitor.room, post, seq, make)

    # --- what somebody sees ---------------------------------------------------------------------

    async def prepare(self, visitor: Visitor) -> None:
        """Makes a long log ready in small portions, so that nobody else has to wait for it."""
        self._held[visitor.game] += 1
        try:
            await self.portions.do(telling(visitor.room, visitor.watcher.observer))
        finally:
            self._held -= Counter({visitor.game: 1})

    def game(self, visitor: Visitor) -> bytes:
        """The whole game now, with its log, as JSON."""
        return whole_game(visitor.room, visitor.watcher, self.hub.present(visitor.room))

    def brief(self, visitor: Visitor) -> GameBrief:
        """A line about it."""
        return brief_of(visitor.room, visitor.watcher, self.hub.present(visitor.room))

    def replay(self, visitor: Visitor, ply: int) -> GameShown:
        """The game after so many moves."""
        last = len(visitor.room.standing) - 1
        if not 0 <= ply <= last:
            raise RefusalError(404, "no_ply", f"The game has plies 0 to {last}.")
        return replay_shown(visitor.room, visitor.watcher, self.hub.present(visitor.room), ply)

    async def record(self, visitor: Visitor) -> Record:
        """The game record, as far as they may know it."""
        return await self.portions.do(recording(visitor.room, visitor.watcher))

    def stream(self, visitor: Visitor, after: int | None, server: str) -> AsyncIterator[bytes]:
        """What happens from now on, or after an event, as server-sent events."""
        return self.hub.stream(visitor.room, visitor.watcher, after, server)

    # --- what happens by itself -----------------------------------------------------------------

    def _on_event(self, room: Room, seq: int) -> None:
        asyncio.get_running_loop().call_soon(self._publish, room, seq)
        self.nudge(room)

    def _publish(self, room: Room, seq: int) -> None:
        """Tells the listeners once the poster has their answer."""
        try:
            self.hub.publish(room, seq)
        except Exception as error:
            self.on_failure(error)

    def nudge(self, room: Room) -> None:
        """Lets the computer think if it is its turn and it does not think already."""
        if room.computer_to_move and room.id not in self._thinking and not self.stopping:
            task = asyncio.create_task(self._think(room))
            self._thinking[room.id] = task
            self._keep(task)

    async def _think(self, room: Room) -> None:
        """Moves for the computer while it has to. One that fails is asked again while somebody waits."""
        try:
            while room.computer_to_move:
                try:
                    await self._move(room)
                except ThinkingError as error:
                    if not self.hub.listeners(room):
                        raise
                    self.on_failure(error)
                    await asyncio.sleep(_PAUSE)
        finally:
            self._thinking.pop(room.id, None)

    async def _move(self, room: Room) -> None:
        """The computer's move, unless the position was left meanwhile; no illegal one gets into the log."""
        frame = room.now
        opponent = OPPONENTS.get(room.created.opponent)
        if opponent is None:
            raise ThinkingError(f"there is no opponent {room.created.opponent!r} at this table")
        token = await self.thinkers.choose(opponent, room.created.computer_seed, frame.view(frame.turn))
        if room.now is not frame:
            return
        try:
            act = acts.move(room, (frame.turn,), token)
        except RefusalError:
            raise ThinkingError("a computer made an illegal move") from None
        self.rooms.append(room, act)

    # --- hints ----------------------------------------------------------------------------------

    async def hint(self, visitor: Visitor, seq: int) -> Hint:
        """Advice for the seat to move; one position is thought about once. Friends play by themselves:
        neither could know whether the other is helped."""
        room = visitor.room
        if room.created.mode == "friend":
            raise RefusalError(409, "no_hints", "There are no hints in games against a friend.", seq=room.seq)
        if seq != room.seq:
            raise stale(room.seq)
        if room.now.status != "playing" or room.now.turn not in visitor.seats:
            raise RefusalError(409, "not_your_turn", "A hint is given to the player to move.", seq=room.seq)
        key = (room.id, seq)
        task = self._hints.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._hints[key] = asyncio.create_task(self._advise(room.now))
            self._keep(task)
            if len(self._hints) > _MOST_HINTS:
                self._hints.popitem(last=False)
        try:
            return await asyncio.shield(task)
        except ThinkingError:
            raise RefusalError(503, "no_hint", "The computer has no hint right now: try again.") from None

    async def _advise(self, frame: Frame) -> Hint:
        view = frame.view(frame.turn)
        exact, advice = await self.thinkers.advise(view)
        return await self.portions.do(hinting(view, frame.seq, exact, advice))
