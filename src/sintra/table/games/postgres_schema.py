"""The tables and functions in a PostgreSQL database: whose they are, and how older ones become today's.

Everything lies in a schema of its own, `sintra`. What is there of another program is refused and left untouched.
A function does what takes several steps, so that one round trip is enough; the time is always the database's.
"""

from __future__ import annotations

from typing import Any, Final, LiteralString

from psycopg import AsyncConnection

from sintra.table.games.fingerprints import start_of
from sintra.table.games.storage import StorageError, Stored

POSTGRES_SCHEMA: Final = 5
"""The number of today's schema."""
MIN_SERVER_VERSION: Final = 14
"""The oldest major version of PostgreSQL that is supported."""
LEASE_LOST: Final = "SI001"
"""The SQLSTATE with which a write is refused whose process does not own the game."""
_MIGRATION_LOCK: Final = 0x53494E5452410000
"""The advisory lock that is held while tables are made."""
_WITH_STARTS: Final = 3
"""The first schema with the table `starts`."""

_DURABLE: Final[LiteralString] = """
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
CREATE FUNCTION sintra.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END $$;
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON sintra.events
    FOR EACH STATEMENT EXECUTE FUNCTION sintra.refuse_change();
"""
"""The durable tables, which every schema has. `COLLATE "C"` orders names as SQLite does, by their bytes."""

_RENAME_TRIGGER: Final[LiteralString] = """
ALTER FUNCTION sintra.stay() RENAME TO refuse_change;
ALTER TRIGGER events_stay ON sintra.events RENAME TO events_append_only;
"""
"""Gives the append-only trigger of an earlier schema its name of today."""

_STARTS: Final[LiteralString] = """
CREATE TABLE sintra.starts (game text COLLATE "C" NOT NULL PRIMARY KEY, start bytea NOT NULL);
CREATE INDEX starts_start ON sintra.starts (start);
"""
"""The keys under which games are found by their starts (`fingerprints.start_of`)."""

_DROP: Final[LiteralString] = """
DO $$
DECLARE
    old record;
BEGIN
    FOR old IN SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = 'sintra'::regnamespace AND proname <> 'refuse_change'
    LOOP
        EXECUTE 'DROP ROUTINE ' || old.name;
    END LOOP;
    FOR old IN SELECT oid::regclass AS name FROM pg_class
        WHERE relnamespace = 'sintra'::regnamespace AND relkind = 'r'
        AND (relpersistence = 'u' OR relname IN ('token', 'processes', 'owners'))
    LOOP
        EXECUTE 'DROP TABLE ' || old.name;
    END LOOP;
END $$;
"""
"""Drops all of an earlier schema that is not durable: its routines, and the tables of its processes. A process of an
earlier version can write nothing from then on."""

_LEASES: Final[LiteralString] = """
CREATE TABLE sintra.token (token text NOT NULL);
INSERT INTO sintra.token (token) VALUES (gen_random_uuid()::text || gen_random_uuid()::text);
CREATE TABLE sintra.processes (id text NOT NULL PRIMARY KEY, address text NOT NULL, beat timestamptz NOT NULL)
    WITH (fillfactor = 50);
CREATE TABLE sintra.owners (name text COLLATE "C" NOT NULL PRIMARY KEY, process text NOT NULL);
CREATE INDEX owners_process ON sintra.owners (process);
CREATE FUNCTION sintra.lock_game(the_game text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock(hashtextextended(the_game, 1))
$$;
CREATE FUNCTION sintra.lock_process(me text) RETURNS boolean LANGUAGE sql AS $$
    SELECT pg_try_advisory_lock(hashtextextended(me, 2))
$$;
CREATE FUNCTION sintra.is_gone(one text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    age interval;
BEGIN
    SELECT clock_timestamp() - beat INTO age FROM sintra.processes WHERE id = one;
    IF age IS NULL THEN
        RETURN true;
    END IF;
    IF pg_postmaster_start_time() > clock_timestamp() - interval '10 seconds' OR age < interval '1.5 seconds' THEN
        RETURN false;
    END IF;
    RETURN age > interval '8 seconds' OR pg_try_advisory_xact_lock_shared(hashtextextended(one, 2));
END $$;
CREATE FUNCTION sintra.register(me text, at text) RETURNS text LANGUAGE sql AS $$
    INSERT INTO sintra.processes (id, address, beat) VALUES (me, at, clock_timestamp());
    SELECT token FROM sintra.token
$$;
CREATE FUNCTION sintra.heartbeat(me text, OUT is_known boolean, OUT living text[]) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_process(me);
    UPDATE sintra.processes SET beat = clock_timestamp() WHERE id = me;
    is_known := FOUND;
    SELECT coalesce(array_agg(id), '{}') INTO living FROM sintra.processes WHERE id = me OR NOT sintra.is_gone(id);
END $$;
CREATE FUNCTION sintra.deregister(me text) RETURNS void LANGUAGE sql AS $$
    DELETE FROM sintra.owners WHERE process = me;
    DELETE FROM sintra.processes WHERE id = me
$$;
CREATE FUNCTION sintra.reap() RETURNS void LANGUAGE sql AS $$
    DELETE FROM sintra.processes WHERE beat < clock_timestamp() - interval '1 minute';
    DELETE FROM sintra.owners WHERE process NOT IN (SELECT id FROM sintra.processes)
$$;
CREATE FUNCTION sintra.take_lease(me text, the_name text, OUT owner text, OUT at text) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_name);
    SELECT process, address INTO owner, at FROM sintra.owners LEFT JOIN sintra.processes ON id = process
        WHERE name = the_name;
    IF owner = me OR NOT sintra.is_gone(owner) THEN
        RETURN;
    END IF;
    DELETE FROM sintra.processes WHERE id = owner;
    INSERT INTO sintra.owners (name, process) VALUES (the_name, me)
        ON CONFLICT (name) DO UPDATE SET process = excluded.process;
    owner := me;
END $$;
CREATE FUNCTION sintra.take_game(me text, the_game text, OUT owner text, OUT at text) LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM sintra.events WHERE game = the_game) THEN
        SELECT taken.owner, taken.at INTO owner, at FROM sintra.take_lease(me, the_game) AS taken;
    END IF;
END $$;
CREATE FUNCTION sintra.require_owner(me text, the_game text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    IF EXISTS (SELECT FROM sintra.owners WHERE name = the_game AND process <> me) THEN
        RAISE EXCEPTION 'another process owns game %', the_game USING ERRCODE = 'SI001';
    END IF;
END $$;
"""
"""Processes and their leases. A process is dead if it is not registered, if no heartbeat of it came for eight seconds,
or if none came for a moment and nobody holds its session lock; but the lock does not count in the first seconds after
the server was started. Every heartbeat takes the lock again, in case somebody was just testing it. Whoever takes a
lease from a dead process deregisters it, so that it learns of that if it was not dead. `require_owner` is the fence:
nobody writes to a game that another process owns, and a takeover waits for the writes that were let through."""

