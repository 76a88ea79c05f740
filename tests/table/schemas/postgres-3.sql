-- What the third schema had beside the second: run after postgres-2.sql.
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
UPDATE sintra.about SET schema = 3;
