package import Meetings

/// The request of a door: the scanned or typed text, the attendee or the reply that the staff has found, or
/// the name of a person without a record. Exactly one of the four is given.
package struct DoorRequest: Readable, Sendable {
    /// The address in the QR code of a pass or its last part, or the number or address by which the meeting
    /// identifies people.
    package let scan: String?
    package let attendeeID: AttendeeID?
    /// A person without a record whom the staff has found among the replies.
    package let replyID: ReplyID?
    package let name: String?
    /// The number of the door; nil if it has none.
    package let door: Int?
    /// Whether to say the verdict without letting anybody in.
    package let onlyAsk: Bool
    /// Whether the person leaves.
    package let leaves: Bool
    /// Whether to let the person in after the verdict `waiting`, `declined` or `full`.
    package let anyway: Bool
    /// Whether an offline door lets in a genuine pass that it does not know.
    package let unknown: Bool

    package init(reading fields: Fields) {
        replyID = fields.id("replyId", of: Reply.self)
        anyway = fields.bool("anyway") ?? false
        scan = fields.text("scan", 1...500)
        attendeeID = fields.id("attendeeId", of: Attendee.self)
        name = fields.name("name")
        door = fields.integer("door", Door.numbers)
        onlyAsk = fields.bool("onlyAsk") ?? false
        leaves = fields.bool("leaves") ?? false
        unknown = fields.bool("unknown") ?? false
        let given = ["scan", "attendeeId", "replyId", "name"].filter(fields.has)
        if given.isEmpty { fields.fail("scan", .missing) }
        for field in given.dropFirst() { fields.fail(field, .notTogether(with: given[0])) }
        if leaves, onlyAsk { fields.fail("onlyAsk", .notTogether(with: "leaves")) }
    }
}

/// The request that undoes an admission.
package struct UndoAdmissionRequest: Readable, Sendable {
    /// The sequence number of the admission's event.
    package let sequence: Int

    package init(reading fields: Fields) {
        sequence = fields.integer("sequence", required: true, 1...Int(Int32.max)) ?? 0
    }
}

/// The answer to a door. A client treats a verdict that it does not know as a refusal.
package struct DoorBody: Codable, Hashable, Sendable {
    package let verdict: DoorVerdict
    /// The name of the person; nil if the staff may not know it, or if the pass belongs to nobody any more.
    package let name: String?
    package let attendeeId: AttendeeID?
    /// The status of the attendee; nil if there is no record.
    package let status: AttendanceStatus?
    /// The moment since which the person is in.
    package let checkedInAt: Instant?
    /// The host's note about the person; nil if there is none.
    package let note: String?
    /// Whether the person is a newcomer; nil instead of false.
    package let firstTime: Bool?
    /// Whether the roster did not expect the person; nil instead of false.
    package let walkIn: Bool?
    /// The moment since when the person is outside; nil if the person is inside.
    package let leftAt: Instant?
    /// The person's reply; nil if there is none.
    package let reply: DoorReplyBody?
    /// The sequence number of the event, for an undo; nil if this request has let nobody in or out.
    package let sequence: Int64?
    /// The number of the entry that this offline door has stored. The server has the entry if
    /// `OfflineDoorBody.sent` is not smaller. Nil at a door of the server itself, and if nothing was stored.
    package let stored: Int64?
    package let counts: DoorCounts?

    package init(
        _ verdict: DoorVerdict, of person: Person?, _ attendee: Attendee?, reply: Reply? = nil,
        sequence: Int64?, offline: OfflineStep? = nil, counts: DoorCounts
    ) {
        self.verdict = verdict
        self.reply = reply.map { DoorReplyBody($0) }
        // The record of an offline door has a dash instead of a name.
        name = if let offline { offline.name } else { attendee?.name ?? person?.name ?? reply?.name }
        attendeeId = attendee?.id
        status = attendee?.status.shown(sessionIsOver: false)
        checkedInAt = attendee?.checkedInAt
        leftAt = attendee?.stays?.leftAt
        note = (attendee?.note).flatMap { $0.isEmpty ? nil : $0 }
        firstTime = attendee?.firstTime == true ? true : nil
        walkIn = attendee?.walkIn == true ? true : nil
        self.sequence = sequence
        stored = offline?.stored
        self.counts = counts
    }

    /// What an offline door adds to a verdict.
    package struct OfflineStep: Sendable {
        /// The name of the person; nil if the host chose no names, or if the staff has not typed the key.
        package let name: String?
        /// The number of the stored entry; nil if the door has let nobody in or out.
        package let stored: Int64?

        package init(name: String?, stored: Int64?) { (self.name, self.stored) = (name, stored) }
    }
}

