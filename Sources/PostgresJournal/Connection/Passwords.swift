import CPostgres
import Glibc
import Journal
import SQLJournal

/// The passwords in the settings of a connection, which no message may show.
struct Passwords: Sendable {
    private let texts: [String]

    var isEmpty: Bool { texts.isEmpty }

    /// - Throws: as `DatabaseSettings.check`.
    init(in settings: String) throws(JournalError) {
        try DatabaseSettings.check(settings)
        texts = try DatabaseSettings.options(of: settings).filter(\.isSecret).map(\.value)
            .filter { !$0.isEmpty }
    }

    /// The shortest password that is replaced in a message. A shorter one could be a part of other words, and
    /// the gaps would show it.
    private static let shortest = 4

    /// Returns the failure without these passwords, and without that of the environment and of the connection
    /// (`~/.pgpass`), if libpq or the server has repeated one in a message.
    func hidden(in failure: StorageFailure, of connection: OpaquePointer?) -> StorageFailure {
        let others = [PQpass(connection), getenv("PGPASSWORD").map { UnsafeMutablePointer($0) }]
            .compactMap { $0.map { String(cString: $0) } }.filter { !$0.isEmpty }
        var detail = failure.detail
        for password in (texts + others).sorted(by: { $0.utf8.count > $1.utf8.count })
        where detail.contains(password) {
            guard password.utf8.count >= Self.shortest else {
                detail = "the message is hidden, because it may contain a password"
                break
            }
            detail = detail.replacing(password, with: "…")
        }
        return StorageFailure(
            failure.reason, operation: failure.operation, code: failure.code, detail: detail)
    }
}
