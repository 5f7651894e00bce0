import CommandLine
import HostCommands
import Journal
import Meetings
import Phrases
import PostgresJournal
import SQLiteJournal
import Terminal
import Wire

private typealias Messages = CommandPhrases.Nodes

/// The command `qring admin nodes`, which lists the servers that share a PostgreSQL database.
let nodesCommand = CommandDeclaration(
    "admin nodes", Messages.summary,
    examples: [.init("admin nodes --database postgres://qring@db.example.org/qring", Messages.example)],
    options: [.database, .json(of: NodeBody.self)], notes: Messages.notes, hasServer: false
) { call throws(CommandFailure) in
    guard let database = call.database else { throw .failed(Messages.needsPostgres) }
    let nodes: [DatabaseNode]
    do throws(JournalError) { nodes = try PostgresEngine.nodes(settings: database) } catch {
        guard case .failed(let failure) = error else { preconditionFailure("a refused query") }
        throw .failed(
            CommandPhrases.Admin.notDone,
            ["reason": call.databaseReason(failure) ?? String(describing: failure)])
    }
    guard !call.wantsJSON else {
        call.json(Page(items: nodes.map { NodeBody($0) }, nextCursor: nil))
        return .success
    }
    if nodes.isEmpty { call.out(Messages.none) }
    for node in nodes {
        let state = call.text(node.isRunning ? Messages.running : Messages.ended)
        let since = WallTime(node.startedAt, in: .current).text
        call.out("\(node.id)  \(TerminalEscaping.safe(node.name))  \(since)  \(state)")
    }
    return .success
}

/// The command `qring admin new-epoch`, for a PostgreSQL database that was put back to an older state.
let newEpochCommand = CommandDeclaration(
    "admin new-epoch", Messages.newEpoch,
    examples: [
        .init("admin new-epoch --database postgres://qring@db.example.org/qring", Messages.newEpochExample)
    ],
    options: [.database, .json(fields: ["epoch"])], notes: Messages.newEpochNotes, hasServer: false
) { call throws(CommandFailure) in
    guard let database = call.database else { throw .failed(Messages.epochNeedsPostgres) }
    let renewed = await call.onThread { (_) throws(CopyError) in
        try PostgresCopySource.renewEpoch(of: database)
    }
    switch renewed {
    case .success(let epoch):
        if call.wantsJSON { call.json(["epoch": epoch]) } else { call.out(Messages.renewed) }
        return .success
    case .failure(let error): throw call.failure(.database(error), in: "")
    }
}

/// A server in the list of `qring admin nodes`.
private struct NodeBody: Codable, Sendable {
    let id: Int64
    let name: String
    let startedAt: Instant
    let running: Bool

    init(_ node: DatabaseNode) {
        (id, name, startedAt, running) = (node.id, node.name, node.startedAt, node.isRunning)
    }
}

extension CommandPhrases {
    enum Nodes {
        static let summary = Phrase("list the servers that share a PostgreSQL database")
        static let example = Phrase("number, machine and address, start and state of each server")
        static let notes = Phrase(
            "A server that was killed stays in the list until another server takes over its work, for at "
                + "most 30 seconds.")
        static let needsPostgres = Phrase(
            "This command needs a PostgreSQL database: give --database. With SQLite, there is only one "
                + "server.")
        static let newEpoch = Phrase("make clients load everything again after a restore of PostgreSQL")
        static let newEpochExample = Phrase("after a restore to an earlier time, before the servers start")
        static let newEpochNotes = Phrase(
            "Stop all servers first. The command is needed if the tools of PostgreSQL have put back an older "
                + "state, or if a promoted standby lacks commits. qring admin restore and copy do it by "
                + "themselves.")
        static let epochNeedsPostgres = Phrase(
            "This command needs a PostgreSQL database: give --database. With SQLite, a restore and the start "
                + "of the server renew the epoch by themselves.")
        static let renewed = Phrase("The database has a new epoch. Start the servers.")
        static let none = Phrase("No server uses this database.")
        static let running = Phrase("running", context: "node")
        static let ended = Phrase("ended", context: "node")
    }
}
