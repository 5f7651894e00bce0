package import Meetings

/// A question from the audience, as one kind of reader sees it.
package struct AudienceQuestionBody: Codable, Hashable, Sendable {
    package let id: AudienceQuestionID
    package let text: String
    package let status: AudienceQuestion.Status
    package let pinned: Bool
    /// The host's written answer; nil if there is none.
    package let answer: String?
    package private(set) var votes: Int
    package let at: Instant
    package let promise: AudienceQuestion.Promise
    /// Whether the attendee who sent the request asked the question. Nil for all other readers.
    package private(set) var own: Bool?
    /// Whether the attendee who sent the request has voted for the question. Nil for all other readers.
    package private(set) var voted: Bool?
    /// The name of the attendee who asked. Only members see it, and only if the promise is `named`.
    package private(set) var name: String?
    package private(set) var attendeeId: AttendeeID?
    /// The question into which a host merged this one. The attendee who asked sees the votes there.
    package let mergedInto: AudienceQuestionID?
    /// Only members see the version.
    package private(set) var version: Int?

    /// Makes the body that the hall and all attendees see.
    package init(_ question: AudienceQuestion) {
        id = question.id
        text = question.text
        status = question.status
        pinned = question.pinned
        answer = question.answer.isEmpty ? nil : question.answer
        votes = question.votes
        at = question.askedAt
        promise = question.promise
        mergedInto = question.mergedInto
    }

    /// Makes the body that an attendee sees.
    package init(_ question: AudienceQuestion, own: Bool, voted: Bool) {
        self.init(question)
        self.own = own
        self.voted = voted
    }

    /// Makes the body that members see.
    /// - Parameter asker: the attendee who asked; nil if a host wrote the question down, or if the attendee's
    ///   record was deleted. The body ignores it unless the promise is `named`.
    package init(forMembers question: AudienceQuestion, by asker: Attendee?) {
        self.init(question)
        version = question.version
        guard question.promise == .named else { return }
        name = asker?.name
        attendeeId = asker?.id
    }

    /// The position of the question in every list.
    package var rank: AudienceQuestion.Rank {
        AudienceQuestion.Rank(isPinned: pinned, votes: votes, askedAt: at, id: id)
    }

    /// The body without the fields that only members see.
    package var forEverybody: AudienceQuestionBody {
        var copy = self
        (copy.name, copy.attendeeId, copy.version) = (nil, nil, nil)
        return copy
    }

    /// Whether the two bodies differ at most in their votes.
    package func equalsExceptVotes(_ other: AudienceQuestionBody) -> Bool {
        with(votes: other.votes) == other
    }

    /// Returns the same question with another number of votes.
    package func with(votes: Int) -> AudienceQuestionBody {
        var copy = self
        copy.votes = votes
        return copy
    }
}

extension AudienceQuestionBody: Versioned { package var taggedVersion: Int? { version } }

/// The answer to an attendee who voted, or who removed a vote.
package struct VoteBody: Codable, Hashable, Sendable {
    /// The question that holds the vote: the question itself, or the one into which a host merged it.
    package let id: AudienceQuestionID
    package let votes: Int
    package let voted: Bool

    package init(id: AudienceQuestionID, votes: Int, voted: Bool) {
        self.id = id
        self.votes = votes
        self.voted = voted
    }
}

/// A session's settings for questions from the audience.
package struct AudienceSettingsBody: Codable, Hashable, Sendable {
    /// Whether a host has opened the questions.
    package let open: Bool
    /// Whether attendees can ask and vote now.
    package let accepting: Bool
    /// What the form must promise to an attendee who asks now.
    package let promise: AudienceQuestion.Promise
    package let moderation: AudienceSettings.Moderation
    /// The most questions that an attendee can ask, and the most characters of a question.
    package let mostEach: Int
    package let mostCharacters: Int
    package let version: Int

    package init(_ settings: AudienceSettings, in session: Session, at now: Instant) {
        open = settings.open
        accepting = settings.takesQuestions(in: session, at: now)
        promise = settings.promise
        moderation = settings.moderation
        mostEach = AudienceQuestion.mostEach
        mostCharacters = AudienceQuestion.mostCharacters.text
        version = settings.version
    }
}

extension AudienceSettingsBody: Versioned { package var taggedVersion: Int? { version } }

extension HeldWords: Versioned { package var taggedVersion: Int? { version } }

/// The part of a room's frame with questions from the audience. If it is complete, it replaces all questions
/// that the client has. Otherwise it contains the changes.
package struct AudienceQuestionsFrame: Codable, Hashable, Sendable {
    package let open: Bool
    package let promise: AudienceQuestion.Promise
    package let moderation: AudienceSettings.Moderation
    /// The number of visible and answered questions. Only the first `mostItems` of each are in the frames;
    /// the others are in the list of the API.
    package let shown: Int
    /// The number of questions that wait for a host. Only members see it.
    package let pending: Int?
    /// The number of hidden questions. Only members see it.
    package let hidden: Int?
    package let complete: Bool
    /// The new and changed questions, or all of them, in the order of lists.
    package let items: [AudienceQuestionBody]
    /// The questions of which only the number of votes has changed.
    package let votes: [Votes]
    /// The questions that left the list.
    package let removed: [AudienceQuestionID]

    /// The most questions of one status in the frames of a room.
    package static let mostItems = 20

    /// The number of votes of a question.
    package struct Votes: Codable, Hashable, Sendable {
        package let id: AudienceQuestionID
        package let votes: Int

        package init(id: AudienceQuestionID, votes: Int) {
            self.id = id
            self.votes = votes
        }
    }

    package init(
        _ settings: AudienceSettings, shown: Int, pending: Int?, hidden: Int?, complete: Bool,
        items: [AudienceQuestionBody], votes: [Votes] = [], removed: [AudienceQuestionID] = []
    ) {
        open = settings.open
        promise = settings.promise
        moderation = settings.moderation
        self.shown = shown
        self.pending = pending
        self.hidden = hidden
        self.complete = complete
        self.items = items
        self.votes = votes
        self.removed = removed
    }
}
