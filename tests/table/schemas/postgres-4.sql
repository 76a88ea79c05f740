-- What the fourth schema had beside what is kept: run after postgres-2.sql and postgres-3.sql.
DO $$
DECLARE
    old record;
BEGIN
    FOR old IN SELECT oid::regprocedure AS name FROM pg_proc
        WHERE pronamespace = 'sintra'::regnamespace AND proname <> 'stay'
    LOOP
        EXECUTE 'DROP ROUTINE ' || old.name;
    END LOOP;
    FOR old IN SELECT oid::regclass AS name FROM pg_class
        WHERE relnamespace = 'sintra'::regnamespace AND relkind = 'r' AND relpersistence = 'u'
    LOOP
        EXECUTE 'DROP TABLE ' || old.name;
    END LOOP;
END $$;
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
CREATE FUNCTION sintra.come(me text, at text) RETURNS text LANGUAGE sql AS $$
    INSERT INTO sintra.processes (id, address, beat) VALUES (me, at, clock_timestamp());
    SELECT token FROM sintra.token
$$;
CREATE FUNCTION sintra.beat(me text, OUT is_known boolean, OUT living text[]) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_process(me);
    UPDATE sintra.processes SET beat = clock_timestamp() WHERE id = me;
    is_known := FOUND;
    SELECT coalesce(array_agg(id), '{}') INTO living FROM sintra.processes WHERE id = me OR NOT sintra.is_gone(id);
END $$;
CREATE FUNCTION sintra.go(me text) RETURNS void LANGUAGE sql AS $$
    DELETE FROM sintra.owners WHERE process = me;
    DELETE FROM sintra.processes WHERE id = me
$$;
CREATE FUNCTION sintra.tidy() RETURNS void LANGUAGE sql AS $$
    DELETE FROM sintra.processes WHERE beat < clock_timestamp() - interval '1 minute';
    DELETE FROM sintra.owners WHERE process NOT IN (SELECT id FROM sintra.processes)
$$;
CREATE FUNCTION sintra.take(me text, the_name text, OUT owner text, OUT at text) LANGUAGE plpgsql AS $$
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
        SELECT taken.owner, taken.at INTO owner, at FROM sintra.take(me, the_game) AS taken;
    END IF;
END $$;
CREATE FUNCTION sintra.hold(me text, the_game text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    IF EXISTS (SELECT FROM sintra.owners WHERE name = the_game AND process <> me) THEN
        RAISE EXCEPTION 'another process owns game %', the_game USING ERRCODE = 'SI001';
    END IF;
END $$;
CREATE FUNCTION sintra.append(
    me text, the_game text, the_seq integer, the_post text, the_at text, the_act text
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM sintra.hold(me, the_game);
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
    PERFORM sintra.hold(me, the_game);
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
INSERT INTO sintra.processes (id, address, beat) VALUES ('an old process', '127.0.0.1:1', clock_timestamp());
INSERT INTO sintra.owners (name, process) SELECT DISTINCT game, 'an old process' FROM sintra.events;
UPDATE sintra.about SET schema = 4;
