package import Journal
package import Meetings

extension Query {
    private static let invitationColumns =
        "id, meeting, email, role, account, invited_by, created_at, expires_at"

    fileprivate static let invitation = Query(
        "find invitation", "SELECT \(invitationColumns) FROM meeting_invitations WHERE id = ?")
    fileprivate static let invitations = Query(
        "list invitations", "SELECT \(invitationColumns) FROM meeting_invitations WHERE meeting = ?")
    fileprivate static let invitationsOfAccount = Query(
        "list an account's invitations",
        "SELECT \(invitationColumns) FROM meeting_invitations WHERE account = ?")
    fileprivate static let deleteInvited = Query(
        "replace invitation", "DELETE FROM meeting_invitations WHERE meeting = ? AND email_key = ?")
    fileprivate static let insertInvitation = Query(
        "insert invitation",
        "INSERT INTO meeting_invitations (\(invitationColumns), email_key) "
            + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    fileprivate static let deleteInvitation = Query(
        "delete invitation", "DELETE FROM meeting_invitations WHERE id = ?")
    fileprivate static let deleteInvitationsTo = Query(
        "delete an address's invitations", "DELETE FROM meeting_invitations WHERE email_key = ?")
    fileprivate static let ended = Query(
        "list sessions that ended",
        """
        SELECT id FROM sessions INDEXED BY sessions_ended WHERE ends_at < ?
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = sessions.id OR e.id = sessions.meeting)
        ORDER BY ends_at, id LIMIT ?
        """)

    fileprivate static let image = Query(
        "find image", "SELECT format, width, height, tag, bytes FROM meeting_images WHERE meeting = ?")
    fileprivate static let hasImage = Query("has image", "SELECT 1 FROM meeting_images WHERE meeting = ?")
    fileprivate static let setImage = Query(
        "set image",
        """
        INSERT INTO meeting_images (meeting, format, width, height, tag, bytes) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (meeting) DO UPDATE SET
            format = excluded.format, width = excluded.width, height = excluded.height, tag = excluded.tag,
                bytes = excluded.bytes
        """)
    fileprivate static let removeImage = Query("remove image", "DELETE FROM meeting_images WHERE meeting = ?")

    fileprivate static let facts = Query(
        "list check-in facts",
        """
        SELECT a.id, a.name, a.status, a.checked_in_at, a.method, e.code_age, a.device, a.network,
            a.typed_name, e.grant_age
            FROM attendees a
        LEFT JOIN events e ON e.session = a.session AND e.sequence = a.arrival_sequence WHERE a.session = ?
            ORDER BY a.id
        """)
    // The condition must repeat the condition of the partial index literally.
    fileprivate static let holding = Query(
        "list sessions holding evidence",
        """
        SELECT id FROM sessions INDEXED BY sessions_holding_evidence
        WHERE holds_evidence = 1 AND ends_at < ?
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = sessions.id)
        ORDER BY ends_at, id LIMIT ?
        """
    )
    fileprivate static let nextAttendees = Query(
        "list ids of attendees",
        "SELECT id FROM attendees WHERE session = ? AND id > ? ORDER BY id LIMIT ?")
    fileprivate static let forgetEvidence = Query(
        "forget evidence",
        """
        UPDATE attendees SET device = NULL, network = NULL
        WHERE session = ?1 AND id >= ?2 AND id <= ?3 AND (device IS NOT NULL OR network IS NOT NULL)
        """
    )
    fileprivate static let noteForgotten = Query(
        "note forgotten evidence", "UPDATE sessions SET holds_evidence = 0 WHERE id = ?")
}

extension SQLRows {
    package func invitation(_ id: MeetingInvitationID) throws(JournalError) -> MeetingInvitation? {
        try connection.first(.invitation, id, read: Self.invitation)
    }

    package func invitations(to meeting: MeetingID) throws(JournalError) -> [MeetingInvitation] {
        try connection.all(.invitations, meeting, read: Self.invitation).sorted { $0.id < $1.id }
    }

    package func invitations(of account: AccountID) throws(JournalError) -> [MeetingInvitation] {
        try connection.all(.invitationsOfAccount, account, read: Self.invitation).sorted { $0.id < $1.id }
    }

    package func image(of meeting: MeetingID) throws(JournalError) -> MeetingImage? {
        try connection.first(.image, meeting) { row throws(JournalError) in
            MeetingImage(
                header: ImageHeader(format: try row.code(0), width: row.int(1), height: row.int(2)),
                bytes: row.bytes(4), tag: row.text(3))
        }
    }

    package func hasImage(_ meeting: MeetingID) throws(JournalError) -> Bool {
        try connection.first(.hasImage, meeting) { row throws(JournalError) in row.int(0) } != nil
    }

    package func checkInFacts(of session: SessionID) throws(JournalError) -> [CheckInFact] {
        noteRead(of: session)
        return try connection.all(.facts, session) { row throws(JournalError) in
            let name = row.text(1)
            return CheckInFact(
                id: try row.id(0), name: name, status: try row.code(2),
                checkedInAt: row.instantIfAny(3),
                method: try row.codeIfAny(4),
                codeAge: row.intIfAny(5), device: row.isNull(6) ? nil : row.bytes(6),
                network: row.textIfAny(7), typedName: row.textIfAny(8).flatMap { $0.ifOther(than: name) },
                grantAge: row.intIfAny(9))
        }
    }

