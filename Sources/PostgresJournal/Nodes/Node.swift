import FoundationEssentials
import Journal
import Meetings
import SQLJournal

/// This server as one of the nodes of a database. README.md describes the protocol. Only the writer's queue
/// uses it.
final class Node {
    private let name: String
    private let isAlone: Bool
    private let epoch: String
    private let feed: Feed
    /// The number of this node, from its first connection on.
    private(set) var id: Int64?
    /// The number of the newest commit that this node has taken, and its random tag. If the database has
    /// another tag for the number, it has lost commits, for example because a standby took over.
    private var last: Int64 = 0
    private var tag: Int64 = 0
    /// The tag of the batch in progress.
    private var newTag: Int64 = 0
    /// Whether the visible jobs must be read, because a connection is new or jobs have changed hands.
    private var mustReadJobs = true
    private var hasLostJobs = false
    /// PostgreSQL's process for the writer's connection.
    private var backend: Int64 = 0
    /// For each other node, its count of signs of life, and the time since which the count is unchanged.
    private var signs: [Int64: (count: Int64, since: ContinuousClock.Instant)] = [:]
    private var nextTidying = ContinuousClock.now
    /// The newest commits at the latest tidyings, the oldest first.
    private var tidied: [(number: Int64, at: ContinuousClock.Instant)] = []

    /// The most commits whose notes a node reads. After more of them, it forgets everything instead.
    private static let mostNotes = 20_000
    /// How long notes are stored.
    private static let lifetime = Duration.seconds(300)
    private static let tidyingPause = Duration.seconds(10)
    /// The longest time without a sign of life. Then others end the node's connection, because its machine
    /// may be suspended.
    private static let mostSilence = Duration.seconds(10)

    init(named name: String, isAlone: Bool, epoch: String, feed: Feed) {
        (self.name, self.isAlone, self.epoch, self.feed) = (name, isAlone, epoch, feed)
    }

    /// Each advisory lock is a hash of its name and of the schema.
    static func key(_ name: String) -> String {
        "hashtextextended('qring ' || \(name) || ' ' || current_schema(), 0)"
    }

    private static let shareDatabase = Query(
        "share the database", "SELECT pg_advisory_lock_shared(\(key("'serve'")))")
    fileprivate static let reserveDatabase = Query(
        "lock the database", "SELECT pg_advisory_lock(\(key("'serve'")))")
    private static let lockNode = Query("lock node", "SELECT pg_advisory_lock(\(key("'node ' || ?1")))")
    static let lockCommits = Query(
        "lock commits", "SELECT pg_advisory_xact_lock(\(key("'commits'")))")

