"""The tables and functions in a PostgreSQL database: whose they are, and how older ones become today's.

Everything lies in a schema of its own, `sintra`. What is there of another program is refused and left untouched.
A function does what takes several steps, so that one round trip is enough; the time is always the database's.
"""

from __future__ import annotations

from typing import Any, Final, LiteralString

from psycopg import AsyncConnection

from sintra.table.games.fingerprints import start_of
from sintra.table.games.storage import StorageError, Stored

POSTGRES_SCHEMA: Final = 3
CHANNEL: Final = "sintra"
"""What is notified: who tells it, the number of an event or `-` for people who came or went, and the game; or `*`: a
process has died, and all others had better read on in their games."""
OLDEST: Final = 14
"""The first version of PostgreSQL that will do."""
_LOCK: Final = 0x53494E5452410000
"""The advisory lock of whoever makes tables."""

_KEPT: Final[LiteralString] = """
CREATE TABLE sintra.about (program text NOT NULL, schema integer NOT NULL);
CREATE TABLE sintra.events (
    game text COLLATE "C" NOT NULL,
    seq integer NOT NULL CHECK (seq >= 0),
    post text COLLATE "C",
    at text NOT NULL,
    act text NOT NULL,
    PRIMARY KEY (game, seq)
);
CREATE UNIQUE INDEX events_post ON sintra.events (game, post) WHERE post IS NOT NULL;
CREATE TABLE sintra.secrets (
    game text COLLATE "C" NOT NULL,
    hash bytea NOT NULL,
    role text NOT NULL,
    name text NOT NULL DEFAULT '',
    PRIMARY KEY (game, hash)
);
CREATE TABLE sintra.reviews (key text COLLATE "C" NOT NULL PRIMARY KEY, record text NOT NULL, review text);
CREATE FUNCTION sintra.stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END $$;
CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON sintra.events
    FOR EACH STATEMENT EXECUTE FUNCTION sintra.stay();
"""
"""What lasts. `COLLATE "C"` orders names as SQLite does, by their bytes."""

