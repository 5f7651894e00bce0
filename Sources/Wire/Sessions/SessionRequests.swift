package import Meetings

package struct CreateMeetingRequest: Readable, Sendable {
    package let name: String
    package let timeZone: Zone
    package let plannedCount: Int
    package let identifyBy: IdentifyBy
    package let description: String
    package let place: String
    package let session: SessionRequest?

    package init(reading fields: Fields) {
        name = fields.name("name", required: true) ?? ""
        timeZone = fields.zone("timeZone") ?? .utc
        plannedCount = fields.integer("plannedCount", 0...100_000) ?? 0
        identifyBy = fields.choice("identifyBy", of: IdentifyBy.self) ?? .email
        description = fields.text("description", 0...2000) ?? ""
        place = fields.line("place", most: 200) ?? ""
        session = fields.object("session", as: SessionRequest.self, required: true)
    }
}

/// A new session: of a new meeting, or the next of one. What is nil has its default, or the latest session's
/// value.
package struct SessionRequest: Readable, Sendable {
    package let startsAt: Instant
    package let endsAt: Instant
    package let settings: SessionSettings
    package let allowOverlap: Bool
    package let questions: [Question]?
    /// Of the feedback questions; nil leaves it to the latest session, or makes them anonymous.
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

extension SessionSettings: Readable {
    package init(reading fields: Fields) {
        self.init(
            lateAfterMinutes: fields.integer("lateAfterMinutes", 0...1440),
            checkInOpensMinutesBefore: fields.integer("checkInOpensMinutesBefore", 0...1440),
            feedbackClosesHoursAfter: fields.integer("feedbackClosesHoursAfter", 0...720),
            plannedCount: fields.integer("plannedCount", 0...100_000),
            codeKind: fields.choice("codeKind", of: CodeKind.self),
            codeAcceptedSeconds: fields.integer("codeAcceptedSeconds", CodeSchedule.acceptedSeconds))
    }
}

package struct EditMeetingRequest: Readable, Sendable {
    package let name: String?
    package let description: String?
    package let place: String?
    package let timeZone: Zone?
    package let identifyBy: IdentifyBy?
    package let renewCode: Bool

    package init(reading fields: Fields) {
        name = fields.name("name")
        description = fields.text("description", 0...2000)
        place = fields.line("place", most: 200)
        timeZone = fields.zone("timeZone")
        identifyBy = fields.choice("identifyBy", of: IdentifyBy.self)
        renewCode = fields.bool("renewCode") ?? false
    }
}

package struct EditSessionRequest: Readable, Sendable {
    package let startsAt: Instant?
    package let endsAt: Instant?
    package let settings: SessionSettings
    package let allowOverlap: Bool
    package let renewCode: Bool
    /// Ends all links for halls' screens.
    package let revokePresenterLinks: Bool
    /// Why; kept beside the journal.
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
