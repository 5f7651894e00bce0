package import Journal
package import Meetings

extension Query {
    private static let deviceColumns = "id, owner, session, platform, token, language, created_at"
    fileprivate static let device = Query(
        "find device", "SELECT \(deviceColumns) FROM devices WHERE id = ?")
    fileprivate static let devicesOfOwner = Query(
        "list an owner's devices",
        "SELECT \(deviceColumns) FROM devices INDEXED BY devices_by_owner WHERE owner = ? ORDER BY id")
    fileprivate static let devicesOfSession = Query(
        "list devices of attendees",
        """
        SELECT \(deviceColumns) FROM devices INDEXED BY devices_by_session
        WHERE session = ? AND id > ? ORDER BY id LIMIT ?
        """)
    fileprivate static let anyDeviceOfAccount = Query(
        "find a device of an account",
        """
        SELECT 1 FROM devices INDEXED BY devices_of_accounts WHERE session IS NULL AND id > ? LIMIT 1
        """)
    fileprivate static let peopleWithDevices = Query(
        "list people with devices",
        """
        SELECT p.id FROM people p INDEXED BY people_to_mail
        WHERE p.meeting = ? AND p.id > ? AND p.archived = 0 AND p.email_key IS NOT NULL
            AND EXISTS (SELECT 1 FROM accounts a CROSS JOIN devices d INDEXED BY devices_by_owner
                ON d.owner = a.id WHERE a.email_key = p.email_key AND a.verified = 1)
        ORDER BY p.id LIMIT ?
        """)
    fileprivate static let nextSessionWithDevices = Query(
        "find next session with devices",
        """
        SELECT session FROM devices INDEXED BY devices_by_session WHERE session > ? ORDER BY session LIMIT 1
        """)
    private static func sessionsToAlert(
        _ operation: String, _ moment: String, _ index: String, and condition: String = "1 = 1"
    ) -> Query {
        Query(
            operation,
            """
            SELECT s.id, \(moment) FROM sessions s INDEXED BY \(index)
            WHERE \(moment) >= ?2 AND \(moment) < ?3 AND (\(moment) > ?2 OR s.id > ?4)
                AND NOT EXISTS (SELECT 1 FROM alerts a
                    WHERE a.session = s.id AND a.kind = ?1 AND a.moment = \(moment) AND a.is_done = 1)
                AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = s.id) AND \(condition)
            ORDER BY \(moment), s.id LIMIT ?5
            """)
    }
    fileprivate static let sessionsStarting = sessionsToAlert(
        "list sessions that start", "starts_at", "sessions_starting")
    fileprivate static let sessionsOpening = sessionsToAlert(
        "list sessions whose check-in opens", "(starts_at - check_in_opens_minutes_before * 60000)",
        "sessions_opening")
    private static func sessionsToHook(_ operation: String, _ moment: String, _ index: String) -> Query {
        sessionsToAlert(
            operation, moment, index, and: "EXISTS (SELECT 1 FROM webhooks w WHERE w.meeting = s.meeting)")
    }
    fileprivate static let sessionsOpened = sessionsToHook(
        "list sessions that have opened", "(starts_at - check_in_opens_minutes_before * 60000)",
        "sessions_opening")
    fileprivate static let sessionsStarted = sessionsToHook(
        "list sessions that have started", "starts_at", "sessions_starting")
    fileprivate static let sessionsEnded = sessionsToHook(
        "list sessions that have ended", "ends_at", "sessions_ended")
    fileprivate static func sessions(_ kind: Alert.Kind) -> Query {
        switch kind {
        case .startForAttendees, .startForAccounts: sessionsStarting
        case .openingForAccounts: sessionsOpening
        case .hookOpened: sessionsOpened
        case .hookStarted: sessionsStarted
        case .hookEnded: sessionsEnded
        }
    }
    fileprivate static let alert = Query(
        "find alert", "SELECT session, kind, moment, last, is_done FROM alerts WHERE session = ? AND kind = ?"
    )
    fileprivate static let saveAlert = Query(
        "save alert",
        """
        INSERT INTO alerts (session, kind, moment, last, is_done) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (session, kind) DO UPDATE SET moment = excluded.moment, last = excluded.last,
            is_done = excluded.is_done
        """)
    fileprivate static let saveDevice = Query(
        "save device",
        """
        INSERT INTO devices (\(deviceColumns)) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET language = excluded.language
        """)
    fileprivate static let deleteDevice = Query("delete device", "DELETE FROM devices WHERE id = ?")
    fileprivate static let deleteDevicesOfOwner = Query(
        "delete an owner's devices", "DELETE FROM devices WHERE owner = ? RETURNING id")
    fileprivate static let deleteDevicesByToken = Query(
        "delete devices by token", "DELETE FROM devices WHERE token = ? AND platform = ?")
    fileprivate static let deleteDevicesOfSession = Query(
        "delete devices of attendees",
        """
        DELETE FROM devices WHERE id IN
            (SELECT id FROM devices INDEXED BY devices_by_session WHERE session = ?1 LIMIT ?2)
        RETURNING id
        """)
    /// The deletion of the devices of one session, at most `?2` rows.
    static let eraseDevices = Query(
        "erase devices of attendees",
        "DELETE FROM devices WHERE id IN (SELECT id FROM devices WHERE session = ?1 LIMIT ?2)")
}

