/// When a refresh token was used, and a keyed hash of the client that used it (`Token.Use`).
let schemaUsedTokens = Migration(
    """
    ALTER TABLE tokens ADD COLUMN used_at INTEGER;
    ALTER TABLE tokens ADD COLUMN used_by BLOB;
    CREATE INDEX tokens_used ON tokens (sign_in, created_at) WHERE used_at IS NOT NULL;
    """)
