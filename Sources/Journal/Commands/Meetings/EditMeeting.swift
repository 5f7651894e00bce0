package import Meetings

/// Changes what is not nil.
package struct EditMeeting: Command {
    package let id: MeetingID
    package let name: String?
    package let description: String?
    package let venue: String?
    package let timeZone: Zone?
    package let identifyBy: IdentifyBy?
    /// A new meeting code; posters with the old one lead nowhere from then on.
    package let renewsCode: Bool
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        id: MeetingID, name: String? = nil, description: String? = nil, venue: String? = nil,
        timeZone: Zone? = nil,
        identifyBy: IdentifyBy? = nil, renewsCode: Bool = false, expected: ExpectedVersion = .any,
        actor: AccountID
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.venue = venue
        self.timeZone = timeZone
        self.identifyBy = identifyBy
        self.renewsCode = renewsCode
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SessionRecord {
        var meeting = try transaction.meeting(id)
        try transaction.requireHost(actor, of: id)
        try expected.check(meeting.version)
        guard let latest = try transaction.rows.latestSession(of: id) else {
            throw .refused(.notFound(.session))
        }
        let rekeys = identifyBy != nil && identifyBy != meeting.identifyBy
        let before = meeting
        meeting.name = name ?? meeting.name
        meeting.description = description ?? meeting.description
        meeting.venue = venue ?? meeting.venue
        meeting.timeZone = timeZone ?? meeting.timeZone
        meeting.identifyBy = identifyBy ?? meeting.identifyBy
        if renewsCode { meeting.codeVersion += 1 }
        guard meeting != before else { return try transaction.session(latest.session.id) }
        meeting.version += 1
        try transaction.update(meeting)
        if rekeys { try transaction.rekeyPlaces(of: meeting) }
        let fields = [
            before.name == meeting.name ? nil : "name",
            before.description == meeting.description ? nil : "description",
            before.venue == meeting.venue ? nil : "place",
            before.timeZone == meeting.timeZone ? nil : "timeZone",
            before.identifyBy == meeting.identifyBy ? nil : "identifyBy", renewsCode ? "code" : nil,
        ].compactMap { $0 }
        try transaction.record(.edited, in: latest.session.id, by: .account(actor), EventData(fields: fields))
        transaction.publishEdit(of: latest.session.id)
        return try transaction.session(latest.session.id)
    }
}

/// Deletes a meeting with all its sessions. Where anybody has checked in, its name must be given as
/// confirmation.
package struct DeleteMeeting: Command {
    package let id: MeetingID
    package let confirmation: String?
    package let actor: AccountID

    package init(id: MeetingID, confirmation: String?, actor: AccountID) {
        self.id = id
        self.confirmation = confirmation
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        let meeting = try transaction.meeting(id)
        try transaction.requireOwner(actor, of: id)
        let checkIns = try transaction.checkIns(of: id)
        if checkIns > 0, confirmation != meeting.name {
            throw .refused(.confirmationNeeded(name: meeting.name, checkIns: checkIns))
        }
        try transaction.deleteMeeting(id)
    }
}

extension Transaction {
    /// In all its sessions.
    func checkIns(of meeting: MeetingID) throws(JournalError) -> Int {
        var total = 0
        var before: Int?
        repeat {
            let page = try rows.sessions(of: meeting, before: before, limit: 200)
            for listed in page {
                let record = try session(listed.session.id)
                total += record.headCount.present + record.headCount.late
            }
            before = page.count < 200 ? nil : page.last?.session.round
        } while before != nil
        return total
    }
}
