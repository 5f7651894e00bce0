package import Meetings

/// The request for a new session: the first session of a new meeting, or the next session of an existing
/// meeting. A nil value means the latest session's value, or the default if there is no session yet.
package struct SessionRequest: Readable, Sendable {
    package let startsAt: Instant
    package let endsAt: Instant
    package let settings: SessionSettings
    package let allowOverlap: Bool
    package let questions: [Question]?
    /// Whether the feedback questions are anonymous. Nil means the latest session's value, or anonymous if
    /// there is no session yet.
    package let anonymous: Bool?

    package init(reading fields: Fields) {
        let (start, end) = (
            fields.instant("startsAt", required: true), fields.instant("endsAt", required: true)
        )
        startsAt = start ?? Instant(milliseconds: 0)
        endsAt = end ?? Instant(milliseconds: 0)
        settings = SessionSettings(reading: fields)
        allowOverlap = fields.bool("allowOverlap") ?? false
        questions = fields.questions()
        anonymous = fields.bool("anonymous")
        if let start, let end, let error = SessionTimes.error(startsAt: start, endsAt: end) {
            fields.fail("endsAt", error)
        }
    }
}

/// The request for the next session of a meeting.
package struct ContinueRequest: Readable, Sendable {
    package let session: SessionRequest
    package let meetingValues: MeetingValues

    package init(reading fields: Fields) {
        session = SessionRequest(reading: fields)
        meetingValues = MeetingValues(reading: fields)
    }
}

extension MeetingValues: Readable {
    package init(reading fields: Fields) {
        self.init(
            identifyBy: fields.choice("identifyBy", of: IdentifyBy.self),
            description: fields.text("description", 0...2000), venue: fields.line("place", most: 200))
    }
}

extension SessionSettings: Readable {
    package init(reading fields: Fields) {
        self.init(
            title: fields.line("title", most: 100),
            lateAfterMinutes: fields.integer("lateAfterMinutes", 0...1440),
            checkInOpensMinutesBefore: fields.integer("checkInOpensMinutesBefore", 0...1440),
            feedbackClosesHoursAfter: fields.integer("feedbackClosesHoursAfter", 0...720),
            plannedCount: fields.integer("plannedCount", 0...100_000),
            codeKind: fields.choice("codeKind", of: CodeKind.self),
            codeAcceptedSeconds: fields.integer("codeAcceptedSeconds", CodeSchedule.acceptedSeconds),
            checkOut: fields.choice("checkOut", of: CheckOut.self),
            minimumMinutes: fields.integer("minimumMinutes", 0...SessionTimes.mostDays * 24 * 60),
            minimumPercent: fields.integer("minimumPercent", 0...100))
        if minimumMinutes ?? 0 > 0, minimumPercent ?? 0 > 0 {
            fields.fail("minimumPercent", .notTogether(with: "minimumMinutes"))
        }
    }
}

/// The request that edits a session, renews its code or revokes its presenter links. Absent fields keep their
/// values.
package struct EditSessionRequest: Readable, Sendable {
    package let startsAt: Instant?
    package let endsAt: Instant?
    package let settings: SessionSettings
    package let allowOverlap: Bool
    package let renewCode: Bool
    /// Whether to revoke all presenter links.
    package let revokePresenterLinks: Bool
    /// The reason for the change. It is stored outside the journal.
    package let note: String

    package init(reading fields: Fields) {
        startsAt = fields.instant("startsAt")
        endsAt = fields.instant("endsAt")
        settings = SessionSettings(reading: fields)
        allowOverlap = fields.bool("allowOverlap") ?? false
        renewCode = fields.bool("renewCode") ?? false
        revokePresenterLinks = fields.bool("revokePresenterLinks") ?? false
        note = fields.line("note", most: noteLength) ?? ""
    }
}

/// The request for a list of the caller's sessions that a session at this time would overlap.
package struct OverlapRequest: Readable, Sendable {
    package let startsAt: Instant
    package let endsAt: Instant
    package let exceptSessionId: SessionID?

    package init(reading fields: Fields) {
        let (start, end) = (
            fields.instant("startsAt", required: true), fields.instant("endsAt", required: true)
        )
        startsAt = start ?? Instant(milliseconds: 0)
        endsAt = end ?? Instant(milliseconds: 0)
        exceptSessionId = fields.id("exceptSessionId", of: Session.self)
        if let start, let end, end <= start { fields.fail("endsAt", .endsBeforeStart) }
    }
}

/// The request that creates the next sessions of a meeting by a rule.
package struct RepeatRequest: Readable, Sendable {
    /// The kind of the rule.
    package enum Rule: String, Codable, CaseIterable, Sendable { case weekly, weekdays, days }

    package let rule: SeriesRule
    package let count: Int
    package let first: (startsAt: Instant, endsAt: Instant)?
    package let settings: SessionSettings
    package let meetingValues: MeetingValues
    package let allowOverlap: Bool

    package init(reading fields: Fields) {
        let kind = fields.choice("rule", of: Rule.self, required: true) ?? .weekly
        let every = fields.integer("every", SeriesRule.days)
        let days = fields.weekdays("on")
        count = fields.integer("count", required: true, 1...SeriesRule.most) ?? 1
        let (start, end) = (fields.instant("startsAt"), fields.instant("endsAt"))
        settings = SessionSettings(reading: fields)
        meetingValues = MeetingValues(reading: fields)
        allowOverlap = fields.bool("allowOverlap") ?? false
        rule =
            switch kind {
            case .weekly: .weekly
            case .weekdays: .weekdays(days ?? Weekday.working)
            case .days: .everyDays(every ?? 1)
            }
        if kind == .days, every == nil, !fields.has("every") { fields.fail("every", .missing) }
        if start == nil, end != nil, !fields.has("startsAt") { fields.fail("startsAt", .missing) }
        if end == nil, start != nil, !fields.has("endsAt") { fields.fail("endsAt", .missing) }
        if let start, let end {
            first = (start, end)
            if let error = SessionTimes.error(startsAt: start, endsAt: end) { fields.fail("endsAt", error) }
        } else {
            first = nil
        }
    }
}

extension Fields {
    /// Reads a list of 1 to 7 different days of the week.
    func weekdays(_ name: String) -> Set<Weekday>? {
        let names = Weekday.allCases.map(\.rawValue)
        return value(name, required: false, .array(.oneOf(names), min: 1, max: 7)) {
            guard $0.isArray else { return .failure(FieldError("", .wrongType(expected: "array"))) }
            let elements = $0.elements
            guard (1...7).contains(elements.count) else {
                return .failure(FieldError("", .count(min: 1, max: 7)))
            }
            let days = elements.compactMap { $0.string.flatMap { Weekday(rawValue: $0) } }
            return days.count == elements.count
                ? .success(Set(days)) : .failure(FieldError("", .notOneOf(names)))
        }
    }
}
