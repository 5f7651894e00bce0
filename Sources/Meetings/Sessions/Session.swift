/// One session (round) of a meeting, with a start and an end. `SessionTimeRules.swift` derives the check-in
/// and feedback windows from these times.
package struct Session: Hashable, Sendable, Codable {
    package let id: SessionID
    package let meetingID: MeetingID
    /// The number of the session in its meeting: 1 for the first session.
    package let round: Int
    /// The session's own title, which people see beside the number: at most 100 characters; empty if the host
    /// gave none.
    package var title: String {
        get { ownTitle ?? "" }
        set { ownTitle = newValue.isEmpty ? nil : newValue }
    }
    /// Nil instead of empty, because stored corrections of older servers have no such value.
    private var ownTitle: String?
    package var startsAt: Instant
    package var endsAt: Instant
    /// The number of minutes after the start until which an attendee is still on time (the late rule);
    /// 0–1,440.
    package var lateAfterMinutes: Int
    /// The number of minutes before the start at which check-in opens; 0–1,440.
    package var checkInOpensMinutesBefore: Int
    /// The number of hours after the end at which feedback closes; 0–720.
    package var feedbackClosesHoursAfter: Int
    /// The number of attendees that the host expects; 0 if the host gave no number.
    package var plannedCount: Int
    package var codeKind: CodeKind
    /// A number that the MAC of the check-in code covers. It increases by one when a host renews the code, so
    /// that the old code becomes invalid.
    package var codeVersion: Int
    /// The number of seconds for which a rotating code is accepted after it was first shown; 20–120.
    package var codeAcceptedSeconds: Int
    /// The people who may record that an attendee leaves. By default, nobody may.
    package var checkOut: CheckOut {
        get { ownCheckOut ?? .notRecorded }
        set { ownCheckOut = newValue == .notRecorded ? nil : newValue }
    }
    /// The minimum time for full presence: minutes, 0–20,160, or a percentage of the session's length, 0–100.
    /// At most one of the two is above 0.
    package var minimumMinutes: Int {
        get { ownMinimumMinutes ?? 0 }
        set { ownMinimumMinutes = newValue == 0 ? nil : newValue }
    }
    package var minimumPercent: Int {
        get { ownMinimumPercent ?? 0 }
        set { ownMinimumPercent = newValue == 0 ? nil : newValue }
    }
    // Nil instead of the defaults, because stored corrections of older servers have no such values.
    private var ownCheckOut: CheckOut?
    private var ownMinimumMinutes: Int?
    private var ownMinimumPercent: Int?
    /// The join code: six characters that an attendee can type, unique among sessions. A session with
    /// rotating codes shows different, changing join codes.
    package var joinCode: String
    /// The session's version number, which is also its entity tag. Every edit increases it by one.
    package var version: Int
    /// The moment at which the server deleted the names of the attendees, because their retention was over;
    /// nil if they are still stored.
    package var namesDeletedAt: Instant?

    package init(
        id: SessionID, meetingID: MeetingID, round: Int, title: String = "", startsAt: Instant,
        endsAt: Instant, lateAfterMinutes: Int = 10,
        checkInOpensMinutesBefore: Int = 60, feedbackClosesHoursAfter: Int = 24, plannedCount: Int = 0,
        codeKind: CodeKind = .static,
        codeVersion: Int = 1, codeAcceptedSeconds: Int = 30, joinCode: String, version: Int = 1
    ) {
        self.id = id
        self.meetingID = meetingID
        self.round = round
        ownTitle = title.isEmpty ? nil : title
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.lateAfterMinutes = lateAfterMinutes
        self.checkInOpensMinutesBefore = checkInOpensMinutesBefore
        self.feedbackClosesHoursAfter = feedbackClosesHoursAfter
        self.plannedCount = plannedCount
        self.codeKind = codeKind
        self.codeVersion = codeVersion
        self.codeAcceptedSeconds = codeAcceptedSeconds
        self.joinCode = joinCode
        self.version = version
    }
}

