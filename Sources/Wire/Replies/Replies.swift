package import Meetings
package import Phrases

/// The request that sets the seats of a session, and whether it asks for replies. Absent fields keep their
/// values.
package struct ReplySettingsRequest: Readable, Sendable {
    package let mode: ReplySettings.Mode?
    /// The number of seats; `.some(nil)` for no limit.
    package let capacity: Int??
    /// The most guests of one person.
    package let mostGuests: Int?
    /// Whether the page gets another address, so that the present one ends.
    package let renewLink: Bool

    package init(reading fields: Fields) {
        mode = fields.choice("mode", of: ReplySettings.Mode.self)
        let seats = fields.integer("capacity", ReplySettings.capacities)
        capacity = fields.isNull("capacity") ? .some(nil) : seats.map { .some($0) }
        mostGuests = fields.integer("mostGuests", ReplySettings.guests)
        renewLink = fields.bool("renewLink") ?? false
    }
}

/// The seats of a session and the counts of its replies.
package struct ReplySettingsBody: Codable, Hashable, Sendable {
    package let mode: ReplySettings.Mode
    /// The number of seats; nil for no limit.
    package let capacity: Int?
    package let mostGuests: Int
    /// The address of the page on which people reply; nil before a host has set anything.
    package let url: String?
    package let counts: ReplyCounts
    /// The number of free seats; nil for no limit.
    package let freeSeats: Int?
    package let version: Int

    /// - Parameter url: returns the address of a code.
    package init(_ settings: ReplySettings?, url: (String) -> String) {
        mode = settings?.mode ?? .off
        capacity = settings?.capacity
        mostGuests = settings?.mostGuests ?? 0
        self.url = settings.map { url($0.code) }
        counts = settings?.counts ?? ReplyCounts()
        freeSeats = settings?.freeSeats
        version = settings?.version ?? 0
    }
}

extension ReplySettingsBody: Versioned { package var taggedVersion: Int? { version } }

/// A reply, for hosts and viewers.
package struct ReplyBody: Codable, Hashable, Sendable {
    package let id: ReplyID
    package let name: String
    /// The address or number by which the meeting identifies the person; nil if it uses names.
    package let identity: String?
    package let status: Reply.Status
    package let guests: Int
    /// The place in the order of the waiting list or of the requests; nil for other statuses.
    package let place: Int64?
    /// The attendee's record of the person; nil if there is none.
    package let attendeeId: AttendeeID?
    package let createdAt: Instant
    package let changedAt: Instant
    /// The moment at which a host mailed the person's link; nil if no host did.
    package let invitedAt: Instant?

    package init(_ reply: Reply) {
        id = reply.id
        name = reply.name
        identity = reply.identity.isEmpty ? nil : reply.identity
        status = reply.status
        guests = reply.guests
        place = reply.place == 0 ? nil : reply.place
        attendeeId = reply.attendee
        createdAt = reply.createdAt
        changedAt = reply.changedAt
        invitedAt = reply.invitedAt
    }
}

/// The request by which a host accepts or declines a person.
package struct DecideReplyRequest: Readable, Sendable {
    package let approve: Bool
    /// Whether the person gets a seat even if none is free.
    package let beyondCapacity: Bool

    package init(reading fields: Fields) {
        approve = fields.bool("approve", required: true) ?? false
        beyondCapacity = fields.bool("beyondCapacity") ?? false
        if beyondCapacity, !approve { fields.fail("beyondCapacity", .notTogether(with: "approve")) }
    }
}

/// The request that mails people their own links: one person, or everybody on the roster who was not mailed
/// before.
package struct MailReplyLinksRequest: Readable, Sendable {
    package let personId: PersonID?

    package init(reading fields: Fields) { personId = fields.id("personId", of: Person.self) }
}

/// The result of a request for mails with links.
package struct ReplyLinksMailedBody: Codable, Hashable, Sendable {
    package let queued: Int
    /// The number of people without an address, or who want no mails.
    package let withoutAddress: Int
    /// The number of people who were mailed before, or have replied.
    package let mailedBefore: Int
    /// Whether a limit of a day was reached, so that mails are missing.
    package let limitReached: Bool

    package init(queued: Int, withoutAddress: Int, mailedBefore: Int, limitReached: Bool) {
        self.queued = queued
        self.withoutAddress = withoutAddress
        self.mailedBefore = mailedBefore
        self.limitReached = limitReached
    }
}

/// A reply at the door: whether a seat waits for the person, and how many guests come along.
package struct DoorReplyBody: Codable, Hashable, Sendable {
    package let status: Reply.Status
    package let guests: Int

    package init(_ reply: Reply) { (status, guests) = (reply.status, reply.guests) }
}

/// The replies of a session as CSV.
package struct ReplyTable: Sendable {
    private var table: SpreadsheetTable<Reply>

    package var bytes: [UInt8] { table.bytes }

    package init(of meeting: Meeting, _ form: TableForm) {
        let (zone, isEmail) = (meeting.timeZone, meeting.identifyBy == .email)
        table = SpreadsheetTable(
            form,
            [
                .init("name", form.word(Phrase.Export.name)) { .text($0.name) },
                .init("email", form.word(Phrase.Export.email)) { .text(isEmail ? $0.identity : "") },
                .init("number", form.word(Phrase.Export.number)) { .text(isEmail ? "" : $0.identity) },
                .init("reply", form.word(Phrase.Reply.reply)) { .text(form.word($0.status.phrase)) },
                .init("guests", form.word(Phrase.Reply.guests)) { .number(String($0.guests)) },
                .init("changedAt", form.word(Phrase.Reply.changedAt)) {
                    .text(WallTime($0.changedAt, in: zone).text)
                },
            ])
    }

    package mutating func add(_ reply: Reply) { table.add(reply) }
}

extension Reply.Status {
    /// The word for the status, for hosts.
    package var phrase: Phrase {
        switch self {
        case .invited: Phrase.Reply.invited
        case .no: Phrase.Reply.no
        case .maybe: Phrase.Reply.maybe
        case .accepted: Phrase.Reply.accepted
        case .waiting: Phrase.Reply.waiting
        case .requested: Phrase.Reply.requested
        case .declined: Phrase.Reply.declined
        }
    }
}
