import CommandLine
import Foundation
import HostCommands
import Journal
import Meetings
import Phrases
import PostgresJournal
import Terminal
import Wire

private typealias Messages = CommandPhrases.Nodes

/// The command `qring admin nodes`.
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
        static let summary = Phrase(
            "list the servers that share a PostgreSQL database", "PostgreSQL 데이터베이스를 함께 쓰는 서버 목록")
        static let example = Phrase(
            "number, machine and address, start, state", "번호, 컴퓨터와 주소, 시작 시각, 상태")
        static let notes = Phrase(
            "A server that has ended without a word stays in the list until another server takes over its "
                + "work, at most half a minute.",
            "갑자기 종료된 서버는 다른 서버가 작업을 넘겨받을 때까지 최대 30초 동안 목록에 남습니다.")
        static let needsPostgres = Phrase(
            "This command needs a PostgreSQL database: give --database. With SQLite there is only one server.",
            "이 명령에는 PostgreSQL 데이터베이스가 필요합니다. --database를 지정하세요. SQLite에서는 서버가 하나뿐입니다.")
        static let none = Phrase("No server uses this database.", "이 데이터베이스를 쓰는 서버가 없습니다.")
        static let running = Phrase("running", "실행 중")
        static let ended = Phrase("ended", "종료됨")
    }
}