_SHARED: Final[LiteralString] = """
CREATE UNLOGGED TABLE sintra.processes (id text NOT NULL PRIMARY KEY, beat timestamptz NOT NULL)
    WITH (fillfactor = 50);
CREATE UNLOGGED TABLE sintra.attendance (
    game text COLLATE "C" NOT NULL,
    process text NOT NULL,
    seats integer NOT NULL,
    spectators integer NOT NULL,
    deal bytea NOT NULL,
    PRIMARY KEY (game, process)
);
CREATE INDEX attendance_deal ON sintra.attendance (deal);
CREATE INDEX attendance_process ON sintra.attendance (process);
CREATE UNLOGGED TABLE sintra.absences (
    game text COLLATE "C" NOT NULL PRIMARY KEY,
    present integer NOT NULL,
    first timestamptz,
    second timestamptz
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE sintra.clocks (
    game text COLLATE "C" NOT NULL PRIMARY KEY, seq integer NOT NULL, since timestamptz NOT NULL
) WITH (fillfactor = 50);
CREATE UNLOGGED TABLE sintra.reviewing (
    key text COLLATE "C" NOT NULL,
    process text NOT NULL,
    share double precision NOT NULL,
    ahead integer NOT NULL,
    PRIMARY KEY (key, process)
);
CREATE UNLOGGED TABLE sintra.buckets (
    what text NOT NULL,
    who bytea NOT NULL,
    amount double precision NOT NULL,
    at timestamptz NOT NULL,
    full_at timestamptz NOT NULL,
    PRIMARY KEY (what, who)
) WITH (fillfactor = 50);
CREATE FUNCTION sintra.living() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    SELECT id FROM sintra.processes WHERE beat > clock_timestamp() - interval '8 seconds'
$$;
CREATE FUNCTION sintra.forget(sender text, gone text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    games text[];
BEGIN
    DELETE FROM sintra.reviewing WHERE process = ANY (gone);
    WITH left_behind AS (DELETE FROM sintra.attendance WHERE process = ANY (gone) RETURNING game)
        SELECT array_agg(DISTINCT game) INTO games FROM left_behind;
    DELETE FROM sintra.absences AS a WHERE a.game = ANY (games)
        AND NOT EXISTS (SELECT FROM sintra.attendance AS b WHERE b.game = a.game);
    PERFORM sintra.tell(sender, '-', one) FROM unnest(games) AS one;
END $$;
CREATE FUNCTION sintra.bury(OUT buried integer) LANGUAGE plpgsql AS $$
DECLARE
    gone text[];
BEGIN
    WITH dead AS (
        DELETE FROM sintra.processes WHERE id IN (
            SELECT id FROM sintra.processes WHERE beat <= clock_timestamp() - interval '8 seconds'
            FOR UPDATE SKIP LOCKED
        ) RETURNING id
    ) SELECT array_agg(id), count(*) INTO gone, buried FROM dead;
    IF buried > 0 THEN
        PERFORM sintra.forget('', gone);
        PERFORM sintra.tell('', '*', '');
    END IF;
END $$;
CREATE FUNCTION sintra.come(me text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    known boolean;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('come', 3));
    UPDATE sintra.processes SET beat = clock_timestamp() WHERE id = me;
    known := FOUND;
    PERFORM sintra.bury();
    IF NOT known AND NOT EXISTS (SELECT FROM sintra.processes WHERE id <> me) THEN
        DELETE FROM sintra.clocks;
        DELETE FROM sintra.attendance;
        DELETE FROM sintra.absences;
        DELETE FROM sintra.reviewing;
    END IF;
    INSERT INTO sintra.processes (id, beat) VALUES (me, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET beat = excluded.beat;
END $$;
CREATE FUNCTION sintra.beat(me text, OUT known boolean) LANGUAGE plpgsql AS $$
BEGIN
    UPDATE sintra.processes SET beat = clock_timestamp() WHERE id = me;
    known := FOUND;
    IF NOT known THEN
        PERFORM sintra.come(me);
    END IF;
    PERFORM sintra.bury();
END $$;
CREATE FUNCTION sintra.tidy() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM sintra.buckets WHERE (what, who) IN (
        SELECT what, who FROM sintra.buckets WHERE full_at < clock_timestamp() FOR UPDATE SKIP LOCKED
    );
    DELETE FROM sintra.clocks WHERE since < clock_timestamp() - interval '30 days';
    DELETE FROM sintra.attendance WHERE process NOT IN (SELECT id FROM sintra.processes);
    DELETE FROM sintra.reviewing WHERE process NOT IN (SELECT id FROM sintra.processes);
END $$;
CREATE FUNCTION sintra.go(me text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM sintra.processes WHERE id = me;
    PERFORM sintra.forget(me, ARRAY[me]);
END $$;
CREATE FUNCTION sintra.attend(
    me text, the_game text, here integer, watching integer, counting boolean, the_deal bytea,
    OUT elsewhere integer, OUT spectators_elsewhere integer, OUT first_away double precision,
    OUT second_away double precision
) LANGUAGE plpgsql AS $$
DECLARE
    now_here integer;
    was sintra.absences;
    moved boolean;
    told boolean;
    first_since timestamptz;
    second_since timestamptz;
    moment timestamptz;
BEGIN
    PERFORM sintra.lock_game(the_game);
    IF here = 0 AND watching = 0 THEN
        DELETE FROM sintra.attendance WHERE game = the_game AND process = me;
        told := FOUND;
    ELSE
        INSERT INTO sintra.attendance AS a (game, process, seats, spectators, deal)
            VALUES (the_game, me, here, watching, the_deal)
            ON CONFLICT (game, process) DO UPDATE
            SET seats = excluded.seats, spectators = excluded.spectators, deal = excluded.deal
            WHERE (a.seats, a.spectators, a.deal) <> (excluded.seats, excluded.spectators, excluded.deal);
        told := FOUND;
    END IF;
    IF told THEN
        PERFORM sintra.tell(me, '-', the_game);
    END IF;
    SELECT coalesce(bit_or(seats), 0), coalesce(sum(spectators), 0) INTO elsewhere, spectators_elsewhere
        FROM sintra.attendance WHERE game = the_game AND process <> me AND process IN (SELECT sintra.living());
    now_here := here | elsewhere;
    moment := clock_timestamp();
    SELECT * INTO was FROM sintra.absences WHERE game = the_game;
    moved := NOT FOUND OR was.present <> now_here;
    IF counting AND now_here = 2 THEN
        first_since := CASE WHEN moved THEN moment ELSE coalesce(was.first, moment) END;
    END IF;
    IF counting AND now_here = 1 THEN
        second_since := CASE WHEN moved THEN moment ELSE coalesce(was.second, moment) END;
    END IF;
    IF now_here = 0 THEN
        DELETE FROM sintra.absences WHERE game = the_game;
    ELSIF moved OR (was.first, was.second) IS DISTINCT FROM (first_since, second_since) THEN
        INSERT INTO sintra.absences (game, present, first, second)
            VALUES (the_game, now_here, first_since, second_since)
            ON CONFLICT (game) DO UPDATE
            SET present = excluded.present, first = excluded.first, second = excluded.second;
    END IF;
    first_away := extract(epoch FROM moment - first_since);
    second_away := extract(epoch FROM moment - second_since);
END $$;
CREATE FUNCTION sintra.clock(the_game text, the_seq integer, start boolean) RETURNS double precision
LANGUAGE plpgsql AS $$
BEGIN
    IF start THEN
        INSERT INTO sintra.clocks AS c (game, seq, since) VALUES (the_game, the_seq, clock_timestamp())
            ON CONFLICT (game) DO UPDATE SET seq = excluded.seq, since = clock_timestamp() WHERE c.seq < excluded.seq;
    END IF;
    RETURN (
        SELECT greatest(0, extract(epoch FROM clock_timestamp() - since)) FROM sintra.clocks
        WHERE game = the_game AND seq = the_seq
    );
END $$;
CREATE FUNCTION sintra.draw(
    the_what text, the_who bytea, a_minute double precision, at_once integer, block integer,
    OUT granted integer, OUT wait double precision
) LANGUAGE plpgsql AS $$
DECLARE
    was sintra.buckets;
    moment timestamptz;
    now_left double precision;
BEGIN
    INSERT INTO sintra.buckets (what, who, amount, at, full_at)
        VALUES (the_what, the_who, at_once, clock_timestamp(), clock_timestamp()) ON CONFLICT (what, who) DO NOTHING;
    SELECT * INTO was FROM sintra.buckets WHERE what = the_what AND who = the_who FOR UPDATE;
    moment := greatest(clock_timestamp(), was.at);
    now_left := least(at_once, coalesce(was.amount, at_once)
        + coalesce(extract(epoch FROM moment - was.at), 0) * a_minute / 60);
    granted := least(block, floor(now_left))::integer;
    wait := CASE WHEN granted > 0 THEN 0 ELSE (1 - now_left) * 60 / a_minute END;
    now_left := now_left - granted;
    UPDATE sintra.buckets SET amount = now_left, at = moment,
        full_at = moment + make_interval(secs => (at_once - now_left) * 60 / a_minute)
        WHERE what = the_what AND who = the_who;
END $$;
"""
"""What is true only while processes run. A process whose heart has not beaten for eight seconds is dead; seat 0 has
the bit 1 and seat 1 the bit 2. Rows that change often have room beside them for what they change into."""

