/// The settings of connections, each with its reason.
enum Settings {
    /// Only before the first page is written. A check-in touches six b-trees, two of them at random places,
    /// and whole pages go to the log: with pages of 2,048 bytes a batch of 64 took 22–26 µs of CPU a
    /// check-in, with 4,096 bytes 30–41 (on a busy machine). 1,024 was no better, and would put rows over 231
    /// bytes, such as long Korean names, on overflow pages.
    static let ofNewFile = """
        PRAGMA page_size = 2048;
        PRAGMA auto_vacuum = NONE;
        PRAGMA encoding = 'UTF-8';
        """

    /// The log is kept in the file's header; the others are of the connection. `trusted_schema` off, as
    /// security.html asks.
    static let ofFile = """
        PRAGMA journal_mode = WAL;
        PRAGMA trusted_schema = OFF;
        """

    /// - synchronous FULL: a commit is on the disk when it returns (NORMAL may lose the last ones to a power
    ///   cut).
    /// - secure_delete ON: what is erased is overwritten with zeros, also in pages that become free (FAST
    ///   would leave those).
    /// - wal_autocheckpoint: every 4 MB. A commit that takes a checkpoint waits for it: the slowest of a
    ///   hundred batches of 64 took 5–8 ms, 10–12 ms with 16 MB, and the throughput was the same.
    /// - cache_size: 64 MB at most, for the indexes of the sessions that are busy.
    /// - journal_size_limit: the log shrinks back after a burst.
    static let ofWriter = """
        PRAGMA synchronous = FULL;
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -65536;
        PRAGMA wal_autocheckpoint = 2000;
        PRAGMA journal_size_limit = 67108864;
        """

    static let ofReader = """
        PRAGMA query_only = ON;
        PRAGMA trusted_schema = OFF;
        PRAGMA cache_size = -16384;
        """
}
