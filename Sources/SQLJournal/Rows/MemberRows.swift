package import Journal
package import Meetings

enum InvitationColumn: Int32, Columns {
    case id, meeting, email, role, account, invitedBy, createdAt, expiresAt
    // Written only.
    case emailKey

    static let table = "meeting_invitations"
    var writing: ColumnWriting { .once }
    var isRead: Bool { self != .emailKey }

    func bind(_ invitation: MeetingInvitation, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(invitation.id)
        case .meeting: parameters.bind(invitation.meetingID)
        case .email: parameters.bind(invitation.email)
        case .role: parameters.bind(invitation.role.code)
        case .account: parameters.bind(invitation.accountID)
        case .invitedBy: parameters.bind(invitation.invitedBy)
        case .createdAt: parameters.bind(invitation.createdAt)
        case .expiresAt: parameters.bind(invitation.expiresAt)
        case .emailKey: parameters.bind(IdentityKey(invitation.email))
        }
    }
}

/// The image of a meeting.
struct ImageRow {
    let meeting: MeetingID
    let image: MeetingImage
}

enum ImageColumn: Int32, Columns {
    case format, width, height, tag, bytes
    // Written only.
    case meeting

    static let table = "meeting_images"
    var writing: ColumnWriting { self == .meeting ? .key : .always }
    var isRead: Bool { self != .meeting }

    func bind(_ row: ImageRow, to parameters: inout Parameters) {
        switch self {
        case .format: parameters.bind(row.image.header.format.code)
        case .width: parameters.bind(row.image.header.width)
        case .height: parameters.bind(row.image.header.height)
        case .tag: parameters.bind(row.image.tag)
        case .bytes: parameters.bind(row.image.bytes)
        case .meeting: parameters.bind(row.meeting)
        }
    }
}

/// A text of a meeting's consent.
struct ConsentRow {
    let meeting: MeetingID
    let consent: DatedConsent
}

enum ConsentColumn: Int32, Columns {
    case number, text, since
    // Written only.
    case meeting

    static let table = "consents"
    var writing: ColumnWriting { .once }
    var isRead: Bool { self != .meeting }

    func bind(_ row: ConsentRow, to parameters: inout Parameters) {
        switch self {
        case .number: parameters.bind(row.consent.consent.number)
        case .text: parameters.bind(row.consent.consent.text)
        case .since: parameters.bind(row.consent.since)
        case .meeting: parameters.bind(row.meeting)
        }
    }
}

extension Writing where Column == ConsentColumn {
    fileprivate static let insertConsent = insert("insert consent")
}

extension Writing where Column == InvitationColumn {
    fileprivate static let insertInvitation = insert("insert invitation")
}

extension Writing where Column == ImageColumn {
    fileprivate static let setImage = save("set image")
}

extension Query {
    private static let invitationColumns = InvitationColumn.selected()

