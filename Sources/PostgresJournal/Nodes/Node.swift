import Foundation
import Journal
import Meetings

/// This server as one of the nodes of a database. README.md describes the protocol. Only the writer's queue
/// uses it.
final class Node {
    private let name: String
    private let isAlone: Bool
    private let epoch: String
    private let feed: Feed
    /// The number of this node, from its first connection on.
    private(set) var id: Int64?
    /// The number of the newest commit that this node has taken.
    private var last: Int64 = 0
    /// Whether the busy meetings of other nodes must be read, because a connection is new.
    private var mustReadBusy = true
    private var hasLostJobs = false
    private var nextTidying = ContinuousClock.now

    /// The most commits whose notes a node reads. After more of them, it forgets everything instead.
    private static let mostNotes = 20_000
    /// How long notes are stored.
    private static let lifetimeMilliseconds = 300_000
    private static let tidyingPause = Duration.seconds(10)

    init(named name: String, isAlone: Bool, epoch: String, feed: Feed) {
        (self.name, self.isAlone, self.epoch, self.feed) = (name, isAlone, epoch, feed)
    }

    /// Each advisory lock is a hash of its name and of the schema.
    static func key(_ name: String) -> String {
        "hashtextextended('qring ' || \(name) || ' ' || current_schema(), 0)"
    }

    private static let shareDatabase = Query(
        "share the database", "SELECT pg_advisory_lock_shared(\(key("'serve'")))")
    private static let reserveDatabase = Query(
        "lock the database", "SELECT pg_advisory_lock(\(key("'serve'")))")
    private static let lockNode = Query("lock node", "SELECT pg_advisory_lock(\(key("'node ' || ?1")))")
    private static let lockCommits = Query(
        "lock commits", "SELECT pg_advisory_xact_lock(\(key("'commits'")))")

    private static let insertNode = Query(
        "insert node", "INSERT INTO nodes (name) VALUES (?) RETURNING id")
    private static let insertNodeAgain = Query(
        "insert node again", "INSERT INTO nodes (id, name) OVERRIDING SYSTEM VALUE VALUES (?, ?)")
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
    private static let busyMeetings = Query(
        "list busy meetings",
        "SELECT DISTINCT meeting FROM jobs WHERE is_visible = 1 AND node IS DISTINCT FROM ?")

    private static let state = Query(
        "read state",
        """
        SELECT coalesce((SELECT max(number) FROM commits), 0), (SELECT value FROM meta WHERE key = 'epoch'),
            (SELECT CAST(value AS bigint) FROM meta WHERE key = 'qring schema')
        """)
    private static let notes = Query(
        "read notes", "SELECT number, note FROM commits WHERE number > ? ORDER BY number")
    private static let insertCommit = Query(
        "insert commit", "INSERT INTO commits (number, node, note) VALUES (?, ?, ?)")
    private static let findCommit = Query(
        "find commit", "SELECT 1 FROM commits WHERE number = ? AND node = ?")
    private static let forgetCommits = Query(
        "forget commits",
        """
        DELETE FROM commits WHERE number IN (
            SELECT number FROM commits
            WHERE number < ?1 AND at < CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) - ?2
            ORDER BY number LIMIT 5000 FOR UPDATE SKIP LOCKED)
        """)

    // MARK: Joining and leaving

    /// Registers this node on a new connection. The lock of the node shows others that it lives; it ends with
    /// the connection.
    /// - Throws: `.busy` if a command needs the database for itself, or if the server has not noticed yet that
    ///   the last connection of this node has ended.
    func join(_ connection: Connection) throws(JournalError) {
        _ = try connection.first(isAlone ? Self.reserveDatabase : Self.shareDatabase) { _ in true }
        try connection.begin()
        do throws(JournalError) {
            if let id {
                _ = try connection.first(Self.lockNode, String(id)) { _ in true }
                if try connection.first(Self.findNode, id, read: { _ in true }) == nil {
                    // Another node has noticed the end of the last connection first.
                    try connection.run(Self.insertNodeAgain, id, name)
                    hasLostJobs = true
                }
            } else {
                let made = try connection.first(Self.insertNode, name) { $0.int64(0) } ?? 0
                _ = try connection.first(Self.lockNode, String(made)) { _ in true }
                last = try connection.first(Self.state) { $0.int64(0) } ?? 0
                id = made
            }
            _ = try connection.first(Self.nameNode, String(id ?? 0)) { _ in true }
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
        mustReadBusy = true
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
            try connection.begin()
            do throws(JournalError) {
                // The locks of ended nodes belong to this transaction, so that one node at a time deletes
                // them.
                for ended in try connection.all(Self.endedNodes, id, read: { $0.int64(0) }) {
                    try connection.run(Self.deleteNode, ended)
                }
                if try connection.run(Self.takeOver, id) > 0 { mustReadBusy = true }
                try connection.commit()
            } catch {
                connection.rollBack()
                throw error
            }
        }
        if ContinuousClock.now >= nextTidying {
            nextTidying = .now + Self.tidyingPause
            try connection.run(Self.forgetCommits, last, Self.lifetimeMilliseconds)
        }
        return Set(try connection.all(Self.ownJobs, id) { row throws(JournalError) in try row.id(0) })
    }

