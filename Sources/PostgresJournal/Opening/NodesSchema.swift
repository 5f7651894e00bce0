/// The tables of several nodes, which SQLite does not have.
///
/// `commits` has a row for each batch of each node, for some minutes. `jobs.node` is the node that runs the
/// job; the writer's connection has its number in the setting `qring.node`.
let nodes = Migration(
    """
    CREATE TABLE nodes (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL,
        started_at bigint NOT NULL DEFAULT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)
    );

    CREATE TABLE commits (
        number bigint PRIMARY KEY, node bigint NOT NULL,
        at bigint NOT NULL DEFAULT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint),
        note text COLLATE "C" NOT NULL
    );

    ALTER TABLE jobs
        ADD COLUMN node bigint DEFAULT CAST(nullif(current_setting('qring.node', true), '') AS bigint);
    """)
