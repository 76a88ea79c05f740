SET check_function_bodies = false;
CREATE SCHEMA sintra;
CREATE FUNCTION sintra.append_all(sender text, games text[], seqs integer[], posts text[], ats text[], acts text[], OUT kept integer[]) RETURNS integer[]
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.arrive(the_game text, invitation bytea, the_hash bytea, the_name text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    INSERT INTO sintra.secrets (game, hash, role, name) SELECT game, the_hash, 'arrived', the_name FROM sintra.secrets
        WHERE game = the_game AND hash = invitation AND role = 'invitation'
        AND NOT EXISTS (SELECT FROM sintra.secrets WHERE game = the_game AND role = 'friend');
    RETURN FOUND;
END $$;
CREATE FUNCTION sintra.attend(me text, the_game text, here integer, watching integer, counting boolean, the_deal bytea, OUT elsewhere integer, OUT spectators_elsewhere integer, OUT first_away double precision, OUT second_away double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.beat(me text, OUT known boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE sintra.processes SET beat = clock_timestamp() WHERE id = me;
    known := FOUND;
    IF NOT known THEN
        PERFORM sintra.come(me);
    END IF;
    PERFORM sintra.bury();
END $$;
CREATE FUNCTION sintra.bury(OUT buried integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.clock(the_game text, the_seq integer, start boolean) RETURNS double precision
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.come(me text) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.draw(the_what text, the_who bytea, a_minute double precision, at_once integer, block integer, OUT granted integer, OUT wait double precision) RETURNS record
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.forget(sender text, gone text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.go(me text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM sintra.processes WHERE id = me;
    PERFORM sintra.forget(me, ARRAY[me]);
END $$;
CREATE FUNCTION sintra.invite(the_game text, the_hash bytea) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM sintra.lock_game(the_game);
    INSERT INTO sintra.secrets (game, hash, role) SELECT the_game, the_hash, 'invitation'
        WHERE NOT EXISTS (SELECT FROM sintra.secrets WHERE game = the_game AND role = 'friend');
    RETURN FOUND;
END $$;
CREATE FUNCTION sintra.living() RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
    SELECT id FROM sintra.processes WHERE beat > clock_timestamp() - interval '8 seconds'
$$;
CREATE FUNCTION sintra.lock_game(the_game text) RETURNS void
    LANGUAGE sql
    AS $$
    SELECT pg_advisory_xact_lock(hashtextextended(the_game, 1))
$$;
CREATE PROCEDURE sintra.put_game(IN the_game text, IN seqs integer[], IN posts text[], IN ats text[], IN acts text[], IN hashes bytea[], IN roles text[], IN names text[], IN sender text, IN before text, IN the_seq integer, IN the_post text, IN the_at text, IN the_act text)
    LANGUAGE plpgsql
    AS $$
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
CREATE PROCEDURE sintra.sit(IN sender text, IN the_game text, IN the_hash bytea, IN the_seq integer, IN the_post text, IN the_at text, IN the_act text, INOUT seated boolean)
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION sintra.stay() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END $$;
CREATE FUNCTION sintra.tell(sender text, what text, the_game text) RETURNS void
    LANGUAGE sql
    AS $$
    SELECT pg_notify('sintra', sender || ' ' || what || ' ' || the_game)
$$;
CREATE FUNCTION sintra.tidy() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM sintra.buckets WHERE (what, who) IN (
        SELECT what, who FROM sintra.buckets WHERE full_at < clock_timestamp() FOR UPDATE SKIP LOCKED
    );
    DELETE FROM sintra.clocks WHERE since < clock_timestamp() - interval '30 days';
    DELETE FROM sintra.attendance WHERE process NOT IN (SELECT id FROM sintra.processes);
    DELETE FROM sintra.reviewing WHERE process NOT IN (SELECT id FROM sintra.processes);
END $$;
CREATE TABLE sintra.about (
    program text NOT NULL,
    schema integer NOT NULL
);
CREATE UNLOGGED TABLE sintra.absences (
    game text NOT NULL COLLATE pg_catalog."C",
    present integer NOT NULL,
    first timestamp with time zone,
    second timestamp with time zone
)
WITH (fillfactor='50');
CREATE UNLOGGED TABLE sintra.attendance (
    game text NOT NULL COLLATE pg_catalog."C",
    process text NOT NULL,
    seats integer NOT NULL,
    spectators integer NOT NULL,
    deal bytea NOT NULL
);
CREATE UNLOGGED TABLE sintra.buckets (
    what text NOT NULL,
    who bytea NOT NULL,
    amount double precision NOT NULL,
    at timestamp with time zone NOT NULL,
    full_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE UNLOGGED TABLE sintra.clocks (
    game text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    since timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE sintra.events (
    game text NOT NULL COLLATE pg_catalog."C",
    seq integer NOT NULL,
    post text COLLATE pg_catalog."C",
    at text NOT NULL,
    act text NOT NULL,
    CONSTRAINT events_seq_check CHECK ((seq >= 0))
);
CREATE UNLOGGED TABLE sintra.processes (
    id text NOT NULL,
    beat timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE UNLOGGED TABLE sintra.reviewing (
    key text NOT NULL COLLATE pg_catalog."C",
    process text NOT NULL,
    share double precision NOT NULL,
    ahead integer NOT NULL
);
CREATE TABLE sintra.reviews (
    key text NOT NULL COLLATE pg_catalog."C",
    record text NOT NULL,
    review text
);
CREATE TABLE sintra.secrets (
    game text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    role text NOT NULL,
    name text DEFAULT ''::text NOT NULL
);
INSERT INTO sintra.about VALUES ('sintra', 2);
INSERT INTO sintra.events VALUES ('a', 0, NULL, '2026-01-01T00:00:00.000Z', '{"kind":"created","seed":3,"mood":3,"mode":"local","names":["Ann","Ben α"],"goals":[],"goal_count":3,"options":{"draw_at_zero":"forced","special_is_color":true}}');
INSERT INTO sintra.events VALUES ('a', 1, 'post 1', '2026-01-01T00:00:00.000Z', '{"kind":"move","seat":1,"token":"P13@32r2"}');
INSERT INTO sintra.events VALUES ('a', 2, 'post 2', '2026-01-01T00:00:00.000Z', '{"kind":"move","seat":0,"token":"P11@11r3"}');
INSERT INTO sintra.events VALUES ('a', 3, 'post 3', '2026-01-01T00:00:00.000Z', '{"kind":"move","seat":0,"token":"S2Tx:YY"}');
INSERT INTO sintra.events VALUES ('a', 4, 'post 4', '2026-01-01T00:00:00.000Z', '{"kind":"move","seat":1,"token":"P08@11r2"}');
INSERT INTO sintra.events VALUES ('b', 0, NULL, '2026-01-01T00:00:00.000Z', '{}');
INSERT INTO sintra.secrets VALUES ('a', '\x616e6e', 'own', '');
ALTER TABLE ONLY sintra.absences
    ADD CONSTRAINT absences_pkey PRIMARY KEY (game);
ALTER TABLE ONLY sintra.attendance
    ADD CONSTRAINT attendance_pkey PRIMARY KEY (game, process);
ALTER TABLE ONLY sintra.buckets
    ADD CONSTRAINT buckets_pkey PRIMARY KEY (what, who);
ALTER TABLE ONLY sintra.clocks
    ADD CONSTRAINT clocks_pkey PRIMARY KEY (game);
ALTER TABLE ONLY sintra.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (game, seq);
ALTER TABLE ONLY sintra.processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (id);
ALTER TABLE ONLY sintra.reviewing
    ADD CONSTRAINT reviewing_pkey PRIMARY KEY (key, process);
ALTER TABLE ONLY sintra.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (key);
ALTER TABLE ONLY sintra.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (game, hash);
CREATE INDEX attendance_deal ON sintra.attendance USING btree (deal);
CREATE INDEX attendance_process ON sintra.attendance USING btree (process);
CREATE UNIQUE INDEX events_post ON sintra.events USING btree (game, post) WHERE (post IS NOT NULL);
CREATE TRIGGER events_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON sintra.events FOR EACH STATEMENT EXECUTE FUNCTION sintra.stay();
