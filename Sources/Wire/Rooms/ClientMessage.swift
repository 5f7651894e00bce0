import Meetings

/// A message from a client on a room connection.
package struct ClientMessage: Sendable {
    /// The client's request.
    package enum Request: Sendable {
        case authorize(String)
        case join(RoomName, since: Position?)
        case leave(RoomName)
        case ping(Int)
        case unknown
        case unknownRoom(String)
    }

    package let request: Request
    /// The id that the client chose. The answer repeats it.
    package let id: Int?

    /// The last sequence number that a client has received. Sequence numbers are comparable only within one
    /// epoch.
    package struct Position: Hashable, Sendable {
        package let epoch: String
        package let sequence: Int64

        package init(epoch: String, sequence: Int64) {
            (self.epoch, self.sequence) = (epoch, sequence)
        }

        /// Reads a position of the form `epoch:sequence`, as `text` writes it. Returns nil for other text.
        package init?(text: String) {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let sequence = Int64(parts[1]), sequence >= 0 else {
                return nil
            }
            self.init(epoch: String(parts[0]), sequence: sequence)
        }

        package var text: String { "\(epoch):\(sequence)" }
    }

    /// Reads a message. Returns nil unless the text is a JSON object within the limits.
    package init?(_ text: [UInt8]) {
        guard let document = try? JSONDocument(text), document.root.isObject else { return nil }
        let root = document.root
        id = root["id"]?.integer
        if let token = root["authorize"]?.string {
            request = .authorize(token)
        } else if let name = root["join"]?.string {
            let since = root["since"].flatMap { since -> Position? in
                guard let epoch = since["epoch"]?.string, let sequence = since["sequence"]?.integer,
                    sequence >= 0
                else { return nil }
                return Position(epoch: epoch, sequence: Int64(sequence))
            }
            request = RoomName(name).map { .join($0, since: since) } ?? .unknownRoom(String(name.prefix(64)))
        } else if let name = root["leave"]?.string {
            request = RoomName(name).map { .leave($0) } ?? .unknownRoom(String(name.prefix(64)))
        } else if let number = root["ping"]?.integer {
            request = .ping(number)
        } else {
            request = .unknown
        }
    }
}
