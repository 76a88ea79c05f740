PRAGMA application_id = 1397642322;
PRAGMA user_version = 4;
BEGIN TRANSACTION;
CREATE TABLE events (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    post TEXT,
    at TEXT NOT NULL,
    act TEXT NOT NULL,
    PRIMARY KEY (game, seq),
    UNIQUE (game, post)
) WITHOUT ROWID;
INSERT INTO "events" VALUES('RecallsRecal',0,NULL,'2026-11-18T10:00:00.000Z','{"kind":"created","seed":41,"mood":42,"mode":"screen","names":["Ann","Ben"],"goals":[],"goal_count":3,"options":{"draw_at_zero":"forced","special_is_color":true},"start":{"position":"round: 1\nstage: returning\nturn: 1\nfirst: 0\nstart tile: 1\ngoals: rows edge wilds\noptions: draw_at_zero=free special_is_color=true\nfactory L: sun - moon -\nfactory 1: sun - moon - chip gone\nfactory 2: sun - moon - chip gone\nfactory 3: sun - moon - chip gone\nfactory 4: sun - moon - chip gone\nbag: B12 Y12 R12 K12 T13\ntower: -\ndisplay: 08 07 05\nhand: 03 06 12\nstack: 04\nchips: B- B- Y- Y- R- R- K- K- T- T- TY TY YK YK KB KB BR BR RT RT\n0 score: 0\n0 left: markers=0 chips=2\n0 lines: K1 - - - R1 -\n0 broken: -\n0 plates: 11=01r0 12=09r0 13=11r0 22=02r0 33=14r0\n0 dome: ...... ...... ...... ...... ...... ......\n0 store: -\n0 spent: -\n0 points: -\n1 score: 0\n1 left: markers=0 chips=2\n1 lines: Y1 B1 - - - -\n1 broken: -\n1 plates: 11=13r0 12=15r0 13=16r0 21=18r0 23=10r3 33=17r0\n1 dome: ...... ...... ...... ...... ...... ......\n1 store: -\n1 spent: -\n1 points: -\nreturned: 1.2 1.2 1.2 1.1\n0 knows: 03|04|06|12 03|04|06|12 03|04|06|12 03|04\n0 looked: 06 12\n0 recalls: 06>2 12>2 W1-2=1\n"}}');
INSERT INTO "events" VALUES('RecallsRecal',1,'post-000001','2026-11-18T10:00:01.000Z','{"kind":"move","seat":1,"token":"<12"}');
INSERT INTO "events" VALUES('RecallsRecal',2,'post-000002','2026-11-18T10:00:02.000Z','{"kind":"move","seat":1,"token":"<06"}');
INSERT INTO "events" VALUES('RecallsRecal',3,'post-000003','2026-11-18T10:00:03.000Z','{"kind":"move","seat":1,"token":"<03"}');
INSERT INTO "events" VALUES('RecallsRecal',4,'post-000004','2026-11-18T10:00:04.000Z','{"kind":"move","seat":0,"token":"T12"}');
INSERT INTO "events" VALUES('RecallsRecal',5,'post-000005','2026-11-18T10:00:05.000Z','{"kind":"move","seat":0,"token":"E"}');
INSERT INTO "events" VALUES('RecallsRecal',6,'post-000006','2026-11-18T10:00:06.000Z','{"kind":"move","seat":1,"token":"E"}');
INSERT INTO "events" VALUES('RecallsRecal',7,'post-000007','2026-11-18T10:00:07.000Z','{"kind":"move","seat":1,"token":"P05@22r2"}');
INSERT INTO "events" VALUES('RecallsRecal',8,'post-000008','2026-11-18T10:00:08.000Z','{"kind":"move","seat":0,"token":"S2Yx:TRK"}');
INSERT INTO "events" VALUES('RecallsRecal',9,'post-000009','2026-11-18T10:00:09.000Z','{"kind":"move","seat":1,"token":"S1R6:BB"}');
INSERT INTO "events" VALUES('RecallsRecal',10,'post-000010','2026-11-18T10:00:10.000Z','{"kind":"move","seat":0,"token":"S4R5:TTK"}');
INSERT INTO "events" VALUES('RecallsRecal',11,'post-000011','2026-11-18T10:00:11.000Z','{"kind":"move","seat":1,"token":"SLY3"}');
INSERT INTO "events" VALUES('RecallsRecal',12,'post-000012','2026-11-18T10:00:12.000Z','{"kind":"move","seat":0,"token":"P07@32r3"}');
CREATE TABLE reviews (key TEXT NOT NULL PRIMARY KEY, record TEXT NOT NULL, review TEXT);
CREATE TABLE secrets (
    game TEXT NOT NULL,
    hash BLOB NOT NULL,
    role TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (game, hash)
) WITHOUT ROWID;
CREATE TABLE starts (game TEXT NOT NULL PRIMARY KEY, start BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO "starts" VALUES('RecallsRecal',X'2B0FE1F13C65BA3EC0B9504591784664A7');
CREATE INDEX starts_start ON starts (start);
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
COMMIT;
