import Journal
import Meetings

extension MemoryRows {
    func device(_ id: DeviceID) throws(JournalError) -> Device? { try tables().devices[id] }

    func devices(of owner: OutgoingMail.Owner) throws(JournalError) -> [Device] {
        try tables().devices.values.filter { $0.owner.record == owner }.sorted { $0.id < $1.id }
    }

    func devices(ofAttendeesIn session: SessionID, after last: DeviceID?, limit: Int)
        throws(JournalError) -> [Device]
    {
        let found = try tables().devices.values.filter {
            $0.owner.session == session && $0.id > last ?? DeviceID(high: 0, low: 0)
        }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    func hasDeviceOfAccount() throws(JournalError) -> Bool {
        try tables().devices.values.contains { $0.owner.session == nil }
    }

    func peopleWithDevices(of meeting: MeetingID, after last: PersonID?, limit: Int) throws(JournalError)
        -> [PersonID]
    {
        let tables = try tables()
        let owners = Set(tables.devices.values.map(\.owner.record))
        let found = tables.people.values.filter { person in
            person.meetingID == meeting && !person.isArchived && person.id > last ?? PersonID(high: 0, low: 0)
                && tables.accounts.values.contains {
                    $0.verified && IdentityKey($0.address) == person.draft.emailKey
                        && owners.contains(OutgoingMail.Owner($0.id))
                }
        }
        return found.map(\.id).sorted().prefix(limit).map(\.self)
    }

    func sessionsWithDevices(after session: SessionID?, limit: Int) throws(JournalError) -> [SessionID] {
        let found = try Set(tables().devices.values.compactMap(\.owner.session)).filter {
            $0 > session ?? SessionID(high: 0, low: 0)
        }
        return Array(found.sorted().prefix(limit))
    }

    func sessionsToAlert(
        _ kind: Alert.Kind, in range: Range<Instant>, after last: SessionToAlert?, limit: Int
    ) throws(JournalError) -> [SessionToAlert] {
        let tables = try tables()
        let hooked = Set(tables.webhooks.values.map(\.meeting))
        let found = tables.sessions.values.map(\.session).filter { session in
            if kind.hookEvent != nil, !hooked.contains(session.meetingID) { return false }
            let moment = kind.moment(for: session)
            guard range.contains(moment) else { return false }
            if let last, (moment, session.id) <= (last.moment, last.id) { return false }
            let alert = tables.alerts[Tables.AlertKey(session: session.id, kind: kind)]
            return alert?.moment != moment || alert?.isDone != true
        }
        let sorted = found.map { SessionToAlert($0.id, at: kind.moment(for: $0)) }.sorted {
            ($0.moment, $0.id) < ($1.moment, $1.id)
        }
        return Array(sorted.prefix(limit))
    }

    func alert(_ kind: Alert.Kind, of session: SessionID) throws(JournalError) -> Alert? {
        try tables().alerts[Tables.AlertKey(session: session, kind: kind)]
    }

    func save(_ device: Device) throws(JournalError) {
        try change("save device") { $0.devices[device.id] = device }
    }

    func delete(_ device: DeviceID) throws(JournalError) {
        try change("delete device") { $0.devices[device] = nil }
    }

    func deleteDevices(of owner: OutgoingMail.Owner) throws(JournalError) {
        try change("delete an owner's devices") { $0.removeDevices { $0.owner.record == owner } }
    }

    func deleteDevices(token: String, on platform: Device.Platform) throws(JournalError) {
        try change("delete devices by token") { tables in
            tables.devices = tables.devices.filter { $1.token != token || $1.platform != platform }
        }
    }

    func deleteDevices(ofAttendeesIn session: SessionID, limit: Int) throws(JournalError) -> Int {
        let found = try devices(ofAttendeesIn: session, after: nil, limit: limit).map(\.id)
        try change("delete devices of attendees") { $0.removeDevices { found.contains($0.id) } }
        return found.count
    }

    func save(_ alert: Alert) throws(JournalError) {
        try change("save alert") { tables in
            tables.alerts[Tables.AlertKey(session: alert.session, kind: alert.kind)] = alert
        }
    }
}

extension Tables {
    mutating func removeDevices(where isRemoved: (Device) -> Bool) {
        for device in devices.values.filter(isRemoved) {
            removeMails(of: OutgoingMail.Owner(device.id))
            devices[device.id] = nil
        }
    }
}