    fileprivate static let invitation = Query(
        "find invitation", "SELECT \(invitationColumns) FROM meeting_invitations WHERE id = ?")
    fileprivate static let invitations = Query(
        "list invitations", "SELECT \(invitationColumns) FROM meeting_invitations WHERE meeting = ?")
    fileprivate static let invitationsOfAccount = Query(
        "list an account's invitations",
        "SELECT \(invitationColumns) FROM meeting_invitations WHERE account = ?")
    fileprivate static let deleteInvited = Query(
        "replace invitation", "DELETE FROM meeting_invitations WHERE meeting = ? AND email_key = ?")
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
        "find image", "SELECT \(ImageColumn.selected()) FROM meeting_images WHERE meeting = ?")
    fileprivate static let hasImage = Query("has image", "SELECT 1 FROM meeting_images WHERE meeting = ?")
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
    // The conditions must repeat the conditions of the partial indexes literally.
    fileprivate static let withNames = Query(
        "list sessions with names",
        """
        SELECT id FROM sessions INDEXED BY sessions_with_names
        WHERE names = 0 AND ends_at < ?1
            AND ends_at + feedback_closes_hours_after * 3600000 < ?2
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = sessions.id)
        ORDER BY ends_at, id LIMIT ?3
        """
    )
    fileprivate static let losingNames = Query(
        "list sessions that lose names",
        """
        SELECT id FROM sessions INDEXED BY sessions_losing_names WHERE names = 1
            AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.id = sessions.id)
        ORDER BY id LIMIT ?
        """)
    fileprivate static let setNames = Query("set names", "UPDATE sessions SET names = ?2 WHERE id = ?1")
    fileprivate static let forgetCorrections = Query(
        "forget corrections",
        """
        DELETE FROM corrections WHERE session = ?1 AND sequence IN (SELECT sequence FROM corrections
            WHERE session = ?1 AND attendee IS NOT NULL ORDER BY sequence LIMIT ?2)
        """)
    fileprivate static let forgetTraces = Query(
        "forget keys of merged records",
        """
        UPDATE merged_attendees SET key = NULL, check_in_grant = NULL
        WHERE session = ? AND (key IS NOT NULL OR check_in_grant IS NOT NULL)
        """)
    fileprivate static let consents = Query(
        "list consents",
        "SELECT \(ConsentColumn.selected()) FROM consents WHERE meeting = ? ORDER BY number")
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
            let cells = Cells<ImageColumn>(row)
            return MeetingImage(
                header: ImageHeader(
                    format: try cells.code(.format), width: cells.int(.width), height: cells.int(.height)),
                bytes: cells.bytes(.bytes), tag: cells.text(.tag))
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

    package func sessionsWithNames(endedBefore moment: Instant?, closedBefore now: Instant, limit: Int)
        throws(JournalError) -> [SessionID]
    {
        var found: [SessionID] = try connection.all(.losingNames, limit) { row throws(JournalError) in
            try row.id(0)
        }
        guard let moment, found.count < limit else { return found }
        found += try connection.all(.withNames, moment, now, limit - found.count) {
            row throws(JournalError) in try row.id(0)
        }
        return found
    }

    package func setNames(_ names: StoredNames, of session: SessionID) throws(JournalError) {
        try connection.run(.setNames, session, names.rawValue)
        try noteErasure()
    }

    package func forgetCorrections(of session: SessionID, limit: Int) throws(JournalError) -> Bool {
        try connection.run(.forgetTraces, session)
        return try connection.run(.forgetCorrections, session, limit) == limit
    }

    package func consents(of meeting: MeetingID) throws(JournalError) -> [DatedConsent] {
        try connection.all(.consents, meeting) { row throws(JournalError) in
            let cells = Cells<ConsentColumn>(row)
            return DatedConsent(
                Consent(number: cells.int(.number), text: cells.text(.text)), since: cells.instant(.since))
        }
    }

    package func insert(_ consent: DatedConsent, of meeting: MeetingID) throws(JournalError) {
        try connection.run(.insertConsent, ConsentRow(meeting: meeting, consent: consent))
    }

    package func insert(_ invitation: MeetingInvitation) throws(JournalError) {
        try connection.run(.deleteInvited, invitation.meetingID, IdentityKey(invitation.email))
        try connection.run(.insertInvitation, invitation)
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
        try connection.run(.setImage, ImageRow(meeting: meeting, image: image))
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
        let cells = Cells<InvitationColumn>(row)
        return MeetingInvitation(
            id: try cells.id(.id), meetingID: try cells.id(.meeting), email: cells.text(.email),
            role: try cells.code(.role), accountID: cells.idIfAny(.account),
            invitedBy: try cells.id(.invitedBy), createdAt: cells.instant(.createdAt),
            expiresAt: cells.instant(.expiresAt))
    }
}

enum LinkColumn: Int32, Columns {
    case id, session, hash, createdAt, createdBy, purpose

    static let table = "presenter_links"
    var writing: ColumnWriting { .once }

    func bind(_ link: PresenterLink, to parameters: inout Parameters) {
        switch self {
        case .id: parameters.bind(link.id)
        case .session: parameters.bind(link.sessionID)
        case .hash: parameters.bind(link.hash)
        case .createdAt: parameters.bind(link.createdAt)
        case .createdBy: parameters.bind(link.createdBy)
        case .purpose: parameters.bind(link.purpose.code)
        }
    }
}

extension Writing where Column == LinkColumn {
    fileprivate static let insertLink = insert("insert presenter link")
}

extension Query {
    private static let linkColumns = LinkColumn.selected()

    fileprivate static let presenterLink = Query(
        "find presenter link", "SELECT \(linkColumns) FROM presenter_links WHERE hash = ? AND purpose = ?")
    fileprivate static let presenterLinks = Query(
        "list presenter links", "SELECT \(linkColumns) FROM presenter_links WHERE session = ? ORDER BY id")
    fileprivate static let linksOfCreator = Query(
        "list an account's presenter links",
        "SELECT \(linkColumns) FROM presenter_links WHERE created_by = ? ORDER BY id LIMIT ?")
    // An account may have links in thousands of other meetings, so the query reads the meeting's sessions.
    fileprivate static let linksOfCreatorInMeeting = Query(
        "list an account's presenter links in a meeting",
        """
        SELECT \(LinkColumn.selected(of: "l")) FROM sessions s
            CROSS JOIN presenter_links l INDEXED BY presenter_links_by_session ON l.session = s.id
        WHERE s.meeting = ?2 AND s.round >= ?3 AND l.created_by = ?1 ORDER BY s.round, l.id LIMIT ?4
        """)
    fileprivate static let deleteLink = Query(
        "delete presenter link", "DELETE FROM presenter_links WHERE id = ?")
}

extension SQLRows {
    package func presenterLink(hash: [UInt8], for purpose: PresenterLink.Purpose) throws(JournalError)
        -> PresenterLink?
    {
        try connection.first(.presenterLink, hash, purpose.code, read: Self.link)
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
        try connection.run(.insertLink, link)
    }

    package func delete(_ link: PresenterLinkID) throws(JournalError) {
        try connection.run(.deleteLink, link)
    }

    private static func link(_ row: Row) throws(JournalError) -> PresenterLink {
        let cells = Cells<LinkColumn>(row)
        return PresenterLink(
            id: try cells.id(.id), sessionID: try cells.id(.session), hash: cells.bytes(.hash),
            createdAt: cells.instant(.createdAt), createdBy: try cells.id(.createdBy),
            purpose: try cells.code(.purpose))
    }
}
