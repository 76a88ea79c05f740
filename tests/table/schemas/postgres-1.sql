-- As version 1 of the schema was dumped, with the bodies of its routines left out: they are dropped unread.
SET check_function_bodies = false;
CREATE SCHEMA sintra;
CREATE PROCEDURE sintra.append(IN sender text, IN the_game text, IN the_seq integer, IN the_post text, IN the_at text, IN the_act text) LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.arrive(the_game text, invitation bytea, the_hash bytea, the_name text) RETURNS boolean LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.attend(me text, the_game text, here integer, watching integer, counting boolean, the_deal bytea, OUT elsewhere integer, OUT spectators_elsewhere integer, OUT first_away double precision, OUT second_away double precision) RETURNS record LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.beat(me text, OUT known boolean) RETURNS boolean LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.bury(OUT buried integer) RETURNS integer LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.clock(the_game text, the_seq integer, start boolean) RETURNS double precision LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.come(me text) RETURNS void LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.draw(the_what text, the_who bytea, a_minute double precision, at_once integer, block integer, OUT granted integer, OUT wait double precision) RETURNS record LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.forget(sender text, gone text[]) RETURNS void LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.go(me text) RETURNS void LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.invite(the_game text, the_hash bytea) RETURNS boolean LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.living() RETURNS SETOF text LANGUAGE sql STABLE AS $$ left out $$;
CREATE FUNCTION sintra.lock_game(the_game text) RETURNS void LANGUAGE sql AS $$ left out $$;
CREATE PROCEDURE sintra.put_game(IN the_game text, IN seqs integer[], IN posts text[], IN ats text[], IN acts text[], IN hashes bytea[], IN roles text[], IN names text[], IN sender text, IN before text, IN the_seq integer, IN the_post text, IN the_at text, IN the_act text) LANGUAGE plpgsql AS $$ left out $$;
CREATE PROCEDURE sintra.sit(IN sender text, IN the_game text, IN the_hash bytea, IN the_seq integer, IN the_post text, IN the_at text, IN the_act text, INOUT seated boolean) LANGUAGE plpgsql AS $$ left out $$;
CREATE FUNCTION sintra.stay() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION 'the log is append-only';
END $$;
CREATE FUNCTION sintra.tell(sender text, what text, the_game text) RETURNS void LANGUAGE sql AS $$ left out $$;
CREATE FUNCTION sintra.tidy() RETURNS void LANGUAGE plpgsql AS $$ left out $$;
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
INSERT INTO sintra.about VALUES ('sintra', 1);
INSERT INTO sintra.events VALUES ('a', 0, NULL, '2026-01-01T00:00:00.000Z', '{}');
INSERT INTO sintra.events VALUES ('a', 1, NULL, '2026-01-01T00:00:00.000Z', '{}');
INSERT INTO sintra.events VALUES ('a', 2, 'post 2', '2026-01-01T00:00:00.000Z', '{}');
INSERT INTO sintra.reviews VALUES ('key', 'record', 'review');
INSERT INTO sintra.secrets VALUES ('a', '\x616e6e', 'friend', '');
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
