import Meetings
import Secrets

/// The code in a session's QR code. It consists of the session's id, a counter if codes rotate, and a MAC of
/// 80 bits. Its alphabet makes the QR code small. The MAC covers the session's code version, so that a host
/// can renew a leaked code.
struct CheckInCode {
    static let macLength = 10

    /// Returns the code that screens show at `moment` of the code clock.
    static func text(of session: Session, at moment: Instant, keys: Keys) -> String {
        let counter =
            session.codeKind == .rotating ? UInt32(truncatingIfNeeded: CodeSchedule.counter(at: moment)) : nil
        var signed = SignedBytes()
        signed.put(session.id)
        if let counter { signed.put(counter) }
        let mac = keys.checkInCode.mac(
            message(session.id, version: session.codeVersion, counter: counter), length: macLength)
        return Crockford.encode(signed.bytes + mac)
    }

    let sessionID: SessionID
    private let counter: UInt32?
    private let mac: [UInt8]

    /// Reads a code. Returns nil if `text` is malformed; `judge` decides whether the code is valid.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 48, let bytes = Crockford.decode(text) else { return nil }
        let isRotating = bytes.count == 16 + 4 + Self.macLength
        guard isRotating || bytes.count == 16 + Self.macLength else { return nil }
        var reader = SignedReader(bytes)
        guard let id = SessionID(bytes: reader.take(16)) else { return nil }
        sessionID = id
        counter = isRotating ? reader.integer(UInt32.self) : nil
        mac = Array(reader.take(Self.macLength))
    }

    enum Verdict: Equatable {
        /// `age` is the time since the code was first shown; the server stores it as evidence. Nil if codes
        /// do not rotate.
        case good(age: Duration?)
        /// The server made the code, but the screen no longer shows it or does not show it yet.
        case outOfTime
        case forged
    }

    private static let mostEarlierVersions = 16

    /// Decides whether the code is valid. A session with rotating codes rejects static codes, and a session
    /// with static codes rejects rotating codes.
    func judge(for session: Session, at moment: Instant, keys: Keys) -> Verdict {
        let message = Self.message(session.id, version: session.codeVersion, counter: counter)
        guard keys.checkInCode.verifies(mac, of: message) else {
            // An attendee may scan an old poster. A code that was shown before the host renewed it therefore
            // does not count as forged.
            let earlier = max(1, session.codeVersion - Self.mostEarlierVersions)..<max(1, session.codeVersion)
            let wasShown = earlier.contains {
                keys.checkInCode.verifies(mac, of: Self.message(session.id, version: $0, counter: counter))
            }
            return wasShown ? .outOfTime : .forged
        }
        guard (counter != nil) == (session.codeKind == .rotating) else { return .outOfTime }
        guard let counter else { return .good(age: nil) }
        let accepted = Duration.seconds(session.codeAcceptedSeconds)
        guard let age = CodeSchedule.age(of: Int64(counter), at: moment, accepted: accepted) else {
            return .outOfTime
        }
        return .good(age: age)
    }

    private static func message(_ id: SessionID, version: Int, counter: UInt32?) -> [UInt8] {
        var message = SignedBytes(id, codeVersion: version)
        if let counter { message.put(counter) }
        return message.bytes
    }
}

/// The join code of a session with rotating codes: six characters of a MAC. It changes every minute. Typing
/// takes longer than scanning, so a code stays valid after its minute for as many seconds as the session
/// accepts old codes.
enum RotatingJoinCode {
    static func text(of session: Session, at moment: Instant, keys: Keys) -> String {
        text(
            of: session, counter: CodeSchedule.counter(at: moment, every: CodeSchedule.joinCodePeriod),
            keys: keys)
    }

    /// Returns the codes that may be valid at `moment`, the newest first. A code is shown for one minute and
    /// accepted for at most two minutes after that, so three codes can be valid.
    static func texts(of session: Session, at moment: Instant, keys: Keys) -> [String] {
        let current = CodeSchedule.counter(at: moment, every: CodeSchedule.joinCodePeriod)
        return (current - 2...current).reversed().map { text(of: session, counter: $0, keys: keys) }
    }

    /// Returns the time since `typed` was first shown; nil if `typed` is not a code of the session or has
    /// expired.
    static func age(of typed: String, for session: Session, at moment: Instant, keys: Keys) -> Duration? {
        let accepted = CodeSchedule.joinCodePeriod + .seconds(session.codeAcceptedSeconds)
        let current = CodeSchedule.counter(at: moment, every: CodeSchedule.joinCodePeriod)
        guard let back = texts(of: session, at: moment, keys: keys).firstIndex(of: typed) else { return nil }
        return CodeSchedule.age(
            of: current - Int64(back), at: moment, accepted: accepted, every: CodeSchedule.joinCodePeriod)
    }

    private static func text(of session: Session, counter: Int64, keys: Keys) -> String {
        var message = SignedBytes(session.id, codeVersion: session.codeVersion)
        message.put(counter)
        return JoinCode.text(of: keys.joinCode.mac(message.bytes, length: MACKey.length))
    }
}

/// The code on a meeting's poster. It opens the check-in of the meeting's session that is open at the moment.
struct MeetingCode {
    static func text(of meeting: Meeting, keys: Keys) -> String {
        let mac = keys.meetingCode.mac(
            SignedBytes(meeting.id, codeVersion: meeting.codeVersion).bytes, length: CheckInCode.macLength)
        return Crockford.encode(meeting.id.bytes + mac)
    }

    let meetingID: MeetingID
    private let mac: [UInt8]

    init?(_ text: some StringProtocol) {
        guard text.utf8.count == 42, let bytes = Crockford.decode(text),
            bytes.count == 16 + CheckInCode.macLength,
            let id = MeetingID(bytes: bytes.prefix(16))
        else { return nil }
        meetingID = id
        mac = Array(bytes.dropFirst(16))
    }

    func isGenuine(for meeting: Meeting, keys: Keys) -> Bool {
        keys.meetingCode.verifies(mac, of: SignedBytes(meeting.id, codeVersion: meeting.codeVersion).bytes)
    }
}
