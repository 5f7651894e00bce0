/// Answers that are kept for retries. Only the writer's clock tells when one has expired, so the index is
/// appended to.
let schemaKeys = Migration(
    """
    CREATE TABLE kept_answers (
        id BLOB NOT NULL PRIMARY KEY,
        fingerprint BLOB NOT NULL,
        expires_at INTEGER NOT NULL,
        content BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX kept_answers_by_expiry ON kept_answers (expires_at);
    """)
