/// What corrections keep beside the journal: versions and notes of attendees, how records were before, and
/// who became whom.
///
/// `corrections.attendee` has no foreign key: what a removed record was must outlive its row for as long as
/// the removal can be undone. It goes by command, with the person. A list by status has an index of its own;
/// one page of it costs the same in any session.
let schemaCorrections = Migration(
    """
    ALTER TABLE attendees ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE attendees ADD COLUMN note TEXT NOT NULL DEFAULT '';
    ALTER TABLE attendees ADD COLUMN device BLOB;
    ALTER TABLE attendees ADD COLUMN network TEXT;
    CREATE INDEX attendees_by_status ON attendees (session, status, id);

    ALTER TABLE events ADD COLUMN into_attendee BLOB;
    ALTER TABLE events ADD COLUMN undoes INTEGER;

    -- Why, and how it was before (JSON). forget_at is when what is kept of somebody who is gone goes too.
    CREATE TABLE corrections (
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        attendee BLOB,
        note TEXT NOT NULL,
        before TEXT,
        version_after INTEGER NOT NULL,
        forget_at INTEGER,
        PRIMARY KEY (session, sequence)
    ) STRICT;
    CREATE INDEX corrections_by_attendee ON corrections (attendee);
    CREATE INDEX corrections_to_forget ON corrections (forget_at) WHERE forget_at IS NOT NULL;

    -- Where the receipts, grants and keys of somebody lead whose record was merged into another.
    CREATE TABLE merged_attendees (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        into_attendee BLOB NOT NULL,
        key TEXT,
        check_in_grant BLOB
    ) STRICT;
    CREATE INDEX merged_attendees_by_into ON merged_attendees (into_attendee);
    CREATE INDEX merged_attendees_by_key ON merged_attendees (session, key);
    CREATE INDEX merged_attendees_by_grant ON merged_attendees (session, check_in_grant);
    """)