_WRITING: Final[LiteralString] = """
CREATE OR REPLACE FUNCTION sintra.tell(sender text, what text, the_game text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_notify('sintra', sender || ' ' || what || ' ' || the_game)
$$;
CREATE OR REPLACE FUNCTION sintra.lock_game(the_game text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended(the_game, 1))
$$;
CREATE OR REPLACE FUNCTION sintra.append_all(
    sender text, games text[], seqs integer[], posts text[], ats text[], acts text[], OUT kept integer[]
) LANGUAGE plpgsql AS $$
BEGIN
    kept := '{}';
    FOR k IN 1 .. cardinality(games) LOOP
        INSERT INTO sintra.events (game, seq, post, at, act)
            VALUES (games[k], seqs[k], posts[k], ats[k], acts[k]) ON CONFLICT DO NOTHING;
        IF FOUND THEN
            kept := kept || k;
            PERFORM sintra.tell(sender, seqs[k]::text, games[k]);
        END IF;
    END LOOP;
END $$;
CREATE OR REPLACE PROCEDURE sintra.put_game(
    the_game text, seqs integer[], posts text[], ats text[], acts text[], hashes bytea[], roles text[], names text[],
    sender text, before text, the_seq integer, the_post text, the_at text, the_act text
) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO sintra.events (game, seq, post, at, act)
        SELECT the_game, one.* FROM unnest(seqs, posts, ats, acts) AS one;
    INSERT INTO sintra.secrets (game, hash, role, name)
        SELECT the_game, one.* FROM unnest(hashes, roles, names) AS one;
    IF before IS NOT NULL THEN
        INSERT INTO sintra.events (game, seq, post, at, act) VALUES (before, the_seq, the_post, the_at, the_act);
        PERFORM sintra.tell(sender, the_seq::text, before);
    END IF;
END $$;
CREATE OR REPLACE FUNCTION sintra.invite(the_game text, the_hash bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    INSERT INTO sintra.secrets (game, hash, role) SELECT the_game, the_hash, 'invitation'
        WHERE NOT EXISTS (SELECT FROM sintra.secrets WHERE game = the_game AND role = 'friend');
    RETURN FOUND;
END $$;
CREATE OR REPLACE FUNCTION sintra.arrive(the_game text, invitation bytea, the_hash bytea, the_name text)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    INSERT INTO sintra.secrets (game, hash, role, name) SELECT game, the_hash, 'arrived', the_name FROM sintra.secrets
        WHERE game = the_game AND hash = invitation AND role = 'invitation'
        AND NOT EXISTS (SELECT FROM sintra.secrets WHERE game = the_game AND role = 'friend');
    RETURN FOUND;
END $$;
CREATE OR REPLACE PROCEDURE sintra.sit(
    sender text, the_game text, the_hash bytea, the_seq integer, the_post text, the_at text, the_act text,
    INOUT seated boolean
) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    UPDATE sintra.secrets SET role = 'friend' WHERE game = the_game AND hash = the_hash AND role = 'arrived';
    seated := FOUND;
    IF NOT seated THEN
        RETURN;
    END IF;
    UPDATE sintra.secrets SET role = CASE role WHEN 'arrived' THEN 'late' ELSE 'lapsed' END
        WHERE game = the_game AND role IN ('arrived', 'invitation');
    IF the_seq IS NOT NULL THEN
        INSERT INTO sintra.events (game, seq, post, at, act) VALUES (the_game, the_seq, the_post, the_at, the_act);
        PERFORM sintra.tell(sender, the_seq::text, the_game);
    END IF;
END $$;
"""
"""What reads what others may be writing locks the game first: each statement after that sees all that was written
until then. An event is told in its own transaction: who hears of it finds it, and none is written untold."""

