package import Meetings

/// Brings a person into a session. A repeat is not an error: it changes nothing and is answered as what it is.
package struct CheckIn: Command {
    package let session: SessionID
    /// When the code was exchanged: the moment that counts.
    package let moment: Instant
    package let method: CheckInMethod
    /// Of the code when it was exchanged, in seconds; nil where codes do not rotate.
    package let codeAge: Int?
    /// The id of the grant, which is one person's; nil where the code itself was sent.
    package let grant: [UInt8]?
    /// Whose receipt came with the request.
    package let receiptHolder: AttendeeID?
    /// Normalized.
    package let name: String
    /// As written. The one that the meeting identifies by is needed; the other is passed over.
    package let email: String?
    package let number: String?

    package enum Outcome: Sendable {
        /// `again` where the same grant or receipt had brought the same person in before.
        case checkedIn(Attendee, SessionRecord, again: Bool)
        /// The person is in already, by another way: nothing about the record is told.
        case elsewhere(SessionRecord)
    }

    /// A grant lives until check-in closes, and never less than this from its exchange, so that who scans at the last moment can still type.
    package static let shortestGrant = Duration.minutes(10)
    package static let mostAttendees = 100_000

    package init(
        session: SessionID, moment: Instant, method: CheckInMethod, codeAge: Int? = nil, grant: [UInt8]?, receiptHolder: AttendeeID? = nil,
        name: String, email: String? = nil, number: String? = nil
    ) {
        self.session = session
        self.moment = moment
        self.method = method
        self.codeAge = codeAge
        self.grant = grant
        self.receiptHolder = receiptHolder
        self.name = name
        self.email = email
        self.number = number
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        let record = try transaction.session(session)
        if let known = try earlier(in: transaction) { return .checkedIn(known, record, again: true) }
        if let refusal = refusal(record.session, now: transaction.now) { throw .refused(refusal) }

        let identity = try identity(by: record.meeting.identifyBy)
        let key = identity.isEmpty ? nil : IdentityKey(identity)
        var place: Attendee?
        if let key { place = try transaction.rows.attendee(in: session, key: key) }
        if let place, place.checkedInAt != nil || place.status.countsAsCheckedIn { return .elsewhere(record) }
        if place == nil, record.headCount.known >= Self.mostAttendees {
            throw .refused(.limitReached(.attendee, limit: Self.mostAttendees))
        }

        let status = record.session.status(ofArrivalAt: moment)
        let id = place?.id ?? AttendeeID.make(at: transaction.now)
        let event = try transaction.record(
            .checkedIn, in: session, attendee: id, by: .attendee,
            EventData(status: status, before: place?.status, method: method, codeAge: codeAge))
        let attendee = Attendee(
            id: id, sessionID: session, name: place?.name ?? name, identity: place?.identity ?? identity, status: status,
            walkIn: place?.walkIn ?? false, checkedInAt: moment, method: method, arrivalSequence: event.sequence)
        if let place {
            try transaction.rows.update(attendee)
            if let grant { try transaction.rows.setGrant(grant, of: attendee) }
            try transaction.count(in: session) { $0.remove(place) }
        } else {
            try transaction.rows.insert(attendee, key: key, grant: grant)
        }
        try transaction.count(in: session) { $0.add(attendee) }
        transaction.change(session) { $0.arrivals.append(attendee) }
        return .checkedIn(attendee, try transaction.session(session), again: false)
    }

    private func identity(by kind: IdentifyBy) throws(JournalError) -> String {
        let (given, field) =
            switch kind {
            case .name: ("" as String?, "")
            case .email: (email, "/email")
            case .number: (number, "/number")
            }
        guard let given else { throw .refused(.invalid([FieldError(field, .missing)])) }
        return given
    }

    private func earlier(in transaction: Transaction) throws(JournalError) -> Attendee? {
        if let receiptHolder, let attendee = try transaction.rows.attendee(receiptHolder), attendee.sessionID == session {
            return attendee
        }
        guard let grant else { return nil }
        return try transaction.rows.attendee(in: session, grant: grant)
    }

    private func refusal(_ session: Session, now: Instant) -> Refusal? {
        if moment < session.checkInOpensAt { return .checkInNotOpen(opensAt: session.checkInOpensAt) }
        if moment > session.checkInClosesAt { return .checkInClosed(closedAt: session.checkInClosesAt) }
        if now > max(session.checkInClosesAt, moment + Self.shortestGrant) { return .checkInClosed(closedAt: session.checkInClosesAt) }
        return nil
    }
}