    // MARK: Commits

    /// Makes this node the only one that writes, until the end of the transaction.
    func lockCommits(_ connection: Connection) throws(JournalError) {
        let status = feed.status
        guard status.others == 0 || !status.hasWrongClock else {
            throw .failed(
                StorageFailure(
                    .wrongClock, operation: "begin",
                    detail: "this clock differs from the database's by \(status.skew)"))
        }
        _ = try connection.first(Self.lockCommits) { _ in true }
    }

    /// Passes to `take` what other nodes have committed since the last call. Call it in a transaction.
    func pass(
        to take: (OtherCommits) throws(JournalError) -> Void, _ connection: Connection
    ) throws(JournalError) {
        let newest = try newestCommit(connection)
        guard newest > last || mustReadBusy || hasLostJobs else { return }
        var others = OtherCommits()
        others.hasLostJobs = hasLostJobs
        if newest > last {
            if newest - last > Int64(Self.mostNotes) { others.hasGap = true } else {
                try readNotes(into: &others, connection)
            }
        }
        if mustReadBusy || others.hasGap || others.note.hasChangedJobs {
            let busy: [MeetingID] = try connection.all(Self.busyMeetings, id ?? 0) { row throws(JournalError) in
                try row.id(0)
            }
            others.busyMeetings = Set(busy)
        }
        try take(others)
        (last, mustReadBusy, hasLostJobs) = (newest, false, false)
        feed.noteTaken(newest)
    }

    /// Returns the number of the newest commit.
    /// - Throws: `.moved` if the database was replaced; `.newerSchema` if a newer QRing has migrated it.
    private func newestCommit(_ connection: Connection) throws(JournalError) -> Int64 {
        guard
            let (newest, epoch, version) = try connection.first(
                Self.state, read: { ($0.int64(0), $0.text(1), $0.int(2)) })
        else { throw .failed(StorageFailure(.damaged, operation: "read state")) }
        guard epoch == self.epoch, newest >= last else {
            throw .failed(StorageFailure(.moved, operation: "read state"))
        }
        guard version <= Migration.all.count else {
            throw .failed(
                StorageFailure(.newerSchema(found: version, known: Migration.all.count), operation: "begin"))
        }
        return newest
    }

    private func readNotes(into others: inout OtherCommits, _ connection: Connection) throws(JournalError) {
        var expected = last + 1
        for (number, text) in try connection.all(Self.notes, last, read: { ($0.int64(0), $0.bytes(1)) }) {
            guard number == expected else {
                others.hasGap = true
                return
            }
            expected += 1
            guard !text.isEmpty else { continue }
            guard let note = try? JSONDecoder().decode(CommitNote.self, from: Data(text)) else {
                // A newer node may write notes that this one cannot read.
                others.hasGap = true
                return
            }
            others.note.append(note)
        }
    }

    /// Stores the note of a batch. Returns the number of its commit.
    func append(_ note: CommitNote, _ connection: Connection) throws(JournalError) -> Int64 {
        var text = ""
        if note != CommitNote(), let bytes = try? JSONEncoder().encode(note) {
            text = String(decoding: bytes, as: UTF8.self)
        }
        try connection.run(Self.insertCommit, last + 1, id ?? 0, text)
        return last + 1
    }

    func noteCommitted(_ number: Int64) {
        last = number
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
    func noteUnknownResult() { hasLostJobs = true }
}
