import CPostgres
import Journal

extension StorageFailure.Reason {
    /// Makes the reason for an SQLSTATE (errcodes-appendix). Nil means that the server sent none, because the
    /// connection broke.
    init(state: String?) {
        switch state {
        case nil, "57P01", "57P02", "57P03", "57P05", "25P03", "53300": self = .unreachable
        case "3D000": self = .unknownDatabase
        case "53100": self = .full
        case "53200": self = .outOfMemory
        case "25006": self = .readOnly
        // A lock that another server or an operator's own session holds for too long.
        case "55P03": self = .busy
        // A conflict between transactions, or a deadlock.
        case "40001", "40P01": self = .conflict
        // The time limit of a query or a scan (`statement_timeout`).
        case "57014": self = .tooManySteps
        case "XX001", "XX002": self = .damaged
        case let state?:
            self =
                switch state.prefix(2) {
                case "08": .unreachable
                case "28": .accessDenied
                case "58": .inputOutput
                // A cardinality, a value, a constraint, or a limit such as the size of an index entry.
                case "21", "22", "23", "54": .unstorable
                default: .other
                }
        }
    }
}

extension StorageFailure {
    /// Makes the failure of an attempt to connect. libpq tells the SQLSTATE only within the message, and only
    /// if it was verbose.
    init(connecting connection: OpaquePointer?) {
        let message = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let lines = message.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
        // The severity, such as FATAL, comes before two spaces.
        let state = message.firstMatch(of: #/: {2}([0-9A-Z]{5}): /#).map { String($0.output.1) }
        self.init(
            Reason(state: state), operation: "connect",
            detail: lines.joined(separator: " ").replacing(#/: {2}[0-9A-Z]{5}: /#, with: ": "))
    }

    /// Makes the failure of a statement. Its detail begins with the SQLSTATE.
    init(of result: OpaquePointer?, on connection: OpaquePointer?, operation: String) {
        let state = qring_postgres_state(result).map { String(cString: $0) }
        // The main line of a message can contain a value if the value is malformed (class 22).
        let message: String? =
            if let state {
                state.hasPrefix("22") ? nil : qring_postgres_message(result).map { String(cString: $0) }
            } else {
                PQerrorMessage(connection).map { String(cString: $0) }
            }
        var detail = [state, message].compactMap(\.self).joined(separator: ": ")
        // Of a binary COPY, the context names the row and the column, but never the value.
        if let context = qring_postgres_context(result).map({ String(cString: $0) }),
            context.hasPrefix("COPY ")
        {
            detail += " (\(context))"
        }
        self.init(
            Reason(state: state), operation: operation,
            detail: detail.split(separator: "\n").joined(separator: " "))
    }
}
