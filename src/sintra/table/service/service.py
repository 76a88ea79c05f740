"""The service: games, listeners and thinking computers together, without HTTP."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterable
from functools import partial
from itertools import chain, repeat
from typing import Any, Final

from msgspec.structs import replace as changed

from sintra.errors import SintraError
from sintra.game.seeds import secret_seed
from sintra.players.base import Clock
from sintra.records.record import Record
from sintra.rules.state import states_of
from sintra.table.base.opponents import OPPONENTS
from sintra.table.base.scheduler import Scheduler
from sintra.table.base.times import Ticks
from sintra.table.games import refusals
from sintra.table.games.acts import AnyAct, MoveAct, next_game, with_starter
from sintra.table.games.beginnings import start_of_game, starting_at
from sintra.table.games.capabilities import Places, hash_of, new_secret
from sintra.table.games.clocks import Clocks
from sintra.table.games.fingerprints import fingerprint, fingerprints_of, played_on_from
from sintra.table.games.leases import LeaseEvents, OwnedElsewhereError
from sintra.table.games.log import Created, Joined, TimeLimit
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import Room
from sintra.table.games.rooms import RoomEvents, Rooms
from sintra.table.games.storage import ARRIVED, FRIEND, INVITATION, LAPSED, LATE, Storage, StorageError
from sintra.table.service.help import Help
from sintra.table.service.live import CLAIM_AFTER_S, Hub, Outlet
from sintra.table.service.names import clean_name, other_name
from sintra.table.service.preparation import Preparation
from sintra.table.service.puzzles import Puzzles
from sintra.table.service.reviews import Reviews
from sintra.table.service.studies import Studies
from sintra.table.service.visitors import ROLES, SEATS_OF, Visitor, role_of, seats_of
from sintra.table.shown.game import Watcher, brief_of, recording, replay_shown, telling, whole_game
from sintra.table.shown.messages import (
    AskRematch,
    GameBrief,
    GameShown,
    Links,
    NewGame,
    PlayOn,
)
from sintra.table.workers.queueing import ThinkingError
from sintra.table.workers.review_worker import ReviewWorker
from sintra.table.workers.thinkers import Thinkers
from sintra.tabletop.ruleset import RuleOptions

_MAX_PLAYED_ON: Final = 1000
"""How many games that were played on from positions of a record are searched before it is reviewed. A record with more
is refused: otherwise many games would hide one."""
_MAX_PUBLISHED: Final = 8
"""Events that are published at a time."""
_RETRY_DELAY_S: Final = 5.0
"""Seconds before a computer that failed is asked again."""
_READ_DELAYS_S: Final = (0.1, 0.5, 2.0, 5.0)
"""Seconds before each further try to read a log; the last one is repeated."""


class Service:
    """Everything that can be done at the table. All of it runs in one event loop, and other requests run whenever the
    storage is waited for: so a game is checked and changed under its lock (`Rooms.run_locked`)."""

    def __init__(
        self,
        storage: Storage,
        thinkers: Thinkers,
        *,
        claim_after_s: float = CLAIM_AFTER_S,
        review_worker: ReviewWorker | None = None,
        ticks: Ticks | None = None,
        on_failure: Callable[[BaseException], None] = lambda error: None,
    ) -> None:
        self.storage = storage
        self.leases = storage.leases()
        self.scheduler = Scheduler()
        events = RoomEvents(self._on_event, self._read_on, self._on_lost, self.is_busy)
        self.rooms = Rooms(storage, self.scheduler, ticks=ticks, leases=self.leases, events=events)
        self.clocks = Clocks(self.rooms, self._keep)
        self.hub = Hub(claim_after_s, self.scheduler, ticks, owns=self.rooms.has, on_presence=self._on_presence)
        self.thinkers = thinkers
        ready = partial(thinkers.wait_compiled, "players")
        self.reviews = Reviews(storage, self.scheduler, review_worker or ReviewWorker(), ready, self.leases, on_failure)
        self.studies = Studies(storage, self.rooms, thinkers, self.scheduler)
        self.puzzles = Puzzles(self.studies, thinkers, self.scheduler)
        self.help = Help(thinkers, self.scheduler, self._keep)
        self.preparation = Preparation(thinkers, self._keep)
        self._on_failure = on_failure
        self._places = Places()
        self._unpublished: deque[tuple[Room, int]] = deque()
        self._thinking: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._held: Counter[str] = Counter()
        self._reading_on: set[str] = set()

    # --- coming and going -----------------------------------------------------------------------

    async def register(self, address: str, on_gone: Callable[[set[str]], None]) -> None:
        """Joins the processes that serve the same table, which reach this one at a private address; `on_gone` is called
        with those that have died."""
        await self.leases.open(address, LeaseEvents(self.rooms.lose_all, on_gone))

    async def when_ready(self, game: str | None, looks: bool) -> None:
        """Waits until a request about a game, or for a new one, can be answered. A game in which nobody has moved yet
        can be shown (`looks`) before others."""
        await self.preparation.wait(to_begin=looks and (game is None or self.rooms.is_new(game)))
        if self.stopping:
            raise refusals.closing()

    def _keep(self, task: asyncio.Task[Any]) -> None:
        """Keeps a background task until it is done, and reports its failure."""
        self._tasks.add(task)

        def done(task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            if not task.cancelled() and (error := task.exception()):
                self._on_failure(error)

        task.add_done_callback(done)

    @property
    def stopping(self) -> bool:
        """Whether the table is being closed."""
        return self.hub.stopping

    def stop(self) -> None:
        """Ends streams, clocks, thinking and reviews; what is in the logs stays."""
        self.hub.stop()
        self.clocks.close()
        for task in list(self._tasks):
            task.cancel()
        self.reviews.stop()
        self.thinkers.close()

    async def close(self) -> None:
        """Stops, and closes the storage when nothing needs it any more."""
        self.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.reviews.close()
        await self.rooms.close()
        await self.storage.close()

    # --- seats ----------------------------------------------------------------------------------

    async def create(self, asked: NewGame) -> tuple[Room, Links]:
        """Makes a new game; returns it with the secrets of its links."""
        names = _names_at(asked)
        try:
            options = RuleOptions.from_dict(asked.rule_options)
            made = _created(asked, names, list(asked.goals), asked.goal_count, options)
            start_of_game(made)
        except SintraError as error:
            raise RefusalError(422, "bad_rules", str(error)) from None
        return await self._create(with_starter(made, {"me": 0, "other": 1, "draw": None}[asked.first]))

    async def play_on(self, asked: PlayOn, running: Iterable[Room]) -> tuple[Room, Links]:
        """Makes a new game that begins at the end of a line, for somebody who sits at the `running` games."""
        names = _names_at(asked)
        line = await self.studies.follow(asked, running, to_play=True)
        seat = line.game.turn if asked.seat is None else asked.seat
        start = await self.scheduler.run(starting_at(line.game, seat, against_friend=asked.mode == "friend"))
        rules = line.game.rules
        goals, options = [str(goal) for goal in rules.goals], RuleOptions.from_dict(RuleOptions.to_dict(rules))
        made = _created(asked, names, goals, len(goals), options, secret_seed())
        return await self._create(changed(made, start=start))

    async def _create(self, made: Created) -> tuple[Room, Links]:
        """Makes a new game with the secrets of its links."""
        links = {role: new_secret() for role in (*SEATS_OF[made.mode], "watch")}
        roles = {INVITATION if role == "friend" else role: hash_of(secret) for role, secret in links.items()}
        room = await self.rooms.create(made, roles)
        self.nudge(room)
        return room, Links(**links)

    async def open(self, game: str, secrets_held: list[str]) -> tuple[Room, frozenset[str]]:
        """A game and the roles that secrets give there; without any, the game is refused as if it did not exist.
        Whoever entered by an invitation sits down now, for good."""
        hashes = [hash_of(secret) for secret in secrets_held]
        held = self._places.known(game, hashes)
        if not held:
            roles = await self.storage.roles(game, hashes)
            if ARRIVED in roles:
                for secret_hash, name in await self.storage.arrivals(game, hashes):
                    await self.rooms.sit(game, secret_hash, name)
                roles = await self.storage.roles(game, hashes)
            held = frozenset(ROLES) & roles
            if not held:
                raise refusals.seat_taken() if LATE in roles else refusals.no_game()
            self._places.keep(game, hashes, held)
        room = await self.rooms.open(game)
        self.nudge(room)
        return room, held

    async def visitor(self, game: str, secrets_held: list[str], asked_seat: int | None = None) -> Visitor:
        """Somebody with these secrets at a game; a player of both seats may say from which one they look."""
        room, roles = await self.open(game, secrets_held)
        seats = seats_of(room.created.mode, roles)
        if asked_seat is not None and asked_seat not in seats:
            raise RefusalError(403, "not_your_seat", "You can only look from your own seat.")
        return Visitor(room, game, role_of(roles), seats, Watcher(seats, asked_seat))

    async def is_known(self, game: str, secrets_held: list[str]) -> bool:
        """Whether secrets are or were for a game; asking takes no seat."""
        return bool(await self.storage.roles(game, [hash_of(secret) for secret in secrets_held]))

    async def enter(self, game: str, secret: str, name: str | None) -> tuple[Room, str, str]:
        """Opens a game by the secret of a link; returns it with the role and the secret that opens it from now on. An
        invitation gives a new secret to everybody who says a name, until one of them sits down: so an answer that is
        lost locks nobody out, and whoever sent the link cannot look over the friend's shoulder."""
        known = await self.storage.roles(game, [hash_of(secret)])
        if LAPSED in known:
            raise refusals.link_used()
        if INVITATION not in known:
            room, roles = await self.open(game, [secret])
            return room, next(iter(roles)), secret
        room = await self.rooms.open(game)
        if room.now.status == "cancelled":
            raise refusals.cancelled(410)
        if name is None:
            return room, FRIEND, ""
        said = other_name(clean_name(name), room.now.names[0])
        await self.rooms.run_locked(game, self._join, said)
        own = new_secret()
        if not await self.storage.arrive(game, hash_of(secret), hash_of(own), said):
            raise refusals.link_used()
        return room, FRIEND, own

    async def _join(self, room: Room, name: str) -> None:
        """Adds a friend to a game that waits for one, which then begins; the caller holds its lock."""
        if room.now.status == "cancelled":
            raise refusals.cancelled(410)
        if not room.now.joined:
            await self.rooms.append(room, Joined(1, name))

    async def links(self, visitor: Visitor) -> Links:
        """New secrets for the visitor's role and for spectators, and for the friend while the table waits for them:
        those given before are stored as hashes only."""
        room, role = visitor.room, visitor.role
        links = {"own": new_secret(), "watch": new_secret()}
        await self.storage.add_secret(room.id, role, hash_of(links["own"]))
        await self.storage.add_secret(room.id, "watch", hash_of(links["watch"]))
        if room.now.status == "waiting":
            invitation = new_secret()
            if await self.storage.invite(room.id, hash_of(invitation)):
                links["friend"] = invitation
        return Links(**links)

    async def rematch(self, visitor: Visitor, asked: AskRematch) -> tuple[Room, Links]:
        """The next game, made by the player who asks first; the other gets a place at the same one, and
        spectators can watch it once it is there. Against the computer it may be with another one."""
        role, secret, watch = visitor.role, new_secret(), new_secret()
        if role == "watch":
            if not visitor.room.now.rematch:
                raise refusals.spectator()
            following = await self._places_at(visitor.room.now.rematch, {role: watch})
            return following, Links(watch=watch)
        mine = {role: secret, "watch": watch}
        following = await self.rooms.run_locked(visitor.game, self._rematch, asked, role, mine)
        return following, Links(own=secret, watch=watch)

    async def _rematch(self, room: Room, asked: AskRematch, role: str, places: dict[str, str]) -> Room:
        """The game that follows one whose lock is held, with these secrets for a role; a new one, unless there is one
        already with the computer that is wanted."""
        wanted = room.created.opponent
        if asked.opponent is not None and room.created.mode == "computer":
            wanted = asked.opponent
        if room.now.rematch:
            following = await self.rooms.look(room.now.rematch)
            if following is not None and following.created.opponent == wanted:
                return await self._places_at(room.now.rematch, places)
        if asked.seq != room.seq:
            raise refusals.stale(room.seq)
        made = next_game(room, OPPONENTS.get(wanted))
        joined = made.names[1] if made.mode == "friend" else None
        hashes = {one: hash_of(secret) for one, secret in places.items()}
        return await self.rooms.follow(
            room, made, hashes, SEATS_OF[made.mode][role][0], f"{role}:rematch:{asked.id}", joined
        )

    async def _places_at(self, game: str, places: dict[str, str]) -> Room:
        """A game, whoever owns it, after adding secrets for roles at it."""
        room = await self.rooms.look(game)
        if room is None:
            raise refusals.no_game()
        for role, secret in places.items():
            await self.storage.add_secret(game, role, hash_of(secret))
        return room

    # --- acts -----------------------------------------------------------------------------------

    async def act(self, visitor: Visitor, act: AnyAct) -> int:
        """Performs an act of a player and returns the number of the event that it became; a repeated one gets the same
        answer."""
        act.check_seat(visitor.seats)
        return await self.rooms.run_locked(visitor.game, self._perform, act, visitor.seats, act.post_name(visitor.role))

    async def _perform(self, room: Room, act: AnyAct, seats: tuple[int, ...], post: str | None) -> int:
        """Performs an act in a game whose lock is held, unless the log has it already or its sender has not seen the
        latest event; `post` is its name in the log."""
        if act.seq > room.seq:
            room.is_behind = True
            room = await self.rooms.open(room.id)
        if post is not None and post in room.posts:
            return room.posts[post]
        await self.rooms.end_if_late(room)
        if act.seq != room.seq and not (act.seq < room.seq and act.may_be_stale):
            raise refusals.stale(room.seq)
        return (await self.rooms.append(room, act.event(room, seats, self.hub), post)).seq

    # --- what somebody sees ---------------------------------------------------------------------

    async def prepare(self, visitor: Visitor) -> None:
        """Makes a long log ready to be shown, in time slices, so that no other request waits for it."""
        self._held[visitor.game] += 1
        try:
            await self.scheduler.run(telling(visitor.room, visitor.watcher.observer))
        finally:
            self._held -= Counter({visitor.game: 1})

    def game(self, visitor: Visitor) -> bytes:
        """The whole game now, with its log, as JSON, after `prepare`."""
        return whole_game(visitor.room, visitor.watcher, self.hub.present(visitor.room))

    def brief(self, visitor: Visitor) -> GameBrief:
        """The game as a line of a list."""
        return brief_of(visitor.room, visitor.watcher, self.hub.present(visitor.room))

    def replay(self, visitor: Visitor, ply: int) -> GameShown:
        """The game after `ply` moves, as the visitor could know it then."""
        last = len(visitor.room.standing) - 1
        if not 0 <= ply <= last:
            raise RefusalError(404, "no_ply", f"The game has plies 0 to {last}.")
        return replay_shown(visitor.room, visitor.watcher, self.hub.present(visitor.room), ply)

    async def record(self, visitor: Visitor) -> Record:
        """The game record, as far as the visitor may know it."""
        return await self.scheduler.run(recording(visitor.room, visitor.watcher))

    async def review(self, visitor: Visitor, asker: str | None = None) -> str:
        """Asks for the review of a game that is over; returns the review's name."""
        if visitor.room.now.status != "over":
            raise refusals.no_review_yet()
        return await self.reviews.ask(await self.record(visitor), asker)

    async def review_record(self, text: str, asker: str | None = None) -> str:
        """Asks for the review of a game by its record, given as text; returns the review's name. A record is refused if
        it begins like a game that goes on here, or comes to the position of one that was played on from somewhere: its
        end could be made up, to learn what the game is worth now."""
        record = await self.reviews.read(text)
        if await self._is_played(await self.scheduler.run(fingerprints_of(record))):
            raise refusals.no_review_yet()
        return await self.reviews.ask(record, asker)

    async def _is_played(self, positions: list[bytes]) -> bool:
        """Whether a game that goes on began with the first of these positions, a deal, or stands at one of them."""
        for game in await self.storage.started_at(positions[:1]):
            room = await self.rooms.look(game)
            if room is not None and room.goes_on:
                return True
        passed = set(positions)
        played_on = await self.storage.started_at([played_on_from(one) for one in passed])
        if len(played_on) > _MAX_PLAYED_ON:
            return True
        for game in played_on:
            room = await self.rooms.look(game)
            if room is None or not room.goes_on:
                continue
            if any(fingerprint(states_of(state)) in passed for state in room.open_states()):
                return True
            await asyncio.sleep(0)
        return False

    def stream(
        self, visitor: Visitor, after: int | None, server: str, outlet: Outlet | None = None
    ) -> AsyncGenerator[bytes, None]:
        """The events of a game from now on, or after an event, as server-sent events."""
        return self.hub.stream(visitor.room, visitor.watcher, after, server, outlet)

    # --- what happens by itself -----------------------------------------------------------------

    def _on_event(self, room: Room, seq: int) -> None:
        if not self._unpublished:
            asyncio.get_running_loop().call_soon(self._publish)
        self._unpublished.append((room, seq))
        self._run_clock(room)
        self.nudge(room)

    def _publish(self) -> None:
        """Publishes some events, once their posters have their answers; requests that came meanwhile are answered
        before the next ones are published."""
        for _ in range(_MAX_PUBLISHED):
            room, seq = self._unpublished[0]
            try:
                self.hub.publish(room, seq)
            except Exception as error:
                self._on_failure(error)
            self._unpublished.popleft()
            if not self._unpublished:
                return
        asyncio.get_running_loop().call_soon(self._publish)

    def _on_presence(self, room: Room) -> None:
        """Starts the clock of a player who comes to the table, if it stood still since the service was started."""
        if room.on_clock is not None and self.hub.present(room)[room.on_clock]:
            self._run_clock(room)

    def _run_clock(self, room: Room) -> None:
        if room.created.clock is not None and not self.stopping:
            self.clocks.run(room)

    def is_busy(self, room: Room) -> bool:
        """Whether somebody needs a game in memory."""
        return (
            room.id in self._thinking
            or room.id in self._held
            or self.hub.listeners(room) > 0
            or self.clocks.is_running(room)
        )

    def _on_lost(self, room: Room) -> None:
        """Ends what this process does for a game that another one owns: its listeners come back and are led there."""
        self.clocks.stop(room)
        self.hub.end(room)
        if (task := self._thinking.pop(room.id, None)) is not None:
            task.cancel()

    def _read_on(self, room: Room) -> None:
        """Reads the log of a game after a write that may have failed, again until it succeeds: listeners may have to be
        told of an event whose sender was told that it failed."""
        if room.id not in self._reading_on and not self.stopping:
            self._reading_on.add(room.id)
            task = asyncio.create_task(self._read_until_done(room.id))
            task.add_done_callback(lambda _: self._reading_on.discard(room.id))
            self._keep(task)

    async def _read_until_done(self, game: str) -> None:
        for pause in chain(_READ_DELAYS_S, repeat(_READ_DELAYS_S[-1])):
            try:
                with contextlib.suppress(OwnedElsewhereError, RefusalError):
                    await self.rooms.read_on(game)
            except StorageError as error:
                self._on_failure(error)
                await asyncio.sleep(pause)
            else:
                return

    def nudge(self, room: Room) -> None:
        """Starts to think for the computer if it is to move and does not think yet."""
        if room.computer_to_move and room.id not in self._thinking and not self.stopping:
            self._run_clock(room)
            task = asyncio.create_task(self._think(room))
            self._thinking[room.id] = task
            self._keep(task)

    async def _think(self, room: Room) -> None:
        """Makes the computer's moves while it is to move. A computer that fails is asked again while somebody
        listens."""
        try:
            while True:
                try:
                    room = await self.rooms.open(room.id)
                    if not room.computer_to_move:
                        return
                    await self._move(room)
                except OwnedElsewhereError:
                    return
                except (ThinkingError, StorageError) as error:
                    if not self.hub.listeners(room):
                        raise
                    self._on_failure(error)
                    await asyncio.sleep(_RETRY_DELAY_S)
        finally:
            if self._thinking.get(room.id) is asyncio.current_task():
                del self._thinking[room.id]

    async def _move(self, room: Room) -> None:
        """Makes one move of the computer, unless the game has gone on meanwhile; an illegal one is not written."""
        frame = room.now
        opponent = OPPONENTS.get(room.created.opponent)
        if opponent is None:
            raise ThinkingError(f"there is no opponent {room.created.opponent!r} at this table")
        limit, left = room.created.clock, room.time_left
        clock = None if limit is None or left is None else Clock(left[frame.turn] / 1000, limit.increment)
        token = await self.thinkers.choose(opponent, room.created.computer_seed, frame.view(frame.turn), clock)

        try:
            await self.rooms.run_locked(room.id, self._perform, MoveAct("", frame.seq, token), (frame.turn,), post=None)
        except RefusalError as refusal:
            if refusal.code == "illegal":
                raise ThinkingError("a computer made an illegal move") from None


def _created(
    asked: NewGame | PlayOn, names: list[str], goals: list[str], goal_count: int, options: RuleOptions, seed: int = 0
) -> Created:
    """The first event of a new game."""
    return Created(
        seed=seed,
        computer_seed=secret_seed(),
        mode=asked.mode,
        names=names,
        goals=goals,
        goal_count=goal_count,
        options=options,
        opponent=asked.opponent if asked.mode == "computer" else "",
        clock=None if asked.clock is None else TimeLimit(asked.clock.seconds, asked.clock.increment),
    )


def _names_at(asked: NewGame | PlayOn) -> list[str]:
    """The names of both players of a new game; a friend's is empty until they join."""
    names = [clean_name(name) for name in asked.names]
    if asked.mode == "computer":
        return [names[0], OPPONENTS[asked.opponent].name]
    if len(names) == 1:
        if asked.mode == "screen":
            raise RefusalError(422, "names_needed", "On one screen both players need a name.")
        return [*names, ""]
    return [names[0], other_name(names[1], names[0])] if asked.mode == "screen" else names