    package func sessions(endedBefore moment: Instant, limit: Int) throws(JournalError) -> [SessionID] {
        try connection.all(.ended, moment, limit) { row throws(JournalError) in try row.id(0) }
    }

    package func sessionsHoldingEvidence(endedBefore moment: Instant, limit: Int) throws(JournalError)
        -> [SessionID]
    {
        try connection.all(.holding, moment, limit) { row throws(JournalError) in try row.id(0) }
    }

    package func insert(_ invitation: MeetingInvitation) throws(JournalError) {
        let key = IdentityKey(invitation.email)
        try connection.run(.deleteInvited, invitation.meetingID, key)
        try connection.run(
            .insertInvitation, invitation.id, invitation.meetingID, invitation.email, invitation.role.code,
            invitation.accountID,
            invitation.invitedBy, invitation.createdAt, invitation.expiresAt, key)
    }

    package func delete(_ invitation: MeetingInvitationID) throws(JournalError) {
        if try connection.run(.deleteInvitation, invitation) > 0 { try noteErasure() }
    }

    package func deleteInvitations(to email: IdentityKey) throws(JournalError) {
        if try connection.run(.deleteInvitationsTo, email) > 0 { try noteErasure() }
    }

    package func setImage(_ image: MeetingImage?, of meeting: MeetingID) throws(JournalError) {
        guard let image else {
            if try connection.run(.removeImage, meeting) > 0 { try noteErasure() }
            return
        }
        let header = image.header
        try connection.run(
            .setImage, meeting, header.format.code, header.width, header.height, image.tag, image.bytes)
    }

    package func forgetEvidence(
        of session: SessionID, after last: AttendeeID?, limit: Int
    ) throws(JournalError) -> AttendeeID? {
        // Every id is above the lowest one, so that the statement needs no second form.
        let ids: [AttendeeID] = try connection.all(
            .nextAttendees, session, last ?? AttendeeID(high: 0, low: 0), limit
        ) { row throws(JournalError) in try row.id(0) }
        if let first = ids.first, let last = ids.last,
            try connection.run(.forgetEvidence, session, first, last) > 0
        {
            try noteErasure()
        }
        guard ids.count < limit else { return ids.last }
        try connection.run(.noteForgotten, session)
        return nil
    }

    private static func invitation(_ row: Row) throws(JournalError) -> MeetingInvitation {
        MeetingInvitation(
            id: try row.id(0), meetingID: try row.id(1), email: row.text(2), role: try row.code(3),
            accountID: row.idIfAny(4),
            invitedBy: try row.id(5), createdAt: row.instant(6), expiresAt: row.instant(7))
    }
}

extension Query {
    private static let linkColumns = "id, session, hash, created_at, created_by"

    fileprivate static let presenterLink = Query(
        "find presenter link", "SELECT \(linkColumns) FROM presenter_links WHERE hash = ?")
    fileprivate static let presenterLinks = Query(
        "list presenter links", "SELECT \(linkColumns) FROM presenter_links WHERE session = ? ORDER BY id")
    fileprivate static let linksOfCreator = Query(
        "list an account's presenter links",
        "SELECT \(linkColumns) FROM presenter_links WHERE created_by = ? ORDER BY id LIMIT ?")
    // An account may have links in thousands of other meetings, so the query reads the meeting's sessions.
    fileprivate static let linksOfCreatorInMeeting = Query(
        "list an account's presenter links in a meeting",
        """
        SELECT l.id, l.session, l.hash, l.created_at, l.created_by FROM sessions s
            CROSS JOIN presenter_links l INDEXED BY presenter_links_by_session ON l.session = s.id
        WHERE s.meeting = ?2 AND s.round >= ?3 AND l.created_by = ?1 ORDER BY s.round, l.id LIMIT ?4
        """)
    fileprivate static let insertLink = Query(
        "insert presenter link", "INSERT INTO presenter_links (\(linkColumns)) VALUES (?, ?, ?, ?, ?)")
    fileprivate static let deleteLink = Query(
        "delete presenter link", "DELETE FROM presenter_links WHERE id = ?")
}

extension SQLRows {
    package func presenterLink(hash: [UInt8]) throws(JournalError) -> PresenterLink? {
        try connection.first(.presenterLink, hash, read: Self.link)
    }

    package func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink] {
        try connection.all(.presenterLinks, session, read: Self.link)
    }

    package func presenterLinks(createdBy account: AccountID, limit: Int) throws(JournalError)
        -> [PresenterLink]
    {
        try connection.all(.linksOfCreator, account, limit, read: Self.link)
    }

    package func presenterLinks(
        createdBy account: AccountID, in meeting: MeetingID, fromRound round: Int, limit: Int
    ) throws(JournalError) -> [PresenterLink] {
        try connection.all(.linksOfCreatorInMeeting, account, meeting, round, limit, read: Self.link)
    }

    package func insert(_ link: PresenterLink) throws(JournalError) {
        try connection.run(.insertLink, link.id, link.sessionID, link.hash, link.createdAt, link.createdBy)
    }

    package func delete(_ link: PresenterLinkID) throws(JournalError) {
        try connection.run(.deleteLink, link)
    }

    private static func link(_ row: Row) throws(JournalError) -> PresenterLink {
        PresenterLink(
            id: try row.id(0), sessionID: try row.id(1), hash: row.bytes(2), createdAt: row.instant(3),
            createdBy: try row.id(4))
    }
}
