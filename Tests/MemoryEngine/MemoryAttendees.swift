import Journal
import Meetings

extension MemoryRows {
    func attendee(_ id: AttendeeID) throws(JournalError) -> Attendee? { try tables().attendees[id]?.attendee }
    func name(of attendee: AttendeeID) throws(JournalError) -> String? { try self.attendee(attendee)?.name }

    func attendee(in session: SessionID, key: IdentityKey) throws(JournalError) -> Attendee? {
        try tables().attendees.values.first { $0.attendee.sessionID == session && $0.key == key }?.attendee
    }

    func attendee(in session: SessionID, grant: [UInt8]) throws(JournalError) -> Attendee? {
        try tables().attendees.values.first { $0.attendee.sessionID == session && $0.grant == grant }?
            .attendee
    }

    func attendees(
        of session: SessionID, statuses: Set<RecordedStatus>?, text: String?, after cursor: AttendeeID?,
        limit: Int
    ) throws(JournalError) -> [Attendee] {
        try noteRead(of: session)
        let text = text.map(SearchText.folded) ?? ""
        let found = try tables().attendees(of: session).filter { attendee in
            let isAfter = cursor.map { $0 < attendee.id } ?? true
            let isListed = statuses?.contains(attendee.status) ?? true
            return isAfter && isListed
                && (text.isEmpty
                    || SearchText.of(name: attendee.name, identity: attendee.identity).contains(text))
        }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func arrivals(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Attendee]
    {
        Array(try arrived(session).filter { $0.arrivalSequence > sequence }.prefix(limit))
    }

    func newestArrivals(of session: SessionID, limit: Int) throws(JournalError) -> [Attendee] {
        try arrived(session).suffix(limit)
    }

    private func arrived(_ session: SessionID) throws(JournalError) -> [Attendee] {
        try tables().attendees(of: session).filter { $0.arrivalSequence > 0 }.sorted {
            $0.arrivalSequence < $1.arrivalSequence
        }
    }

    func insert(_ attendee: Attendee, key: IdentityKey?, grant: [UInt8]?) throws(JournalError) {
        try change("insert attendee") { tables throws(JournalError) in
            let isTaken = tables.attendees.values.contains { other in
                other.attendee.sessionID == attendee.sessionID
                    && (key != nil && other.key == key || grant != nil && other.grant == grant)
            }
            guard tables.sessions[attendee.sessionID] != nil, tables.attendees[attendee.id] == nil, !isTaken
            else {
                throw conflict("insert attendee", "not unique, or of no session")
            }
            tables.attendees[attendee.id] = Tables.AttendeeEntry(attendee: attendee, key: key, grant: grant)
        }
    }

    func update(_ attendee: Attendee) throws(JournalError) {
        try change("update attendee") { $0.attendees[attendee.id]?.attendee = attendee }
    }

    func setGrant(_ grant: [UInt8], of attendee: Attendee) throws(JournalError) {
        try change("set attendee's grant") { tables throws(JournalError) in
            let isTaken = tables.attendees.values.contains {
                $0.attendee.sessionID == attendee.sessionID && $0.grant == grant
                    && $0.attendee.id != attendee.id
            }
            guard !isTaken else { throw conflict("set attendee's grant", "not unique") }
            tables.attendees[attendee.id]?.grant = grant
        }
    }

    func delete(_ attendee: AttendeeID) throws(JournalError) {
        try change("delete attendee") { $0.remove(attendee) }
    }

    func recount(_ session: SessionID) throws(JournalError) -> HeadCount {
        var headCount = HeadCount()
        for attendee in try tables().attendees(of: session) { headCount.add(attendee) }
        return headCount
    }

    func recomputeStatuses(
        of session: SessionID, lateAfter: Instant
    ) throws(JournalError) -> (changed: [Attendee], headCount: HeadCount) {
        try change("recompute statuses") { tables in
            var changed: [Attendee] = []
            var headCount = HeadCount()
            for var attendee in tables.attendees(of: session).sorted(by: { $0.id < $1.id }) {
                if let arrival = attendee.checkedInAt, !attendee.statusIsByHost,
                    attendee.status.countsAsCheckedIn
                {
                    let status: RecordedStatus = arrival <= lateAfter ? .present : .late
                    if status != attendee.status {
                        attendee.status = status
                        attendee.version += 1
                        tables.attendees[attendee.id]?.attendee = attendee
                        changed.append(attendee)
                    }
                }
                headCount.add(attendee)
            }
            return (changed, headCount)
        }
    }
}

extension Tables {
    fileprivate func attendees(of session: SessionID) -> [Attendee] {
        attendees.values.map(\.attendee).filter { $0.sessionID == session }
    }
}