_STARTS: Final[LiteralString] = """
CREATE TABLE sintra.starts (game text COLLATE "C" NOT NULL PRIMARY KEY, start bytea NOT NULL);
CREATE INDEX starts_start ON sintra.starts (start);
CREATE PROCEDURE sintra.add_game(
    the_start bytea, the_game text, seqs integer[], posts text[], ats text[], acts text[], hashes bytea[],
    roles text[], names text[], sender text, before text, the_seq integer, the_post text, the_at text, the_act text
) LANGUAGE plpgsql AS $$
BEGIN
    CALL sintra.put_game(the_game, seqs, posts, ats, acts, hashes, roles, names, sender, before, the_seq, the_post,
        the_at, the_act);
    IF the_start IS NOT NULL THEN
        INSERT INTO sintra.starts (game, start) VALUES (the_game, the_start);
    END IF;
END $$;
"""
"""How each game began, so that it is found by that (`fingerprints.start_of`)."""

_CHANGES: Final[tuple[tuple[LiteralString, ...], ...]] = ((_KEPT, _SHARED), (_WRITING,), (_STARTS,))
"""What makes each schema from the one before; the first is made from nothing. Processes of the version before may run
on: what they call stays."""


async def prepare_schema(db: AsyncConnection[Any], where: str, may_be_empty: bool = True) -> None:
    """Makes the tables, or today's of older ones. Of several processes that start at once, one does."""
    major = db.info.server_version // 10000
    if major < OLDEST:
        raise StorageError(
            f"cannot use the database at {where}: it is PostgreSQL {major}, it must be {OLDEST} or later"
        )
    encoding = db.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StorageError(
            f"cannot use the database at {where}: its encoding is {encoding}, it must be UTF8 (createdb -E UTF8)"
        )
    version = await _schema(db, where)
    if version == POSTGRES_SCHEMA:
        return
    if version == 0 and not may_be_empty:
        raise StorageError(f"the database at {where} has nothing of Sintra in it: check its name")
    async with db.transaction():
        await db.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        version = await _schema(db, where)
        if version == POSTGRES_SCHEMA:
            return
        if version == 0 and not await _is_there(db):
            await db.execute("CREATE SCHEMA sintra")
        for change in _CHANGES[version:]:
            for statements in change:
                await db.execute(statements, prepare=False)
        if version == 0:
            await db.execute("INSERT INTO sintra.about (program, schema) VALUES ('sintra', 0)")
        await _keep_starts(db)
        await db.execute("UPDATE sintra.about SET schema = %s", (POSTGRES_SCHEMA,))