    private static let insertNode = Query(
        "insert node", "INSERT INTO nodes (name, backend) VALUES (?, pg_backend_pid()) RETURNING id")
    private static let insertNodeAgain = Query(
        "insert node again",
        "INSERT INTO nodes (id, name, backend) OVERRIDING SYSTEM VALUE VALUES (?, ?, pg_backend_pid())")
    private static let renewNode = Query(
        "renew node", "UPDATE nodes SET backend = pg_backend_pid() WHERE id = ?")
    private static let endBackend = Query(
        "end a connection",
        "SELECT pg_terminate_backend(CAST(backend AS integer)) FROM nodes WHERE id = ? AND backend = ?")
    private static let ownBackend = Query("find backend", "SELECT CAST(pg_backend_pid() AS bigint)")
    private static let showSign = Query(
        "show a sign of life", "UPDATE nodes SET signs = signs + 1 WHERE id = ?")
    private static let otherSigns = Query(
        "read signs of life", "SELECT id, signs, backend FROM nodes WHERE id <> ?")
    private static let findNode = Query("find node", "SELECT 1 FROM nodes WHERE id = ?")
    private static let nameNode = Query("name node", "SELECT set_config('qring.node', ?, false)")
    private static let deleteNode = Query("delete node", "DELETE FROM nodes WHERE id = ?")
    private static let endedNodes = Query(
        "find ended nodes",
        "SELECT id FROM nodes WHERE id <> ?1 AND pg_try_advisory_xact_lock(\(key("'node ' || id")))")
    private static let hasOthers = Query(
        "look for other nodes",
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM nodes WHERE id <> ?1)
            OR EXISTS (SELECT 1 FROM jobs WHERE node IS DISTINCT FROM ?1)
        """)
    private static let takeOver = Query(
        "take over jobs",
        """
        UPDATE jobs SET node = ?1
        WHERE node IS NULL OR NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = jobs.node)
        """)
    private static let ownJobs = Query("list jobs of node", "SELECT id FROM jobs WHERE node = ?")
    static let visibleJobs = Query(
        "list visible jobs", "SELECT id, meeting FROM jobs WHERE is_visible = 1")

    private static let state = Query(
        "read state",
        """
        SELECT coalesce((SELECT max(number) FROM commits), 0), (SELECT value FROM meta WHERE key = 'epoch'),
            (SELECT CAST(value AS bigint) FROM meta WHERE key = 'qring schema'),
            (SELECT mark FROM commits WHERE number = ?)
        """)
    private static let notes = Query(
        "read notes", "SELECT number, note, mark FROM commits WHERE number > ? ORDER BY number")
    private static let newestTag = Query(
        "find newest commit", "SELECT number, mark FROM commits ORDER BY number DESC LIMIT 1")
    private static let insertCommit = Query(
        "insert commit", "INSERT INTO commits (number, node, note, mark) VALUES (?, ?, ?, ?)")
    private static let findCommit = Query(
        "find commit", "SELECT 1 FROM commits WHERE number = ? AND node = ?")
    private static let forgetCommits = Query(
        "forget commits",
        """
        DELETE FROM commits WHERE number IN (
            SELECT number FROM commits WHERE number < ? FOR UPDATE SKIP LOCKED)
        """)

    // MARK: Joining and leaving

    /// Registers this node on a new connection. The lock of the node shows others that it lives; it ends with
    /// the connection.
    /// - Throws: `.busy` if a command needs the database for itself, or if the server has not noticed yet
    ///   that the last connection of this node has ended.
    func join(_ connection: Connection) throws(JournalError) {
        _ = try connection.first(isAlone ? Self.reserveDatabase : Self.shareDatabase) { _ in true }
        // The server may not have noticed that the last connection has ended.
        if let id, backend != 0 { _ = try connection.first(Self.endBackend, id, backend) { _ in true } }
        try connection.begin()
        do throws(JournalError) {
            if let id {
                _ = try connection.first(Self.lockNode, String(id)) { _ in true }
                if try connection.first(Self.findNode, id, read: { _ in true }) == nil {
                    // Another node has noticed the end of the last connection first.
                    try connection.run(Self.insertNodeAgain, id, name)
                    hasLostJobs = true
                }
                try connection.run(Self.renewNode, id)
            } else {
                let made = try connection.first(Self.insertNode, name) { $0.int64(0) } ?? 0
                _ = try connection.first(Self.lockNode, String(made)) { _ in true }
                (last, tag) =
                    try connection.first(Self.newestTag) { ($0.int64(0), $0.int64(1)) } ?? (0, 0)
                id = made
            }
            backend = try connection.first(Self.ownBackend) { $0.int64(0) } ?? 0
            _ = try connection.first(Self.nameNode, String(id ?? 0)) { _ in true }
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
        mustReadJobs = true
        feed.noteTaken(last)
    }

    func leave(_ connection: Connection) {
        // If this fails, another node deletes the row.
        if let id, connection.isOpen { _ = try? connection.run(Self.deleteNode, id) }
    }

    /// Takes over the jobs of nodes that have ended. Returns the ids of all jobs of this node.
    func takeOverJobs(_ connection: Connection) throws(JournalError) -> Set<JobID> {
        guard let id else { return [] }
        if try connection.first(Self.hasOthers, id, read: { _ in true }) != nil {
            try endSilentNodes(connection, id)
            try connection.begin()
            do throws(JournalError) {
                // The locks of ended nodes belong to this transaction, so that one node at a time deletes
                // them.
                for ended in try connection.all(Self.endedNodes, id, read: { $0.int64(0) }) {
                    try connection.run(Self.deleteNode, ended)
                }
                if try connection.run(Self.takeOver, id) > 0 { mustReadJobs = true }
                try connection.commit()
            } catch {
                connection.rollBack()
                throw error
            }
        }
        if ContinuousClock.now >= nextTidying {
            let now = ContinuousClock.now
            nextTidying = now + Self.tidyingPause
            while let first = tidied.first, now - first.at > Self.lifetime {
                try connection.run(Self.forgetCommits, first.number)
                tidied.removeFirst()
            }
            tidied.append((last, now))
        }
        return Set(try connection.all(Self.ownJobs, id) { row throws(JournalError) in try row.id(0) })
    }

    /// Shows a sign of life, and ends the connections of nodes that have shown none for `mostSilence`. They
    /// may be suspended, and hold their jobs.
    private func endSilentNodes(_ connection: Connection, _ id: Int64) throws(JournalError) {
        try connection.run(Self.showSign, id)
        let now = ContinuousClock.now
        var found: [Int64: (count: Int64, since: ContinuousClock.Instant)] = [:]
        for (other, count, backend) in try connection.all(
            Self.otherSigns, id, read: { ($0.int64(0), $0.int64(1), $0.int64(2)) })
        {
            let since = signs[other].flatMap { $0.count == count ? $0.since : nil } ?? now
            found[other] = (count, since)
            if now - since > Self.mostSilence {
                _ = try connection.first(Self.endBackend, other, backend) { _ in true }
            }
        }
        signs = found
    }

    // MARK: Commits

    /// Whether this node should take the commits of others before it takes the lock.
    var isFarBehind: Bool { feed.newest > last + 50 }

    /// Makes this node the only one that writes, until the end of the transaction. The connection waits for
    /// the lock at its next statement.
    func lockCommits(_ connection: Connection) throws(JournalError) {
        try checkClock()
        try connection.runLater(Self.lockCommits)
    }

    /// - Throws: `.wrongClock` if there are other nodes and this clock differs from the database's.
    func checkClock() throws(JournalError) {
        if let failure = feed.status.wrongClock(during: "begin") { throw .failed(failure) }
    }

    /// Passes to `take` the commits of other nodes since the last call. Call it in a transaction.
    func pass(
        to take: (OtherCommits) throws(JournalError) -> Void, _ connection: Connection
    ) throws(JournalError) {
        if feed.status.others > 0 {
            try connection.lookAhead {
                _ = try? newestCommit(connection)
                _ = try? connection.all(Self.notes, last) { _ in }
            }
        }
        let (newest, hasLast) = try newestCommit(connection)
        guard newest != last || !hasLast || mustReadJobs || hasLostJobs else { return }
        var others = OtherCommits()
        others.hasLostJobs = hasLostJobs
        others.hasGap = !hasLast || newest < last || newest - last > Int64(Self.mostNotes)
        var newestTag = tag
        if others.hasGap {
            newestTag = try connection.first(Self.newestTag) { $0.int64(1) } ?? 0
        } else if newest > last {
            newestTag = try readNotes(into: &others, connection)
        }
        if mustReadJobs || others.hasGap || others.note.hasChangedJobs {
            let found: [(JobID, MeetingID)] = try connection.all(Self.visibleJobs) {
                row throws(JournalError) in
                (try row.id(0), try row.id(1))
            }
            others.visibleJobs = Dictionary(found) { first, _ in first }
        }
        try take(others)
        (last, tag, mustReadJobs, hasLostJobs) = (newest, newestTag, false, false)
        feed.noteTaken(newest)
    }

    /// Returns the number of the newest commit, and whether the database has the last commit that this node
    /// has taken.
    /// - Throws: `.moved` if the database was replaced; `.newerSchema` if a newer QRing has migrated it.
    private func newestCommit(
        _ connection: Connection
    ) throws(JournalError) -> (number: Int64, hasLast: Bool) {
        guard
            let (newest, epoch, version, found) = try connection.first(
                Self.state, last,
                read: { ($0.int64(0), $0.text(1), $0.int(2), $0.isNull(3) ? nil : $0.int64(3)) })
        else { throw .failed(StorageFailure(.damaged, operation: "read state")) }
        guard epoch == self.epoch else {
            throw .failed(StorageFailure(.moved, operation: "read state"))
        }
        try Migrations.postgres.check(version, "begin")
        return (newest, last == 0 || found == tag)
    }

    /// Adds the notes after the last one. Returns the tag of the newest commit.
    private func readNotes(
        into others: inout OtherCommits, _ connection: Connection
    ) throws(JournalError) -> Int64 {
        var (expected, newestTag) = (last + 1, tag)
        for (number, text, tag) in try connection.all(
            Self.notes, last, read: { ($0.int64(0), $0.bytes(1), $0.int64(2)) })
        {
            newestTag = tag
            if number != expected { others.hasGap = true }
            expected += 1
            guard !text.isEmpty else { continue }
            guard let note = try? JSONDecoder().decode(CommitNote.self, from: Data(text)) else {
                // A newer node may write notes that this one cannot read.
                others.hasGap = true
                continue
            }
            others.note.append(note)
        }
        return newestTag
    }

    /// Stores the note of a batch. Returns the number of its commit.
    func append(_ note: CommitNote, _ connection: Connection) throws(JournalError) -> Int64 {
        var text = ""
        if note != CommitNote(), let bytes = try? JSONEncoder().encode(note) {
            text = String(decoding: bytes, as: UTF8.self)
        }
        newTag = Int64.random(in: 1 ... .max)
        try connection.runLater(Self.insertCommit, last + 1, id ?? 0, text, newTag)
        return last + 1
    }

    func noteCommitted(_ number: Int64) {
        (last, tag) = (number, newTag)
        feed.noteTaken(number)
        feed.announce(number)
    }

    /// Whether the commit was stored. Call it under the lock of commits, so that no transaction of a broken
    /// connection of this node is in progress.
    func hasStored(_ number: Int64, _ connection: Connection) throws(JournalError) -> Bool {
        try connection.first(Self.findCommit, number, id ?? 0) { _ in true } ?? false
    }

    /// Notes that nobody knows whether a batch of this node was stored. If it was, the next call of `pass`
    /// finds it, and the jobs are read again.
    func noteUnknownResult() { (hasLostJobs, mustReadJobs) = (true, true) }
}

extension Connection {
    /// Reserves the database for this connection alone, which is no node.
    /// - Throws: `.busy` if a server or a command uses the database.
    func reserveDatabase() throws(JournalError) { _ = try first(Node.reserveDatabase) { _ in true } }
}
