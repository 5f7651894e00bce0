/// Adds the creator to presenter links and invitations, because both end with the creator's role. Older rows
/// have no known creator, so they get the meeting's owner (the one with the oldest account if there are
/// several). Adds the link's id to events.
let schemaCreators = Migration(
    """
    CREATE TABLE created_links (
        id BLOB NOT NULL PRIMARY KEY,
        session BLOB NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        hash BLOB NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        created_by BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    INSERT INTO created_links (id, session, hash, created_at, created_by)
    SELECT l.id, l.session, l.hash, l.created_at, m.account FROM presenter_links l JOIN sessions s ON s.id = l.session
    JOIN members m ON m.meeting = s.meeting AND m.role = 0
        AND m.account = (SELECT min(account) FROM members WHERE meeting = s.meeting AND role = 0);
    DROP TABLE presenter_links;
    ALTER TABLE created_links RENAME TO presenter_links;
    CREATE INDEX presenter_links_by_session ON presenter_links (session);
    CREATE INDEX presenter_links_by_creator ON presenter_links (created_by);

    CREATE TABLE created_invitations (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL,
        role INTEGER NOT NULL,
        account BLOB REFERENCES accounts (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        invited_by BLOB NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        UNIQUE (meeting, email_key)
    ) STRICT;
    INSERT INTO created_invitations (id, meeting, email, email_key, role, account, created_at, expires_at, invited_by)
    SELECT i.id, i.meeting, i.email, i.email_key, i.role, i.account, i.created_at, i.expires_at, m.account FROM meeting_invitations i
    JOIN members m ON m.meeting = i.meeting AND m.role = 0
        AND m.account = (SELECT min(account) FROM members WHERE meeting = i.meeting AND role = 0);
    DROP TABLE meeting_invitations;
    ALTER TABLE created_invitations RENAME TO meeting_invitations;
    CREATE INDEX meeting_invitations_by_account ON meeting_invitations (account) WHERE account IS NOT NULL;
    CREATE INDEX meeting_invitations_by_inviter ON meeting_invitations (invited_by);

    ALTER TABLE events ADD COLUMN presenter_link BLOB;
    """)