_GAMES: Final[LiteralString] = """
CREATE FUNCTION sintra.append(
    me text, the_game text, the_seq integer, the_post text, the_at text, the_act text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.require_owner(me, the_game);
    INSERT INTO sintra.events (game, seq, post, at, act) VALUES (the_game, the_seq, the_post, the_at, the_act);
END $$;
CREATE FUNCTION sintra.add_game(
    me text, the_start bytea, the_game text, seqs integer[], posts text[], ats text[], acts text[], hashes bytea[],
    roles text[], names text[], before text, the_seq integer, the_post text, the_at text, the_act text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO sintra.events (game, seq, post, at, act)
        SELECT the_game, one.* FROM unnest(seqs, posts, ats, acts) AS one;
    INSERT INTO sintra.secrets (game, hash, role, name)
        SELECT the_game, one.* FROM unnest(hashes, roles, names) AS one;
    INSERT INTO sintra.starts (game, start) SELECT the_game, the_start WHERE the_start IS NOT NULL;
    INSERT INTO sintra.owners (name, process) SELECT the_game, id FROM sintra.processes WHERE id = me;
    IF before IS NOT NULL THEN
        PERFORM sintra.append(me, before, the_seq, the_post, the_at, the_act);
    END IF;
END $$;
CREATE FUNCTION sintra.invite(the_game text, the_hash bytea) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    INSERT INTO sintra.secrets (game, hash, role) SELECT the_game, the_hash, 'invitation'
        WHERE NOT EXISTS (SELECT FROM sintra.secrets WHERE game = the_game AND role = 'friend');
    RETURN FOUND;
END $$;
CREATE FUNCTION sintra.arrive(the_game text, invitation bytea, the_hash bytea, the_name text)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    INSERT INTO sintra.secrets (game, hash, role, name) SELECT game, the_hash, 'arrived', the_name FROM sintra.secrets
        WHERE game = the_game AND hash = invitation AND role = 'invitation'
        AND NOT EXISTS (SELECT FROM sintra.secrets WHERE game = the_game AND role = 'friend');
    RETURN FOUND;
END $$;
CREATE FUNCTION sintra.sit(
    me text, the_game text, the_hash bytea, the_seq integer, the_post text, the_at text, the_act text
) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.require_owner(me, the_game);
    UPDATE sintra.secrets SET role = 'friend' WHERE game = the_game AND hash = the_hash AND role = 'arrived';
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE sintra.secrets SET role = CASE role WHEN 'arrived' THEN 'late' ELSE 'lapsed' END
        WHERE game = the_game AND role IN ('arrived', 'invitation');
    INSERT INTO sintra.events (game, seq, post, at, act)
        SELECT the_game, the_seq, the_post, the_at, the_act WHERE the_seq IS NOT NULL;
    RETURN true;
END $$;
"""
"""Functions for what takes several statements. One that reads what others may be writing locks the game first: each
statement after that sees all that was written until then."""


async def prepare_schema(db: AsyncConnection[Any], where: str, may_be_empty: bool = True) -> None:
    """Makes the tables, or migrates older ones. Of several processes that start at once, one does."""
    major = db.info.server_version // 10000
    if major < MIN_SERVER_VERSION:
        raise StorageError(
            f"cannot use the database at {where}: it is PostgreSQL {major}, it must be {MIN_SERVER_VERSION} or later"
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
        await db.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATION_LOCK,))
        version = await _schema(db, where)
        if version == POSTGRES_SCHEMA:
            return
        if version:
            await db.execute(_RENAME_TRIGGER, prepare=False)
            await db.execute(_DROP, prepare=False)
        else:
            if not await _is_there(db):
                await db.execute("CREATE SCHEMA sintra")
            await db.execute(_DURABLE, prepare=False)
            await db.execute("INSERT INTO sintra.about (program, schema) VALUES ('sintra', 0)")
        if version < _WITH_STARTS:
            await db.execute(_STARTS, prepare=False)
        await _add_starts(db)
        await db.execute(_LEASES, prepare=False)
        await db.execute(_GAMES, prepare=False)
        await db.execute("UPDATE sintra.about SET schema = %s", (POSTGRES_SCHEMA,))


async def _add_starts(db: AsyncConnection[Any]) -> None:
    """Adds the starts of games that have none: those of earlier versions."""
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
