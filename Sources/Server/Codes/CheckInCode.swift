import Meetings
import Secrets

/// What a session's QR code carries: its id and a MAC of 80 bits, in the alphabet that makes a QR code small. The MAC is bound to the
/// session's code version, so that a host can renew a code that leaked.
struct CheckInCode {
    static let macLength = 10

    static func text(of session: Session, keys: Keys) -> String {
        Crockford.encode(session.id.bytes + keys.checkInCode.mac(message(session.id, version: session.codeVersion), length: macLength))
    }

    let sessionID: SessionID
    private let mac: [UInt8]

    /// Nil for what has not the form of a code. Whether it is genuine is known with its session.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 42, let bytes = Crockford.decode(text), bytes.count == 16 + Self.macLength,
            let id = SessionID(bytes: bytes.prefix(16))
        else { return nil }
        sessionID = id
        mac = Array(bytes.dropFirst(16))
    }

    func isGenuine(for session: Session, keys: Keys) -> Bool {
        keys.checkInCode.verifies(mac, of: Self.message(session.id, version: session.codeVersion))
    }

    private static func message(_ id: SessionID, version: Int) -> [UInt8] {
        var message = SignedBytes()
        message.put(id)
        message.put(UInt32(truncatingIfNeeded: version))
        return message.bytes
    }
}

/// What a meeting's poster carries: it leads to the session that is open for check-in.
struct MeetingCode {
    static func text(of meeting: Meeting, keys: Keys) -> String {
        Crockford.encode(
            meeting.id.bytes + keys.meetingCode.mac(message(meeting.id, version: meeting.codeVersion), length: CheckInCode.macLength))
    }

    let meetingID: MeetingID
    private let mac: [UInt8]

    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 42, let bytes = Crockford.decode(text), bytes.count == 16 + CheckInCode.macLength,
            let id = MeetingID(bytes: bytes.prefix(16))
        else { return nil }
        meetingID = id
        mac = Array(bytes.dropFirst(16))
    }

    func isGenuine(for meeting: Meeting, keys: Keys) -> Bool {
        keys.meetingCode.verifies(mac, of: Self.message(meeting.id, version: meeting.codeVersion))
    }

    private static func message(_ id: MeetingID, version: Int) -> [UInt8] {
        var message = SignedBytes()
        message.put(id)
        message.put(UInt32(truncatingIfNeeded: version))
        return message.bytes
    }
}