/// The two kinds of check-in codes: fixed codes, and codes that change (`CodeSchedule`).
package enum CodeKind: String, Sendable, Codable, CaseIterable {
    case `static`, rotating
}

/// The settings of a session besides its times. A nil field means: the default for a meeting's first session,
/// the latest session's value for a new round, or the present value for an edit. Only `title` is not copied:
/// a new round has none unless the host gives one.
package struct SessionSettings: Hashable, Sendable {
    /// The title, normalized; an empty text deletes it.
    package var title: String?
    package var lateAfterMinutes: Int?
    package var checkInOpensMinutesBefore: Int?
    package var feedbackClosesHoursAfter: Int?
    package var plannedCount: Int?
    package var codeKind: CodeKind?
    package var codeAcceptedSeconds: Int?
    package var checkOut: CheckOut?
    /// 0 for no minimum. A number above 0 replaces a percentage, and the other way round.
    package var minimumMinutes: Int?
    package var minimumPercent: Int?

    package init(
        title: String? = nil, lateAfterMinutes: Int? = nil, checkInOpensMinutesBefore: Int? = nil,
        feedbackClosesHoursAfter: Int? = nil,
        plannedCount: Int? = nil, codeKind: CodeKind? = nil, codeAcceptedSeconds: Int? = nil,
        checkOut: CheckOut? = nil, minimumMinutes: Int? = nil, minimumPercent: Int? = nil
    ) {
        self.checkOut = checkOut
        self.minimumMinutes = minimumMinutes
        self.minimumPercent = minimumPercent
        self.title = title
        self.lateAfterMinutes = lateAfterMinutes
        self.checkInOpensMinutesBefore = checkInOpensMinutesBefore
        self.feedbackClosesHoursAfter = feedbackClosesHoursAfter
        self.plannedCount = plannedCount
        self.codeKind = codeKind
        self.codeAcceptedSeconds = codeAcceptedSeconds
    }
}

extension Session {
    /// Replaces each setting that `settings` contains.
    package mutating func take(_ settings: SessionSettings) {
        title = settings.title ?? title
        lateAfterMinutes = settings.lateAfterMinutes ?? lateAfterMinutes
        checkInOpensMinutesBefore = settings.checkInOpensMinutesBefore ?? checkInOpensMinutesBefore
        feedbackClosesHoursAfter = settings.feedbackClosesHoursAfter ?? feedbackClosesHoursAfter
        plannedCount = settings.plannedCount ?? plannedCount
        codeKind = settings.codeKind ?? codeKind
        codeAcceptedSeconds = settings.codeAcceptedSeconds ?? codeAcceptedSeconds
        checkOut = settings.checkOut ?? checkOut
        if let minutes = settings.minimumMinutes {
            minimumMinutes = minutes
            if minutes > 0 { minimumPercent = 0 }
        }
        if let percent = settings.minimumPercent {
            minimumPercent = percent
            if percent > 0 { minimumMinutes = 0 }
        }
    }

    /// Returns a later session of the same meeting, with a random join code. The given settings replace this
    /// session's settings; all other settings are copied, except the title.
    package func next(
        id: SessionID, round: Int, startsAt: Instant, endsAt: Instant, _ settings: SessionSettings
    ) -> Session {
        var session = Session(
            id: id, meetingID: meetingID, round: round, startsAt: startsAt, endsAt: endsAt,
            lateAfterMinutes: lateAfterMinutes,
            checkInOpensMinutesBefore: checkInOpensMinutesBefore,
            feedbackClosesHoursAfter: feedbackClosesHoursAfter,
            plannedCount: plannedCount, codeKind: codeKind, codeAcceptedSeconds: codeAcceptedSeconds,
            joinCode: JoinCode.random())
        session.checkOut = checkOut
        (session.minimumMinutes, session.minimumPercent) = (minimumMinutes, minimumPercent)
        session.take(settings)
        return session
    }
}
