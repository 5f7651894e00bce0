import Meetings
import Synchronization

/// The sessions of answers, encoded. Such an answer consists mostly of its session, of which
/// only the counts differ from one answer to the next. So the rest is encoded once and used until it changes.
/// Any thread may use it.
package final class EncodedSessions: Sendable {
    /// A session that is encoded, except its counts.
    private final class Entry: Sendable {
        /// The session with the counts of the first answer.
        let body: SessionBody
        let bytes: [UInt8]
        /// The position of the counts in `bytes`.
        let counts: Range<Int>

        init(_ body: SessionBody) {
            self.body = body
            bytes = WireJSON.bytes(body)
            counts = EncodedSessions.counts(of: body, in: bytes)
        }
    }

    private static let most = 1000

    private let entries = Mutex<[SessionID: Entry]>([:])

    package init() {}

    /// Returns the encoded session.
    package func bytes(of body: SessionBody) -> [UInt8] {
        let writer = JSONWriter()
        write(body, to: writer)
        return writer.bytes
    }

    /// Writes the session as `Codable` does.
    fileprivate func write(_ body: SessionBody, to writer: JSONWriter) {
        let entry = entry(of: body)
        writer.encoded(entry.bytes[..<entry.counts.lowerBound])
        body.attendance.write(to: writer)
        writer.encoded(entry.bytes[entry.counts.upperBound...])
    }

    private func entry(of body: SessionBody) -> Entry {
        if let known = entries.withLock({ $0[body.id] }), known.body.differsOnlyInCounts(from: body) {
            return known
        }
        let entry = Entry(body)
        entries.withLock {
            if $0.count >= Self.most { $0 = [:] }
            $0[body.id] = entry
        }
        return entry
    }

    /// Finds the counts of an encoded session. No text can hold the bytes of the key, because a quotation
    /// mark in a text is escaped.
    private static func counts(of body: SessionBody, in bytes: [UInt8]) -> Range<Int> {
        guard let key = bytes.firstRange(of: Array("\"attendance\":".utf8)) else {
            preconditionFailure("a session without counts")
        }
        return key.upperBound..<key.upperBound + WireJSON.bytes(body.attendance).count
    }
}

extension SessionBody {
    fileprivate func differsOnlyInCounts(from other: SessionBody) -> Bool {
        var same = other
        same.attendance = attendance
        return self == same
    }
}

extension CheckInBody {
    /// Encodes the answer as JSON, with the bytes that `Codable` writes (`CheckInEncodingTests`).
    package func bytes(_ sessions: EncodedSessions) -> [UInt8] {
        let writer = JSONWriter()
        writer.object {
            writer.member("attendee", attendee)
            writer.field("session")
            sessions.write(session, to: writer)
            writer.member("receipt", receipt)
            writer.member("alreadyCheckedIn", alreadyCheckedIn)
            writer.member("ended", ended)
        }
        return writer.bytes
    }
}
