/// Whether there has been an operator. The first account of a server was always the operator's, so any account shows that there was one.
let schemaOperators = Migration(
    """
    CREATE INDEX accounts_operators ON accounts (id) WHERE admin = 1;
    INSERT INTO meta (key, value) SELECT 'operator', '1' WHERE EXISTS (SELECT 1 FROM accounts);
    """)
