/// One person's reply to the question whether the person comes to a session (RSVP).
package struct Reply: Hashable, Sendable {
    package let id: ReplyID
    package let sessionID: SessionID
    /// The name: that of the roster if the roster knows the person, and else as the person typed it.
    package var name: String
    /// The e-mail address or number by which the meeting identifies the person; empty if it identifies people
    /// by name. A session has one reply for each identity.
    package let identity: String
    package var status: Status
    /// The number of guests who come along; 0 unless the person wants a seat.
    package var guests: Int
    /// The place in the order of the waiting list, or of the requests; 0 for other statuses.
    package var place: Int64
    /// The attendee's record of the same person in the session; nil if there is none.
    package var attendee: AttendeeID?
    /// Whether the acceptance of this reply has created the attendee's record, so that its end removes it.
    package var madeAttendee: Bool
    /// Whether the owner of the address has used a link that was mailed to it.
    package var isProved: Bool
    /// The number of changes by the person.
    package var changes: Int
    /// The tag of the language of mails to the person.
    package let language: String
    package let createdAt: Instant
    package var changedAt: Instant
    /// The moment at which the host mailed the person's link; nil if no host did.
    package var invitedAt: Instant?
    /// What the person must still learn by a mail that has to wait; nil if nothing.
    package var news: ReplyNews?
    /// The moment before which no mail tells the person the news, or of another promotion; nil if a mail may
    /// leave at once.
    package var newsFrom: Instant?

    package enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// The host has mailed the person's link, and the person has not replied.
        case invited
        case no, maybe
        /// The person comes, and has a seat.
        case accepted
        /// The person wants to come, and no seat is free.
        case waiting
        /// The person wants to come, and the host has not decided.
        case requested
        /// The host does not accept the person.
        case declined

        /// Whether the person wants to come, and the host has not refused it.
        package var wantsSeat: Bool { self == .accepted || self == .waiting || self == .requested }
    }

    /// What a person answers.
    package enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
        case yes, no, maybe
    }

    /// The most replies of a session, as many as a roster has people.
    package static let most = 20_000
    /// The most changes of a reply by the person.
    package static let mostChanges = 50
    /// The shortest time between two mails about promotions. Otherwise somebody who gives a seat up and gets
    /// it again would use up the host's mails.
    package static let pauseBetweenPromotions = Duration.hours(1)
    /// The shortest time between two mails with the own link, if a host names the person again.
    package static let pauseBetweenMails = Duration.seconds(600)

    package init(
        id: ReplyID, sessionID: SessionID, name: String, identity: String, status: Status, guests: Int = 0,
        place: Int64 = 0, attendee: AttendeeID? = nil, madeAttendee: Bool = false, isProved: Bool = false,
        changes: Int = 0, language: String, createdAt: Instant, changedAt: Instant? = nil,
        invitedAt: Instant? = nil, news: ReplyNews? = nil, newsFrom: Instant? = nil
    ) {
        self.id = id
        self.sessionID = sessionID
        self.name = name
        self.identity = identity
        self.status = status
        self.guests = guests
        self.place = place
        self.attendee = attendee
        self.madeAttendee = madeAttendee
        self.isProved = isProved
        self.changes = changes
        self.language = language
        self.createdAt = createdAt
        self.changedAt = changedAt ?? createdAt
        self.invitedAt = invitedAt
        self.news = news
        self.newsFrom = newsFrom
    }

    /// The key under which the identity is unique; nil if names identify people, because several people may
    /// have the same name.
    package var key: IdentityKey? { identity.isEmpty ? nil : IdentityKey(identity) }

    /// The seats that the person and the guests need.
    package var seats: Int { 1 + guests }

    /// What the person answers; nil if the person has not replied, or the host has declined the person.
    package var answer: Answer? {
        switch status {
        case .accepted, .waiting, .requested: .yes
        case .no: .no
        case .maybe: .maybe
        case .invited, .declined: nil
        }
    }
}

package typealias ReplyID = ID<Reply>

