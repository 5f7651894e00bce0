/// The first schema. Ids are blobs of 16 bytes that sort by age, moments are milliseconds since 1970, and
/// cases of enumerations are numbers (`Coded`).
///
/// Tables with short rows that are read by their key are WITHOUT ROWID. A read of such a table needs one
/// search instead of two, and the rows of a session are side by side. In addition, `responses` and `answered`
/// then have no hidden column that would count up with time. Tables with wide rows have a rowid
/// (withoutrowid.html §4: rows should be "less than about 1/20th the size of a database page"). If a foreign
/// key or a list searches by a column, an index begins with this column.
///
/// SQLite stores the text of CREATE statements: never change a byte of it.
let schema1 = Migration(
    """
    CREATE TABLE meta (
        key TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    INSERT INTO meta VALUES ('epoch', lower(hex(randomblob(16))));

    CREATE TABLE accounts (
        id BLOB NOT NULL PRIMARY KEY,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        password_hash TEXT NOT NULL,
        profile TEXT NOT NULL,
        verified INTEGER NOT NULL,
        admin INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        version INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE tokens (
        hash BLOB NOT NULL PRIMARY KEY,
        account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind INTEGER NOT NULL,
        sign_in BLOB NOT NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        client TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tokens_by_account ON tokens (account, kind, created_at);
    CREATE INDEX tokens_by_sign_in ON tokens (sign_in);
    CREATE INDEX tokens_by_expiry ON tokens (expires_at);

    CREATE TABLE meetings (
        id BLOB NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        description TEXT NOT NULL,
        place TEXT NOT NULL,
        time_zone TEXT NOT NULL,
        identify_by INTEGER NOT NULL,
        code_version INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        version INTEGER NOT NULL
    ) STRICT;

    -- latest, starts_at and ends_at repeat the meeting's latest session, so that an account's list has an \
    index to read.
    CREATE TABLE members (
        account BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        role INTEGER NOT NULL,
        latest BLOB,
        starts_at INTEGER,
        ends_at INTEGER,
        PRIMARY KEY (account, meeting)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX members_by_meeting ON members (meeting, role, account);
    CREATE INDEX members_by_start ON members (account, starts_at, meeting);
    CREATE INDEX members_by_end ON members (account, ends_at);

    CREATE TABLE sessions (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        round INTEGER NOT NULL,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER NOT NULL,
        late_after_minutes INTEGER NOT NULL,
        check_in_opens_minutes_before INTEGER NOT NULL,
        feedback_closes_hours_after INTEGER NOT NULL,
        planned_count INTEGER NOT NULL,
        code_kind INTEGER NOT NULL,
        code_version INTEGER NOT NULL,
        join_code TEXT NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        sequence INTEGER NOT NULL DEFAULT 0,
        pending INTEGER NOT NULL DEFAULT 0,
        present INTEGER NOT NULL DEFAULT 0,
        late INTEGER NOT NULL DEFAULT 0,
        absent INTEGER NOT NULL DEFAULT 0,
        excused INTEGER NOT NULL DEFAULT 0,
        walk_ins INTEGER NOT NULL DEFAULT 0,
        UNIQUE (meeting, round)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_start ON sessions (meeting, starts_at);
    CREATE INDEX sessions_by_end ON sessions (meeting, ends_at);
    CREATE INDEX sessions_by_opening ON sessions (meeting, starts_at - check_in_opens_minutes_before * 60000);

    -- search is name and identity, folded; key is the identity that tells people apart; check_in_grant is \
    what they came in with.
    CREATE TABLE attendees (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        id BLOB NOT NULL UNIQUE,
        name TEXT NOT NULL,
        identity TEXT NOT NULL,
        search TEXT NOT NULL,
        key TEXT,
        check_in_grant BLOB,
        status INTEGER NOT NULL,
        status_is_by_host INTEGER NOT NULL,
        walk_in INTEGER NOT NULL,
        checked_in_at INTEGER,
        method INTEGER,
        arrival_sequence INTEGER NOT NULL,
        PRIMARY KEY (session, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX attendees_by_key ON attendees (session, key) WHERE key IS NOT NULL;
    CREATE UNIQUE INDEX attendees_by_grant ON attendees (session, check_in_grant) \
    WHERE check_in_grant IS NOT NULL;
    CREATE INDEX attendees_by_arrival ON attendees (session, arrival_sequence) WHERE arrival_sequence > 0;

    -- An attendee is named by id alone and without a foreign key: what happened outlives the person's record.
    CREATE TABLE events (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        at INTEGER NOT NULL,
        kind INTEGER NOT NULL,
        attendee BLOB,
        -- An account's id, 0 for the attendee, 1 for the server.
        actor ANY NOT NULL,
        status INTEGER,
        status_before INTEGER,
        method INTEGER,
        walk_in INTEGER,
        code_age INTEGER,
        set_name TEXT,
        -- Names of fields, a line each.
        fields TEXT,
        recomputed INTEGER,
        PRIMARY KEY (session, sequence)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE question_sets (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        open_by_hand INTEGER,
        shared INTEGER NOT NULL,
        anonymous INTEGER NOT NULL,
        responses INTEGER NOT NULL,
        published_responses INTEGER NOT NULL,
        version INTEGER NOT NULL,
        sealed INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (session, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX question_sets_to_seal ON question_sets (session, name) WHERE anonymous = 1 \
    AND responses > 0 AND sealed = 0;

    CREATE TABLE questions (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL,
        set_name TEXT NOT NULL,
        position INTEGER NOT NULL,
        body TEXT NOT NULL,
        FOREIGN KEY (session, set_name) REFERENCES question_sets (session, name) ON DELETE CASCADE
    ) STRICT;
    CREATE INDEX questions_by_place ON questions (session, set_name, position);

    CREATE TABLE tallies (
        question BLOB NOT NULL PRIMARY KEY REFERENCES questions (id) ON DELETE CASCADE,
        published TEXT NOT NULL,
        pending TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Who has answered, without what, when, or in which order.
    CREATE TABLE answered (
        attendee BLOB NOT NULL REFERENCES attendees (id) ON DELETE CASCADE,
        set_name TEXT NOT NULL,
        PRIMARY KEY (attendee, set_name)
    ) STRICT, WITHOUT ROWID;

    -- What was answered: under random ids, to the hour, and without who where the set is anonymous.
    CREATE TABLE responses (
        session BLOB NOT NULL,
        set_name TEXT NOT NULL,
        at INTEGER NOT NULL,
        id BLOB NOT NULL,
        attendee BLOB REFERENCES attendees (id) ON DELETE CASCADE,
        answers TEXT NOT NULL,
        published INTEGER NOT NULL,
        PRIMARY KEY (session, set_name, at, id),
        FOREIGN KEY (session, set_name) REFERENCES question_sets (session, name) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX responses_by_attendee ON responses (attendee, set_name) WHERE attendee IS NOT NULL;
    CREATE INDEX responses_unpublished ON responses (session, set_name) WHERE published = 0;

    CREATE TABLE presenter_links (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        hash BLOB NOT NULL UNIQUE,
        created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX presenter_links_by_session ON presenter_links (session);
    """)
