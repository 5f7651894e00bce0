package import Meetings

/// Puts a picture to a meeting, or takes it away. It is the meeting's, so that every session has it.
package struct SetMeetingImage: Command {
    package let meeting: MeetingID
    package let image: MeetingImage?
    /// The tag that the caller last saw; nil where any will do.
    package let expectedTag: String?
    package let actor: AccountID

    package init(meeting: MeetingID, image: MeetingImage?, expectedTag: String? = nil, actor: AccountID) {
        self.meeting = meeting
        self.image = image
        self.expectedTag = expectedTag
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.requireHost(actor, of: meeting)
        let before = try transaction.rows.image(of: meeting)
        if let expectedTag, before?.tag != expectedTag {
            throw .refused(.versionMismatch(current: try transaction.meeting(meeting).version))
        }
        guard before != nil || image != nil else { throw .refused(.notFound(.image)) }
        guard before?.tag != image?.tag, let latest = try transaction.rows.latestSession(of: meeting) else { return }
        try transaction.rows.setImage(image, of: meeting)
        try transaction.record(.edited, in: latest.session.id, by: .account(actor), EventData(fields: ["image"]))
    }
}
