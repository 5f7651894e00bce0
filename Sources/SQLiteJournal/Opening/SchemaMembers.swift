/// Invitations to a meeting, its picture, and which sessions still hold evidence of how people came in.
let schemaMembers = Migration(
    """
    CREATE TABLE meeting_invitations (
        id BLOB NOT NULL PRIMARY KEY,
        meeting BLOB NOT NULL REFERENCES meetings (id) ON DELETE CASCADE,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL,
        role INTEGER NOT NULL,
        -- Of the account that had the address when it was invited.
        account BLOB REFERENCES accounts (id) ON DELETE CASCADE,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        UNIQUE (meeting, email_key)
    ) STRICT;
    CREATE INDEX meeting_invitations_by_account ON meeting_invitations (account) WHERE account IS NOT NULL;

    CREATE TABLE meeting_images (
        meeting BLOB NOT NULL PRIMARY KEY REFERENCES meetings (id) ON DELETE CASCADE,
        format INTEGER NOT NULL,
        width INTEGER NOT NULL,
        height INTEGER NOT NULL,
        tag TEXT NOT NULL,
        bytes BLOB NOT NULL
    ) STRICT;

    ALTER TABLE sessions ADD COLUMN holds_evidence INTEGER NOT NULL DEFAULT 1;
    CREATE INDEX sessions_holding_evidence ON sessions (ends_at, id) WHERE holds_evidence = 1;
    """)
