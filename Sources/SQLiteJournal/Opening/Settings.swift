/// The settings of connections, each with its reason.
enum Settings {
    /// Only before the first page is written.
    static let ofNewFile = """
        PRAGMA page_size = 4096;
        PRAGMA auto_vacuum = NONE;
        PRAGMA encoding = 'UTF-8';
        """

    /// The log is kept in the file's header; the others are of the connection. `trusted_schema` off, as security.html asks.
    static let ofFile = """
        PRAGMA journal_mode = WAL;
        PRAGMA trusted_schema = OFF;
        """

    /// - synchronous FULL: a commit is on the disk when it returns (NORMAL may lose the last ones to a power cut).
    /// - secure_delete ON: what is erased is overwritten with zeros, also in pages that become free (FAST would leave those).
    /// - wal_autocheckpoint: see docs/benchmarks.md.
    /// - journal_size_limit: the log shrinks back after a burst.
    static let ofWriter = """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -65536;
        PRAGMA wal_autocheckpoint = 4000;
        PRAGMA journal_size_limit = 67108864;
        """

    static let ofReader = """
        PRAGMA query_only = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cache_size = -16384;
        """
}