/// What an offline door knows about its server.
package struct OfflineDoorBody: Codable, Hashable, Sendable {
    /// The number of this door's newest entry that the server has.
    package let sent: Int64
    /// The number of this door's entries that the server has not got.
    package let unsent: Int
    /// The last moment at which the server answered.
    package let seenAt: Instant
    /// The number of second entries of people who were in, as far as this door knows.
    package let doubles: Int
    /// Whether the host has revoked this offline door. Then its entries wait for the host's decision.
    package let revoked: Bool
    /// Whether the folder of this offline door was copied or restored, so that the server takes no entries.
    package let copied: Bool
    /// Whether the staff has typed the key, so that this door shows names.
    package let hasNames: Bool

    package init(
        sent: Int64, unsent: Int, seenAt: Instant, doubles: Int, revoked: Bool = false, copied: Bool = false,
        hasNames: Bool = false
    ) {
        self.sent = sent
        self.unsent = unsent
        self.seenAt = seenAt
        self.doubles = doubles
        self.revoked = revoked
        self.copied = copied
        self.hasNames = hasNames
    }
}

/// The counts on the screen of a door.
package struct DoorCounts: Codable, Hashable, Sendable {
    /// The number of attendees who have checked in, at all doors and by phone.
    package let checkedIn: Int
    /// The number of people who are still expected.
    package let awaited: Int
    /// The number of people who are inside now; nil if the session does not record that people leave.
    package let inside: Int?
    /// How many of the checked-in attendees this door has let in; nil if the request named no door, and in
    /// the answer to an admission.
    package var atDoor: Int?
    /// The number of seats; nil if the session has no limit, and in lists.
    package var capacity: Int?
    /// The people inside, or checked in if the session does not record leaving, with their guests; nil as
    /// `capacity`.
    package var taken: Int?

    package init(_ attendance: Attendance, atDoor: Int? = nil, _ occupancy: Occupancy? = nil) {
        (capacity, taken) = (occupancy?.capacity, occupancy?.taken)
        checkedIn = attendance.checkedIn
        awaited = attendance.awaited
        inside = attendance.inside
        self.atDoor = atDoor
    }
}

/// A session whose door the caller may keep.
package struct DoorSessionBody: Codable, Hashable, Sendable {
    package let id: SessionID
    package let meetingId: MeetingID
    package let meetingName: String
    package let round: Int
    /// The session's own title; nil if the host gave none.
    package let title: String?
    package let startsAt: Instant
    package let endsAt: Instant
    package let timeZone: String
    package let checkInOpensAt: Instant
    package let checkInClosesAt: Instant
    /// What the staff can scan or type besides passes: an e-mail address or a number. With `name`, only the
    /// search finds people.
    package let identifyBy: IdentifyBy
    package var counts: DoorCounts
    /// What this offline door knows about its server; nil at a door of the server itself.
    package let offline: OfflineDoorBody?

    package init(_ record: SessionRecord, counts: DoorCounts, offline: OfflineDoorBody? = nil) {
        let session = record.session
        id = session.id
        meetingId = session.meetingID
        meetingName = record.meeting.name
        round = session.round
        title = session.title.isEmpty ? nil : session.title
        startsAt = session.startsAt
        endsAt = session.endsAt
        timeZone = record.meeting.timeZone.name
        checkInOpensAt = session.checkInOpensAt
        checkInClosesAt = session.checkInClosesAt
        identifyBy = record.meeting.identifyBy
        self.counts = counts
        self.offline = offline
    }
}

/// The people whom the staff at a door has found by a part of their name.
package struct DoorPeopleBody: Codable, Hashable, Sendable {
    /// At most `Door.mostFound` people.
    package let items: [Item]
    /// Whether more people match, so that the staff must type more letters.
    package let hasMore: Bool

    /// An attendee, or a person without a record who has replied. Exactly one of the two ids is given.
    package struct Item: Codable, Hashable, Sendable {
        package let attendeeId: AttendeeID?
        package let replyId: ReplyID?
        package let name: String
        /// A part of the number or address that tells people of the same name apart; nil for others.
        package let hint: String?
        /// The status of the attendee; nil without a record.
        package let status: AttendanceStatus?
        /// The reply of a person without a record; nil for attendees.
        package let reply: DoorReplyBody?
    }

    package init(_ found: [Attendee], _ replies: [Reply] = [], hasMore: Bool) {
        let names = Dictionary(grouping: found, by: { IdentityKey($0.name) })
        // People of the same name are always in the same order, so that nobody presses the wrong one.
        items =
            found.sorted { ($0.name, $0.identity) < ($1.name, $1.identity) }.map {
                Item(
                    attendeeId: $0.id, replyId: nil, name: $0.name,
                    hint: names[IdentityKey($0.name), default: []].count > 1 ? Self.hint($0.identity) : nil,
                    status: $0.status.shown(sessionIsOver: false), reply: nil)
            }
            + replies.map {
                Item(
                    attendeeId: nil, replyId: $0.id, name: $0.name, hint: Self.hint($0.identity), status: nil,
                    reply: DoorReplyBody($0))
            }
        self.hasMore = hasMore
    }

    /// Returns the first two characters of an address, or the last two of a number.
    private static func hint(_ identity: String) -> String? {
        if identity.count < 4 { return nil }
        return identity.contains("@") ? "\(identity.prefix(2))…" : "…\(identity.suffix(2))"
    }
}