async def _keep_starts(db: AsyncConnection[Any]) -> None:
    """Keeps the starts of games that are there without: those of earlier versions."""
    found = await db.execute(
        "SELECT game, seq, post, at, act FROM sintra.events"
        " WHERE seq = 0 AND game NOT IN (SELECT game FROM sintra.starts)"
    )
    starts = [(game, start) for game, *first in await found.fetchall() if (start := start_of([Stored(*first)]))]
    async with db.cursor() as cursor:
        await cursor.executemany("INSERT INTO sintra.starts (game, start) VALUES (%s, %s)", starts)


async def _is_there(db: AsyncConnection[Any]) -> bool:
    found = await db.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'sintra'")
    return await found.fetchone() is not None


async def _schema(db: AsyncConnection[Any], where: str) -> int:
    """The number of the tables that are there, 0 if there are none; those of others or unknown ones are refused. One
    statement sees what is there: another process may be making it just now."""
    found = await db.execute(
        "SELECT (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
        " WHERE n.nspname = 'sintra' AND c.relname = 'about'),"
        " EXISTS (SELECT FROM pg_namespace n WHERE n.nspname = 'sintra' AND (EXISTS (SELECT FROM pg_class c"
        " WHERE c.relnamespace = n.oid) OR EXISTS (SELECT FROM pg_proc p WHERE p.pronamespace = n.oid)))"
    )
    ((columns, is_used),) = await found.fetchall()
    if not is_used:
        return 0
    if columns != ["program", "schema"]:
        raise _foreign(where)
    found = await db.execute("SELECT program, schema FROM sintra.about")
    rows = await found.fetchall()
    if len(rows) != 1 or rows[0][0] != "sintra":
        raise _foreign(where)
    version = int(rows[0][1])
    if not 1 <= version <= POSTGRES_SCHEMA:
        raise StorageError(
            f"the database at {where} has schema {version}, this version of Sintra knows {POSTGRES_SCHEMA}: "
            f"use the newer one that was used with it, or another database (--database)"
        )
    return version


def _foreign(where: str) -> StorageError:
    return StorageError(
        f"cannot use the database at {where}: its schema sintra belongs to another program; "
        f"choose another database (--database)"
    )
