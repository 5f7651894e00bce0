/// Stores whether an operator has ever existed. The first account always became the operator, so any account
/// proves it.
let schemaOperators = Migration(
    """
    CREATE INDEX accounts_operators ON accounts (id) WHERE admin = 1;
    INSERT INTO meta (key, value) SELECT 'operator', '1' WHERE EXISTS (SELECT 1 FROM accounts);
    """)
