package import Meetings

/// Registers a device of an account, or of the holder of a receipt. A device that is already registered gets
/// the language of the command. Returns the device, and whether it is new.
/// - Throws: `receiptNotValid`; `sessionOver` if the attendee's feedback window is over; `limitReached`.
package struct RegisterDevice: Command {
    /// The caller, from whom the owner follows.
    package enum Caller: Sendable {
        case account(AccountID)
        case attendee(Receipt)
    }

    package let id: DeviceID
    package let caller: Caller
    package let platform: Device.Platform
    package let token: String
    package let language: String

    package init(
        id: DeviceID, caller: Caller, platform: Device.Platform, token: String, language: String
    ) {
        self.id = id
        self.caller = caller
        self.platform = platform
        self.token = token
        self.language = language
    }

    package func run(in transaction: Transaction) throws(JournalError) -> (device: Device, isNew: Bool) {
        let (rows, now) = (transaction.rows, transaction.now)
        let owner = try rows.owner(of: caller)
        if let session = owner.session, try transaction.session(session).session.feedbackClosesAt < now {
            throw .refused(.sessionOver)
        }
        let devices = try rows.devices(of: owner.record)
        if var known = devices.first(where: { $0.id == id }) {
            guard known.language != language else { return (known, false) }
            known.language = language
            try rows.save(known)
            return (known, false)
        }
        guard devices.count < Device.mostOfOwner else {
            throw .refused(.limitReached(.device, limit: Device.mostOfOwner))
        }
        let device = Device(
            id: id, owner: owner, platform: platform, token: token, language: language, createdAt: now)
        try rows.save(device)
        return (device, true)
    }
}

/// Deletes a device of the caller.
/// - Throws: `receiptNotValid`; `notFound` if the caller has no such device.
package struct RemoveDevice: Command {
    package let id: DeviceID
    package let caller: RegisterDevice.Caller

    package init(id: DeviceID, caller: RegisterDevice.Caller) {
        self.id = id
        self.caller = caller
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let rows = transaction.rows
        let owner = try rows.owner(of: caller)
        guard try rows.device(id)?.owner == owner else { throw .refused(.notFound(.device)) }
        try rows.delete(id)
    }
}

/// Deletes the devices of every owner with the token of this device, because its platform knows the token no
/// more. Returns whether the device was still there.
package struct RemoveGoneDevice: Command {
    package let device: DeviceID

    package init(_ device: DeviceID) { self.device = device }

    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        guard let device = try transaction.rows.device(device) else { return false }
        try transaction.rows.deleteDevices(token: device.token, on: device.platform)
        return true
    }
}

