package import Meetings

/// A frame with changes in a room. A frame may have several parts.
package struct RoomFrame: Codable, Sendable {
    package let room: String
    /// The sequence number, which never decreases; nil in the room `home`, which has none,
    /// and in frames about groups of interest.
    package let sequence: Int64?
    package var snapshot: Snapshot?
    /// All counts. The newest counts replace all earlier counts.
    package var attendance: Attendance?
    /// The new arrivals in order, at most 50 in a frame.
    package var arrivals: [AttendeeBody]?
    /// The number of arrivals that were omitted because the client received frames too slowly.
    package var arrivalsOmitted: Int?
    /// The number of arrivals that later frames bring, although the counts include them already; nil if there
    /// are none.
    package var arrivalsToCome: Int?
    /// Attendees whose record changed.
    package var changed: [AttendeeBody]?
    package var removed: [AttendeeID]?
    package var tally: TallyBody?
    /// The number of responses to the feedback set. The tallies of anonymous answers are updated later, in
    /// groups.
    package var feedback: SessionBody.Feedback?
    /// The question sets that were opened, closed, shared, edited or answered; the clock, too, opens and
    /// closes the feedback set. Each set is complete. Other sets have not changed.
    package var sets: [QuestionSetSummary]?
    /// The names of deleted question sets, whose tallies are deleted too. A set in `sets` of the same frame
    /// exists again.
    package var removedSets: [String]?
    package var session: SessionBody?
    package var code: CodeBody?
    /// The changes of questions from the audience, or all questions.
    package var audienceQuestions: AudienceQuestionsFrame?
    /// For members only: the texts of answers whose status changed, and new ones.
    package var moderated: [ModeratedTextsFrame]?

    /// The changes of groups of interest. A frame with this part has no sequence number and no other
    /// part.
    package var matching: MatchingFrame?
    /// Whether more frames with this sequence number follow at once. True or nil.
    package var more: Bool?

    /// The highest number of arrivals in a frame.
    package static let mostArrivals = 50

    package init(room: RoomName, sequence: Int64?) {
        self.room = room.text
        self.sequence = sequence
    }

    /// The whole state of a room.
    package struct Snapshot: Codable, Sendable {
        package let session: SessionBody
        package let tallies: [TallyBody]
        /// The newest 50 arrivals, newest last; nil if the room shows no names.
        package let arrivals: [AttendeeBody]?
        package let code: CodeBody?
        /// All question sets that the room shows.
        package let sets: [QuestionSetSummary]?
        /// The first questions from the audience; nil if the session has never used them.
        package let audienceQuestions: AudienceQuestionsFrame?
        /// The texts of answers to each question that takes texts, for members only.
        package let moderated: [ModeratedTextsFrame]?
        /// As in later frames.
        package let arrivalsToCome: Int?

        package init(
            session: SessionBody, tallies: [TallyBody], arrivals: [AttendeeBody]?, code: CodeBody?,
            sets: [QuestionSetSummary]? = nil, audienceQuestions: AudienceQuestionsFrame? = nil,
            moderated: [ModeratedTextsFrame]? = nil, arrivalsToCome: Int? = nil
        ) {
            self.session = session
            self.tallies = tallies
            self.arrivals = arrivals
            self.code = code
            self.sets = sets
            self.audienceQuestions = audienceQuestions
            self.moderated = moderated
            self.arrivalsToCome = arrivalsToCome
        }
    }
}

/// The check-in code that the screen shows now.
package struct CodeBody: Codable, Hashable, Sendable {
    package let url: String
    package let joinCode: String
    /// The milliseconds until the code changes; nil for a static code, which is valid during the whole
    /// check-in window.
    package let expiresInMs: Int?

    package init(url: String, joinCode: String, expiresInMs: Int?) {
        self.url = url
        self.joinCode = joinCode
        self.expiresInMs = expiresInMs
    }
}

/// The answer to a client that joined a room.
package struct Joined: Codable, Sendable {
    package let joined: String
    package let id: Int?
    package let epoch: String
    package let sequence: Int64?
    package let recovered: Bool
    package let now: Instant

    package init(joined: RoomName, id: Int?, epoch: String, sequence: Int64?, recovered: Bool, now: Instant) {
        self.joined = joined.text
        self.id = id
        self.epoch = epoch
        self.sequence = sequence
        self.recovered = recovered
        self.now = now
    }
}

/// The answer to a client that left a room.
package struct Left: Codable, Sendable {
    package let left: String
    package let id: Int?

    package init(left: RoomName, id: Int?) {
        self.left = left.text
        self.id = id
    }
}

/// A ticket for an event stream, which is valid once.
package struct TicketBody: Codable, Sendable {
    package let ticket: String
    package let expiresAt: Instant

    package init(ticket: String, expiresAt: Instant) {
        (self.ticket, self.expiresAt) = (ticket, expiresAt)
    }
}

/// The answer to the client's ping.
package struct Pong: Codable, Sendable {
    package let pong: Int

    package init(pong: Int) { self.pong = pong }
}

/// The answer to a client that sent a valid token.
package struct Authorized: Codable, Sendable {
    package let authorized: Bool

    package init() { authorized = true }
}

/// A problem, as the answer to a client's message with this id.
package struct RoomError: Codable, Sendable {
    package let error: Problem
    package let id: Int?

    package init(_ error: Problem, id: Int?) {
        self.error = error
        self.id = id
    }
}

/// A frame of the room `home`, which has no sequence numbers. Each session in it is complete.
package struct HomeFrame: Codable, Sendable {
    package let room: String
    package let snapshot: Snapshot?
    package let session: SessionBody?
    /// The sessions that were deleted, and those of a meeting that the account is no longer a member of.
    package let removed: [SessionID]?

    /// The whole state of the room.
    package struct Snapshot: Codable, Sendable {
        /// The sessions of today, each in its meeting's zone, at most 200. Then the running, next or latest
        /// session of each meeting, unless it is among them, at most 50.
        package let sessions: [SessionBody]
        package let nearest: SessionID?

        package init(sessions: [SessionBody], nearest: SessionID?) {
            self.sessions = sessions
            self.nearest = nearest
        }
    }

    package init(snapshot: Snapshot? = nil, session: SessionBody? = nil, removed: [SessionID]? = nil) {
        room = RoomName.home.text
        self.snapshot = snapshot
        self.session = session
        self.removed = removed
    }
}