/// The seats of a session, whether it asks for replies, and its counts of replies. The counts change with
/// each reply; nobody counts all replies again.
package struct ReplySettings: Hashable, Sendable {
    package let session: SessionID
    package var mode: Mode
    /// The number of seats; nil for no limit.
    package var capacity: Int?
    /// The most guests of one person.
    package var mostGuests: Int
    /// The part of the page's address that nobody can guess.
    package var code: String
    package var version: Int
    /// The place that the next person on the waiting list, or with a request, gets.
    package var nextPlace: Int64 = 1
    package var counts = ReplyCounts()

    package enum Mode: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nobody can reply.
        case off
        /// A yes takes a seat at once.
        case open
        /// A host accepts or declines each yes.
        case approval
    }

    package static let capacities = 1...100_000
    package static let guests = 0...20
    package static let codeLength = 16

    package init(
        session: SessionID, mode: Mode = .off, capacity: Int? = nil, mostGuests: Int = 0, code: String,
        version: Int = 1
    ) {
        self.session = session
        self.mode = mode
        self.capacity = capacity
        self.mostGuests = mostGuests
        self.code = code
        self.version = version
    }

    /// The number of free seats; nil for no limit. It is never negative.
    package var freeSeats: Int? { capacity.map { max(0, $0 - counts.seats) } }

    /// Whether so many more seats are free.
    package func fits(_ seats: Int) -> Bool { capacity.map { counts.seats + seats <= $0 } ?? true }

    /// Returns the status that a reply gets by this answer. Nobody overtakes the waiting list: a yes is
    /// accepted only if nobody waits.
    /// - Parameter before: the present reply of the person; nil if there is none.
    /// - Throws: `repliesClosed` if nobody can reply, or the host has declined the person; `invalid` for too
    ///   many guests; `noSeats` if an accepted person wants more guests than there are free seats.
    package func status(for answer: Reply.Answer, guests: Int, before: Reply?) throws(Refusal)
        -> Reply.Status
    {
        if mode == .off || before?.status == .declined { throw .repliesClosed }
        switch answer {
        case .no: return .no
        case .maybe: return .maybe
        case .yes:
            guard (0...mostGuests).contains(guests) else {
                throw .invalid([FieldError("/guests", .range(min: 0, max: mostGuests))])
            }
            if let before, before.status.wantsSeat {
                guard before.status == .accepted, guests > before.guests else { return before.status }
                guard counts.waiting == 0, fits(guests - before.guests) else {
                    throw .noSeats(free: counts.waiting == 0 ? freeSeats ?? 0 : 0)
                }
                return .accepted
            }
            if mode == .approval { return .requested }
            return counts.waiting == 0 && fits(1 + guests) ? .accepted : .waiting
        }
    }
}

/// The number of replies of a session by status.
package struct ReplyCounts: Hashable, Sendable, Codable {
    package var invited = 0
    package var no = 0
    package var maybe = 0
    package var accepted = 0
    package var waiting = 0
    package var requested = 0
    package var declined = 0
    /// The seats of the accepted people, with their guests.
    package var seats = 0

    package init() {}

    package var all: Int { invited + no + maybe + accepted + waiting + requested + declined }
    /// The guests of the accepted people.
    package var guests: Int { seats - accepted }

    package mutating func add(_ reply: Reply) { change(reply, by: 1) }
    package mutating func remove(_ reply: Reply) { change(reply, by: -1) }

    private mutating func change(_ reply: Reply, by difference: Int) {
        switch reply.status {
        case .invited: invited += difference
        case .no: no += difference
        case .maybe: maybe += difference
        case .accepted:
            accepted += difference
            seats += difference * reply.seats
        case .waiting: waiting += difference
        case .requested: requested += difference
        case .declined: declined += difference
        }
    }
}

/// What a mail about a reply says.
package enum ReplyNews: String, Hashable, Sendable, Codable {
    /// A host asks whether the person comes.
    case invited
    /// The reply has arrived.
    case received
    /// A seat became free for a person on the waiting list.
    case promoted
    /// The host has accepted the person.
    case approved
    /// The host has declined the person.
    case declined

    /// Whether the news is still true for a reply with this status.
    package func holds(for status: Reply.Status) -> Bool {
        switch self {
        case .received: true
        case .invited: status == .invited
        case .promoted, .approved: status == .accepted
        case .declined: status == .declined
        }
    }
}

/// The people in a session and its seats, for its doors.
package struct Occupancy: Hashable, Sendable {
    package let capacity: Int
    /// The people inside, or checked in if the session does not record leaving, with their guests.
    package let taken: Int

    package init(capacity: Int, taken: Int) { (self.capacity, self.taken) = (capacity, taken) }
}