/// Queues push messages to the next devices of a session whose moment has come. Each call is one slice; the
/// progress is stored with the messages of the slice.
package struct ContinueAlert: Command {
    package let session: SessionToAlert
    package let kind: Alert.Kind
    /// The last id of the slice before, by which the caller found `next`; nil at the beginning.
    package let after: ID<Alert>?
    /// The ids of the next devices of attendees, or of the next people with devices.
    package let next: [ID<Alert>]
    /// Whether there may be more of them.
    package let hasMore: Bool

    package init(
        _ kind: Alert.Kind, of session: SessionToAlert, after: ID<Alert>?, next: [ID<Alert>], hasMore: Bool
    ) {
        self.session = session
        self.kind = kind
        self.after = after
        self.next = next
        self.hasMore = hasMore
    }

    /// What the slice has done.
    package enum Progress: Hashable, Sendable {
        case done, unfinished
        /// Another long command is in progress in the meeting, or another node has queued the slice.
        case elsewhere
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Progress {
        let (rows, now) = (transaction.rows, transaction.now)
        // The session may have been deleted or moved since the clock chose it.
        guard let found = try rows.session(session.id), kind.moment(for: found.session) == session.moment
        else {
            return .done
        }
        // This command must not be parked, because the messages of other meetings would wait behind it.
        guard transaction.jobs.active?.work.meeting != found.meeting.id else { return .elsewhere }
        var alert = Alert(of: session.id, kind, at: session.moment)
        if let before = try rows.alert(kind, of: session.id), before.moment == session.moment {
            alert = before
        }
        guard !alert.isDone else { return .done }
        guard alert.last == after else { return .elsewhere }
        guard kind.due(at: now).contains(session.moment) else { return .done }
        for id in next {
            alert.last = id
            // A device that came later knows that the moment is over.
            for device in try devices(of: id, found, rows) where device.createdAt <= session.moment {
                let mail = alert.message(to: device.id)
                guard try rows.mail(mail) == nil else { continue }
                try transaction.devices.queue(
                    kind.message(at: session.moment), to: device, about: found, id: mail)
            }
        }
        alert.isDone = !hasMore
        try rows.save(alert)
        return alert.isDone ? .done : .unfinished
    }

    /// Returns the devices that the slice reaches by this id.
    private func devices(of id: ID<Alert>, _ found: SessionRecord, _ rows: any WritableRows)
        throws(JournalError) -> [Device]
    {
        guard kind.isForAccounts else {
            guard let device = try rows.device(DeviceID(sameAs: id)) else { return [] }
            return [device]
        }
        guard let person = try rows.person(PersonID(sameAs: id)), !person.isArchived,
            person.meetingID == found.meeting.id, let address = EmailAddress.normalized(person.email),
            let account = try rows.account(email: IdentityKey(address)), account.verified,
            let attendee = try rows.attendee(of: person.id, in: session.id)
        else { return [] }
        // A person who has checked in early knows that check-in is open.
        let expects =
            kind == .openingForAccounts
            ? attendee.status == .pending : attendee.status == .pending || attendee.status.countsAsCheckedIn
        return expects ? try rows.devices(of: OutgoingMail.Owner(account.id)) : []
    }
}

/// Deletes the devices of attendees after the feedback window. Each command looks at a few sessions and
/// deletes a limited number of rows.
package struct ForgetDevices: Command {
    private let last: SessionID?
    private let mostRows: Int

    /// - Parameter last: the result of the command before; nil to begin.
    package init(after last: SessionID? = nil, mostRows: Int = 200) {
        self.last = last
        self.mostRows = mostRows
    }

    /// Returns the session after which the next command continues; nil if no session is left.
    package func run(in transaction: Transaction) throws(JournalError) -> SessionID? {
        let (rows, limit) = (transaction.rows, 50)
        var done = last
        let sessions = try rows.sessionsWithDevices(after: last, limit: limit)
        for session in sessions {
            if let record = try rows.session(session), record.session.feedbackClosesAt < transaction.now,
                try rows.deleteDevices(ofAttendeesIn: session, limit: mostRows) == mostRows
            {
                return done ?? SessionID(high: 0, low: 0)
            }
            done = session
        }
        return sessions.count == limit ? done : nil
    }
}

/// The push messages, in the transaction of the change that causes them.
package struct Devices {
    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Queues a message to each device of the attendee. Only the id in the receipt counts, so nobody gets the
    /// messages of a person whose address a phone has typed.
    package func queue(_ message: PushMessage, to attendee: AttendeeID, in session: SessionID)
        throws(JournalError)
    {
        let devices = try rows.devices(of: OutgoingMail.Owner(attendee))
        guard !devices.isEmpty else { return }
        let record = try transaction.session(session)
        for device in devices { try queue(message, to: device, about: record, id: .makeTimeless()) }
    }

    /// Queues a message to a device, unless the device has reached its limit of 24 hours.
    func queue(_ message: PushMessage, to device: Device, about record: SessionRecord, id: MailID)
        throws(JournalError)
    {
        let now = transaction.now
        try transaction.mails.queue(
            OutgoingMail(
                id: id, to: device.id.text, language: device.language, .push(message), notBefore: now,
                expiresAt: now + PushMessage.lifetime, owner: OutgoingMail.Owner(device.id),
                meeting: record.meeting.id, session: record.session.id))
    }

    /// Returns the device that a message is about to leave for; nil if nobody wants the message any more: the
    /// device was deleted, the session has another moment, or the account wants no messages.
    func receiver(of mail: OutgoingMail, _ message: PushMessage) throws(JournalError) -> Device? {
        guard let id = DeviceID(mail.recipient), let device = try rows.device(id), let session = mail.session,
            let record = try rows.session(session)
        else { return nil }
        switch message {
        case .matched, .declined: break
        case .sessionStarts(let moment): if record.session.startsAt != moment { return nil }
        case .checkInOpens(let moment): if record.session.checkInOpensAt != moment { return nil }
        }
        if case .account(let owner) = device.owner {
            guard let account = try rows.account(owner), account.suspendedAt == nil,
                try rows.wantsMails(IdentityKey(account.address), about: record.meeting.id)
            else { return nil }
        }
        return device
    }
}

extension Transaction {
    package var devices: Devices { Devices(transaction: self) }
}

extension ReadableRows {
    /// Returns the owner of the caller's devices.
    /// - Throws: `receiptNotValid` if the receipt has ended.
    package func owner(of caller: RegisterDevice.Caller) throws(JournalError) -> Device.Owner {
        switch caller {
        case .account(let account): return .account(account)
        case .attendee(let receipt):
            guard let attendee = try attendee(holding: receipt) else { throw .refused(.receiptNotValid) }
            return .attendee(receipt.attendeeID, in: attendee.sessionID)
        }
    }

    /// Returns the ids of the next devices or people of the alert, at most a slice. The writer does not run
    /// this query, because it may read the whole roster.
    package func next(_ kind: Alert.Kind, of session: SessionID, after last: ID<Alert>?) throws(JournalError)
        -> [ID<Alert>]
    {
        guard kind.isForAccounts else {
            return try devices(
                ofAttendeesIn: session, after: last.map { DeviceID(high: $0.high, low: $0.low) },
                limit: Alert.Kind.slice
            ).map { ID(high: $0.id.high, low: $0.id.low) }
        }
        guard try hasDeviceOfAccount(), let meeting = try self.session(session)?.meeting.id else { return [] }
        return try peopleWithDevices(
            of: meeting, after: last.map { PersonID(high: $0.high, low: $0.low) }, limit: Alert.Kind.slice
        ).map { ID(high: $0.high, low: $0.low) }
    }
}