extension SQLRows {
    package func device(_ id: DeviceID) throws(JournalError) -> Device? {
        try connection.first(.device, id, read: Self.device)
    }

    package func devices(of owner: OutgoingMail.Owner) throws(JournalError) -> [Device] {
        try connection.all(.devicesOfOwner, owner.id, read: Self.device)
    }

    package func devices(ofAttendeesIn session: SessionID, after last: DeviceID?, limit: Int)
        throws(JournalError) -> [Device]
    {
        try connection.all(
            .devicesOfSession, session, last ?? DeviceID(high: 0, low: 0), limit, read: Self.device)
    }

    package func hasDeviceOfAccount() throws(JournalError) -> Bool {
        try connection.first(.anyDeviceOfAccount, DeviceID(high: 0, low: 0)) { _ in true } ?? false
    }

    package func peopleWithDevices(of meeting: MeetingID, after last: PersonID?, limit: Int)
        throws(JournalError)
        -> [PersonID]
    {
        try connection.all(.peopleWithDevices, meeting, last ?? PersonID(high: 0, low: 0), limit) {
            row throws(JournalError) in try row.id(0)
        }
    }

    package func sessionsWithDevices(after session: SessionID?, limit: Int) throws(JournalError)
        -> [SessionID]
    {
        var found: [SessionID] = []
        while found.count < limit,
            let next: SessionID = try connection.first(
                .nextSessionWithDevices, found.last ?? session ?? SessionID(high: 0, low: 0),
                read: { row throws(JournalError) in try row.id(0) })
        {
            found.append(next)
        }
        return found
    }

    package func sessionsToAlert(
        _ kind: Alert.Kind, in range: Range<Instant>, after last: SessionToAlert?, limit: Int
    ) throws(JournalError) -> [SessionToAlert] {
        try connection.all(
            .sessions(kind), kind.code,
            last?.moment ?? range.lowerBound, range.upperBound, last?.id ?? SessionID(high: 0, low: 0), limit
        ) { row throws(JournalError) in SessionToAlert(try row.id(0), at: row.instant(1)) }
    }

    package func alert(_ kind: Alert.Kind, of session: SessionID) throws(JournalError) -> Alert? {
        try connection.first(.alert, session, kind.code) { row throws(JournalError) in
            Alert(
                of: try row.id(0), try row.code(1), at: row.instant(2), last: row.idIfAny(3),
                isDone: row.bool(4))
        }
    }

    package func save(_ device: Device) throws(JournalError) {
        try connection.run(
            .saveDevice, device.id, device.owner.record.id, device.owner.session, device.platform.code,
            device.token, device.language, device.createdAt)
    }

    package func delete(_ device: DeviceID) throws(JournalError) {
        if try connection.run(.deleteDevice, device) > 0 { try noteErasure() }
    }

    package func deleteDevices(of owner: OutgoingMail.Owner) throws(JournalError) {
        let deleted: [DeviceID] = try connection.all(.deleteDevicesOfOwner, owner.id) {
            row throws(JournalError) in try row.id(0)
        }
        try noteErasure(of: deleted)
    }

    package func deleteDevices(token: String, on platform: Device.Platform) throws(JournalError) {
        if try connection.run(.deleteDevicesByToken, token, platform.code) > 0 { try noteErasure() }
    }

    package func deleteDevices(ofAttendeesIn session: SessionID, limit: Int) throws(JournalError) -> Int {
        let deleted: [DeviceID] = try connection.all(.deleteDevicesOfSession, session, limit) {
            row throws(JournalError) in try row.id(0)
        }
        try noteErasure(of: deleted)
        return deleted.count
    }

    private func noteErasure(of devices: [DeviceID]) throws(JournalError) {
        guard !devices.isEmpty else { return }
        for device in devices { try deleteMails(of: OutgoingMail.Owner(device)) }
        try noteErasure()
    }

    package func save(_ alert: Alert) throws(JournalError) {
        try connection.run(
            .saveAlert, alert.session, alert.kind.code, alert.moment, alert.last, alert.isDone)
    }

    private static func device(_ row: Row) throws(JournalError) -> Device {
        let session: SessionID? = row.idIfAny(2)
        let owner: Device.Owner =
            if let session { .attendee(try row.id(1), in: session) } else { .account(try row.id(1)) }
        return Device(
            id: try row.id(0), owner: owner, platform: try row.code(3), token: row.text(4),
            language: row.text(5), createdAt: row.instant(6))
    }
}

extension Device.Platform: Coded {
    package static let cases = allCases
    package var code: Int { self == .fcm ? 0 : self == .apns ? 1 : 2 }
}

extension Alert.Kind: Coded {
    package static let cases = allCases
    package var code: Int { rawValue }
}
