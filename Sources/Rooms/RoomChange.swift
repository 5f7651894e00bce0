package import Meetings
package import Wire

/// What one commit did to a session, as its room folds it.
package struct RoomChange: Sendable {
    package let session: Session
    package let meeting: Meeting
    package let headCount: HeadCount
    /// Of the newest event.
    package let sequence: Int64
    package let news: [News]
    /// Sets whose results are to be read afresh.
    package let sets: Set<String>
    package let isEdited: Bool

    package init(
        session: Session, meeting: Meeting, headCount: HeadCount, sequence: Int64, news: [News] = [],
        sets: Set<String> = [],
        isEdited: Bool = false
    ) {
        self.session = session
        self.meeting = meeting
        self.headCount = headCount
        self.sequence = sequence
        self.news = news
        self.sets = sets
        self.isEdited = isEdited
    }
}

/// Something about one attendee, with the sequence of its event.
package struct News: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case arrived(Attendee)
        case changed(Attendee)
        case removed(AttendeeID)
    }

    package let sequence: Int64
    package let kind: Kind

    package init(sequence: Int64, kind: Kind) {
        self.sequence = sequence
        self.kind = kind
    }
}

/// A set with its tallies as they were read.
package struct SetResults: Sendable {
    package let set: QuestionSet
    package let tallies: [TallyBody]

    package init(set: QuestionSet, tallies: [TallyBody]) {
        self.set = set
        self.tallies = tallies
    }
}
