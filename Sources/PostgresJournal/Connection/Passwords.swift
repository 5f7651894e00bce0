import CPostgres
import Glibc
import Journal

/// The passwords in the settings of a connection, which no message may show.
struct Passwords: Sendable {
    private let texts: [String]

    var isEmpty: Bool { texts.isEmpty }

    /// - Throws: `.malformedSettings`, without libpq's message, because it repeats a part of the settings.
    init(in settings: String) throws(JournalError) {
        // libpq takes any other text as the name of a database (libpq-connect, `dbname`).
        guard settings.contains("=") || settings.contains("://") else {
            texts = []
            return
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(settings, &message) else {
            PQfreemem(message)
            throw .failed(StorageFailure(.malformedSettings, operation: "read settings"))
        }
        defer { PQconninfoFree(options) }
        var found: [String] = []
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            // libpq marks the options that a program must hide while a person types them, with a star.
            let isHidden = option.pointee.dispchar.map { String(cString: $0) == "*" } ?? false
            if let value = option.pointee.val.map({ String(cString: $0) }) {
                values[String(cString: keyword)] = value
                if isHidden || String(cString: keyword).contains("password") { found.append(value) }
            }
            option += 1
        }
        guard Self.areInTheirPlaces(values, in: settings) else {
            throw .failed(StorageFailure(.malformedSettings, operation: "read settings"))
        }
        texts = found.filter { !$0.isEmpty }
    }

    /// Whether no part of a password is read as something else. In `postgres://kim:a/b@host/db`, whose
    /// password is not encoded, libpq finds the host `kim`, the port `a` and the database `b@host/db`.
    private static func areInTheirPlaces(_ values: [String: String], in settings: String) -> Bool {
        guard values["port"]?.utf8.allSatisfy({ (48...57).contains($0) || $0 == 44 }) ?? true else {
            return false
        }
        guard settings.hasPrefix("postgres"), settings.prefix(while: { $0 != "?" }).contains("@") else {
            return true
        }
        return ["host", "dbname"].allSatisfy { values[$0]?.contains("@") != true }
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
