import Meetings
import Secrets

/// What a meeting's poster carries: it leads to the session that is open for check-in.
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
