package import Meetings

/// Puts a picture to a meeting, or takes it away. It is the meeting's, so that every session has it.
package struct SetMeetingImage: Command {
    package let meeting: MeetingID
    package let image: MeetingImage?
    package let expected: Expected
    package let actor: AccountID

    /// What the caller last saw.
    package enum Expected: Hashable, Sendable {
        case any, none
        case tag(String)

        func matches(_ image: MeetingImage?) -> Bool {
            switch self {
            case .any: true
            case .none: image == nil
            case .tag(let tag): image?.tag == tag
            }
        }
    }

    package init(meeting: MeetingID, image: MeetingImage?, expected: Expected = .any, actor: AccountID) {
        self.meeting = meeting
        self.image = image
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.requireHost(actor, of: meeting)
        let before = try transaction.rows.image(of: meeting)
        guard expected.matches(before) else {
            throw .refused(.versionMismatch(current: try transaction.meeting(meeting).version))
        }
        guard before != nil || image != nil else { throw .refused(.notFound(.image)) }
        guard before?.tag != image?.tag, let latest = try transaction.rows.latestSession(of: meeting) else {
            return
        }
        try transaction.rows.setImage(image, of: meeting)
        try transaction.record(
            .edited, in: latest.session.id, by: .account(actor), EventData(fields: ["image"]))
    }
}
