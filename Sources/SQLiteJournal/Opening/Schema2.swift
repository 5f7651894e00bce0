/// How long a rotating code is accepted after it was first shown, and a way to the sessions whose codes
/// rotate.
let schema2 = Migration(
    """
    ALTER TABLE sessions ADD COLUMN code_accepted_seconds INTEGER NOT NULL DEFAULT 30;
    CREATE INDEX sessions_rotating ON sessions (ends_at, id) WHERE code_kind = 1;
    """)
