import CPostgres
import Journal
import OnDemand

/// The settings of a connection, as an operator writes them: a URI, or a list of settings of libpq.
package enum DatabaseSettings {
    /// Whether libpq reads the text as settings, and not as the name of a database (libpq-connstring).
    package static func areSettings(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") || text.contains("=")
    }

    /// Returns the name of the database and its host, without user and password, for messages.
    package static func name(of settings: String) -> String {
        let values = (try? values(of: settings)) ?? [:]
        let name = values["dbname"] ?? values["service"] ?? values["user"] ?? "postgres"
        let host = values["host"] ?? values["hostaddr"]
        // A host that is a folder is this machine.
        guard let host, !host.hasPrefix("/") else { return name }
        return "\(name) (\(host))"
    }

    /// Checks that the settings can be read.
    ///
    /// If a password in a URI has an unescaped character such as `@` or `/`, libpq takes a part of it for the
    /// host, the port or the database, and prints this part in its message. Such settings are rejected here,
    /// without a message of libpq.
    /// - Throws: `.malformedSettings`, without any part of the settings.
    static func check(_ settings: String) throws(JournalError) {
        let values = try values(of: settings)
        let hasStray = ["host", "dbname"].contains { values[$0]?.dropFirst().contains("@") ?? false }
        let port = values["port"] ?? ""
        guard !hasStray, port.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ",") }) else {
            throw malformed
        }
    }

    private static var malformed: JournalError {
        .failed(StorageFailure(.malformedSettings, operation: "read settings"))
    }

    private static func values(of settings: String) throws(JournalError) -> [String: String] {
        guard areSettings(settings) else { return ["dbname": settings] }
        return Dictionary(try options(of: settings).map { ($0.keyword, $0.value) }) { first, _ in first }
    }

    /// Opens libpq. The first functions that need it call this one.
    static func openLibrary() throws(JournalError) {
        do throws(MissingLibrary) { try OnDemandLibrary.postgres.open() } catch {
            throw .failed(StorageFailure(.other, operation: "open libpq", detail: error.reason))
        }
    }

    /// Returns the settings that the text contains, and whether libpq marks them as secret.
    static func options(
        of settings: String
    ) throws(JournalError) -> [(keyword: String, value: String, isSecret: Bool)] {
        guard areSettings(settings) else { return [] }
        try openLibrary()
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(settings, &message) else {
            // The message contains the malformed part.
            PQfreemem(message)
            throw malformed
        }
        defer { PQconninfoFree(options) }
        var found: [(String, String, Bool)] = []
        var option = options
        while let keyword = option.pointee.keyword.map({ String(cString: $0) }) {
            // libpq marks the options that a program must hide while a person types them, with a star.
            let isSecret =
                option.pointee.dispchar.map { String(cString: $0) == "*" } ?? false
                || keyword.contains("password")
            if let value = option.pointee.val { found.append((keyword, String(cString: value), isSecret)) }
            option += 1
        }
        return found
    }
}
