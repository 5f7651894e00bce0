/// A question that an attendee asks the host, or that a host writes down for somebody in the hall. Attendees
/// vote for the questions that they want answered, each attendee once for each question.
package struct AudienceQuestion: Hashable, Sendable {
    /// The question's id. It is random, so that it reveals nothing about the order of the questions.
    package let id: AudienceQuestionID
    package let sessionID: SessionID
    /// The id in the receipt of the attendee who asked. Nil if a host wrote the question down. If the record
    /// was merged, its trace has this id. If the record was deleted, or set back to awaited, nobody has it.
    package var attendeeID: AttendeeID?
    /// What the form promised to the attendee. It never changes for a question.
    package var promise: Promise
    package var askedAt: Instant
    /// The text: 1–500 characters on one line; empty if the attendee withdrew it.
    package var text: String
    package var status: Status
    package var pinned: Bool
    /// The host's written answer, at most 1,000 characters; empty if there is none.
    package var answer: String
    /// The number of attendees who voted for the question, or for a question that was merged into it.
    package var votes: Int
    /// The question into which a host merged this one; nil if no host did.
    package var mergedInto: AudienceQuestionID?
    package var version: Int

    /// What the form promises to an attendee who asks.
    package enum Promise: String, Hashable, Sendable, Codable, CaseIterable {
        /// The name is linked in the file, so that the attendee can withdraw the question, but it is shown to
        /// nobody and is in no export.
        case hidden
        /// The meeting's members see the name, and exports contain it. The hall and other attendees see the
        /// text alone.
        case named
    }

    package enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// Held back until a host shows it. Only the attendee who asked and the meeting's members see it.
        case pending
        case visible
        case answered
        /// Hidden by a host. Only the meeting's members see it.
        case hidden
        /// The attendee withdrew the question, and its text is erased. Nobody sees it.
        case withdrawn

        /// The statuses that lists and requests contain: all except `withdrawn`.
        package static let allCases: [Status] = [.pending, .visible, .answered, .hidden]
        /// The statuses that the hall and all attendees see.
        package static let shown: [Status] = [.visible, .answered]

        package var isShown: Bool { self == .visible || self == .answered }
    }

    /// The most characters of a question, and of a written answer.
    package static let mostCharacters = (text: 500, answer: 1000)
    /// The most questions that an attendee can ask in a session.
    package static let mostEach = 10
    /// The most questions of a session, including hidden ones, without withdrawn ones.
    package static let mostInSession = 2000
    /// How many of `mostInSession` only hosts can write down, so that attendees cannot use up all of them.
    package static let keptForHosts = 200
    /// The most votes that an attendee can remove in a session, so that changes of mind do not fill the
    /// journal.
    package static let mostRemovedVotes = 100
    /// The most questions that one question can absorb, directly or indirectly.
    package static let mostMerged = 20
    /// The most votes of a question that is merged into another one. The writer copies these votes at once.
    package static let mostMergedVotes = 2000

    package init(
        id: AudienceQuestionID, sessionID: SessionID, attendeeID: AttendeeID?, promise: Promise,
        askedAt: Instant, text: String, status: Status, pinned: Bool = false, answer: String = "",
        votes: Int = 0, mergedInto: AudienceQuestionID? = nil, version: Int = 1
    ) {
        self.id = id
        self.sessionID = sessionID
        self.attendeeID = attendeeID
        self.promise = promise
        self.askedAt = askedAt
        self.text = text
        self.status = status
        self.pinned = pinned
        self.answer = answer
        self.votes = votes
        self.mergedInto = mergedInto
        self.version = version
    }

    /// The position of the question in every list.
    package var rank: Rank { Rank(isPinned: pinned, votes: votes, askedAt: askedAt, id: id) }

    /// The order of lists: pinned questions first, then by votes, then the oldest first.
    package struct Rank: Hashable, Sendable, Comparable {
        package let isPinned: Bool
        package let votes: Int
        package let askedAt: Instant
        package let id: AudienceQuestionID

        package init(isPinned: Bool, votes: Int, askedAt: Instant, id: AudienceQuestionID) {
            self.isPinned = isPinned
            self.votes = votes
            self.askedAt = askedAt
            self.id = id
        }

        package static func < (left: Rank, right: Rank) -> Bool {
            if left.isPinned != right.isPinned { return left.isPinned }
            if left.votes != right.votes { return left.votes > right.votes }
            return left.askedAt == right.askedAt ? left.id < right.id : left.askedAt < right.askedAt
        }
    }
}

package typealias AudienceQuestionID = ID<AudienceQuestion>

/// A session's settings for questions from the audience.
package struct AudienceSettings: Hashable, Sendable, Codable {
    /// Whether attendees can ask and vote now, until the feedback window is over.
    package var open: Bool
    /// What the form promises for the next questions.
    package var promise: AudienceQuestion.Promise
    package var moderation: Moderation
    /// The number of the session's questions that are not withdrawn.
    package var asked: Int
    package var version: Int

    /// When a host decides about a question.
    package enum Moderation: String, Hashable, Sendable, Codable, CaseIterable {
        /// A question is pending until a host shows it.
        case before
        /// A question is visible at once, unless it contains a word of the meeting's list. A host can hide
        /// it.
        case after
    }

    /// The settings of a session whose host has set nothing.
    package static let initial = AudienceSettings()

    package init(
        open: Bool = false, promise: AudienceQuestion.Promise = .hidden, moderation: Moderation = .after,
        asked: Int = 0, version: Int = 0
    ) {
        self.open = open
        self.promise = promise
        self.moderation = moderation
        self.asked = asked
        self.version = version
    }

    /// Returns whether attendees can ask and vote at `now`.
    package func takesQuestions(in session: Session, at now: Instant) -> Bool {
        open && now <= session.feedbackClosesAt
    }
}
