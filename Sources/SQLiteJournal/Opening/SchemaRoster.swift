/// The people of meetings, and which attendee's place in a session is whose. A place is a row beside the
/// attendee's, so that who walks in costs no more than before. `sort_key` is `RosterPosition`'s.
let schemaRoster = Migration(
    """
    CREATE TABLE people (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        sort_key TEXT NOT NULL,
        email TEXT NOT NULL,
        email_key TEXT,
        number TEXT NOT NULL,
        number_key TEXT,
        search TEXT NOT NULL,
        archived INTEGER NOT NULL,
        version INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX people_by_name ON people (meeting, archived, sort_key, id);
    CREATE UNIQUE INDEX people_by_email ON people (meeting, email_key) WHERE email_key IS NOT NULL;
    CREATE UNIQUE INDEX people_by_number ON people (meeting, number_key) WHERE number_key IS NOT NULL;

    CREATE TABLE places (
        person BLOB NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        session BLOB NOT NULL,
        attendee BLOB NOT NULL UNIQUE REFERENCES attendees (id) ON DELETE CASCADE,
        PRIMARY KEY (person, session)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE rosters (
        meeting BLOB NOT NULL PRIMARY KEY REFERENCES meetings (id) ON DELETE CASCADE,
        version INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX sessions_by_start_and_round ON sessions (meeting, starts_at, round);
    """)
