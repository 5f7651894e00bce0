package import Meetings

/// Creates a meeting with its first session. The account becomes the owner.
/// - Throws: `limitReached` if the account owns `AccountLimits.mostMeetings`; `sessionOverlap` if other
///   sessions overlap and `allowOverlap` is false; `invalid` if a question has the id of another question, or
///   a rule that `Questions.requireGoodRules` rejects.
package struct CreateMeeting: Command {
    package let meeting: Meeting
    package let session: Session
    package let sets: [QuestionSet]
    package let owner: AccountID
    package let allowOverlap: Bool

    package init(
        meeting: Meeting, session: Session, sets: [QuestionSet], owner: AccountID, allowOverlap: Bool
    ) {
        self.meeting = meeting
        self.session = session
        self.sets = sets
        self.owner = owner
        self.allowOverlap = allowOverlap
    }

    package func run(in transaction: Transaction) throws(JournalError) -> SessionRecord {
        guard try transaction.rows.account(owner) != nil else { throw .refused(.notFound(.account)) }
        guard try transaction.rows.meetingCount(ownedBy: owner) < transaction.limits.mostMeetings else {
            throw .refused(.limitReached(.meeting, limit: transaction.limits.mostMeetings))
        }
        for set in sets {
            try transaction.questions.requireOwnIDs(set.questions, field: "/session/questions")
            try transaction.questions.requireGoodRules(of: set, field: "/session/questions")
        }
        try transaction.rows.insert(meeting)
        if let consent = meeting.consent {
            try transaction.insert(consent, of: meeting.id)
        }
        try transaction.rows.setRole(.owner, of: owner, in: meeting.id)
        return try transaction.sessions.add(
            session, to: meeting, sets: sets, by: owner, allowOverlap: allowOverlap)
    }
}

/// Edits a meeting. Each field of this command that is not nil replaces the stored value.
/// - Throws: `sessionHasAttendees` if `RekeyWork` cannot change how the meeting identifies attendees;
///   `invalid` if the command changes this and revokes codes or links.
package struct EditMeeting: Command {
    package let id: MeetingID
    package let name: String?
    package let description: String?
    package let venue: String?
    package let timeZone: Zone?
    package let identifyBy: IdentifyBy?
    package let regulars: Regulars?
    package let reminders: Reminders?
    /// The tag of the new language for attendees.
    package let language: Replacement<String>?
    package let accent: Replacement<Accent>?
    /// The new text that attendees must agree to.
    package let consent: Replacement<String>?
    package let absences: AbsenceRuleChange?
    /// Whether to create a new meeting code. Posters with the old code then lead nowhere.
    package let renewsCode: Bool
    /// Whether to renew the meeting code, and the check-in code and the join code of each session that can
    /// still have check-ins. Grants that were given for the old codes end, too.
    package let renewsAllCodes: Bool
    /// Whether to revoke the presenter links of all sessions.
    package let revokesLinks: Bool
    package let expected: ExpectedVersion
    package let actor: AccountID

    package init(
        id: MeetingID, name: String? = nil, description: String? = nil, venue: String? = nil,
        timeZone: Zone? = nil, identifyBy: IdentifyBy? = nil, regulars: Regulars? = nil,
        reminders: Reminders? = nil, language: Replacement<String>? = nil,
        accent: Replacement<Accent>? = nil, consent: Replacement<String>? = nil,
        absences: AbsenceRuleChange? = nil,
        renewsCode: Bool = false, renewsAllCodes: Bool = false, revokesLinks: Bool = false,
        expected: ExpectedVersion = .any, actor: AccountID
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.venue = venue
        self.timeZone = timeZone
        self.identifyBy = identifyBy
        self.regulars = regulars
        self.reminders = reminders
        self.language = language
        self.accent = accent
        self.consent = consent
        self.absences = absences
        self.renewsCode = renewsCode
        self.renewsAllCodes = renewsAllCodes
        self.revokesLinks = revokesLinks
        self.expected = expected
        self.actor = actor
    }

    private var revokes: Bool { renewsAllCodes || revokesLinks }

    /// Returns the meeting with its latest session.
    package func run(in transaction: Transaction) throws(JournalError) -> SessionRecord {
        if revokes { return try runAtOnce(in: transaction) }
        var meeting = try transaction.rights.meeting(id, managedBy: actor)
        try expected.check(meeting.version)
        if let identifyBy, identifyBy != meeting.identifyBy { return try runAtOnce(in: transaction) }
        try apply(to: &meeting, in: transaction.rows, at: transaction.now)
        return try transaction.edit(meeting, by: actor)
    }

    /// Replaces the values of the meeting that this command gives, except `identifyBy`. If `regulars`
    /// becomes `everybody`, it applies from the last session that has started.
    private func apply(to meeting: inout Meeting, in rows: any ReadableRows, at now: Instant)
        throws(JournalError)
    {
        if let regulars, regulars == .everybody, meeting.regulars != regulars,
            let held = try rows.lastHeldSession(of: id, at: now)
        {
            meeting.joinedRound = max(meeting.joinedRound, held.session.round - 1)
        }
        meeting.name = name ?? meeting.name
        meeting.description = description ?? meeting.description
        meeting.venue = venue ?? meeting.venue
        meeting.timeZone = timeZone ?? meeting.timeZone
        meeting.regulars = regulars ?? meeting.regulars
        meeting.reminders = reminders ?? meeting.reminders
        meeting.language = language.map(\.value) ?? meeting.language
        meeting.accent = accent.map(\.value) ?? meeting.accent
        if let consent {
            meeting.consent = try consent.value.map { text throws(JournalError) in
                try rows.consent(text, of: id)
            }
        }
        if let absences {
            do throws(Refusal) {
                meeting.absenceRule = try absences.applied(to: meeting.absenceRule)
            } catch { throw .refused(error) }
        }
        if renewsCode || renewsAllCodes { meeting.codeVersion += 1 }
        if renewsAllCodes { meeting.revokeCodes(at: now) }
    }

    // MARK: A new kind of key, or new codes of all sessions

    package var planning: Planning { identifyBy != nil ? .scanning : revokes ? .reading : .none }

    package func work(in rows: any ReadableRows, at now: Instant) throws(JournalError) -> (any Work)? {
        guard var meeting = try rows.meeting(id) else { throw .refused(.notFound(.meeting)) }
        try rows.requireHost(actor, of: id)
        try expected.check(meeting.version)
        let identifyBy = identifyBy == meeting.identifyBy ? nil : identifyBy
        if revokes {
            guard identifyBy == nil else {
                let other = renewsAllCodes ? "renewAllCodes" : "revokePresenterLinks"
                throw .refused(.invalid([FieldError("/identifyBy", .notTogether(with: other))]))
            }
            return CodeRevocation(
                of: try rows.sessionIDs(of: id), in: id, renewsCodes: renewsAllCodes,
                revokesLinks: revokesLinks, by: actor)
        }
        guard let identifyBy else { return nil }
        try apply(to: &meeting, in: rows, at: now)
        return RekeyWork(
            meeting, to: identifyBy, version: try rows.rosterVersion(of: id),
            people: try RekeyWork.people(of: id, from: rows),
            sessions: try rows.idsOfSessionsNotOver(of: id, at: now), actor: actor)
    }

    package func begin(_ work: any Work, in transaction: Transaction) throws(JournalError) -> Beginning<
        SessionRecord
    > {
        let meeting = try transaction.meeting(id)
        try transaction.rights.requireHost(actor, of: id)
        try expected.check(meeting.version)
        if let work = work as? CodeRevocation {
            guard try transaction.rows.sessionIDs(of: id) == work.revoked else { return .outdated }
            // From now on no old grant checks in, also if the server crashes between two slices.
            var edited = meeting
            try apply(to: &edited, in: transaction.rows, at: transaction.now)
            _ = try transaction.edit(edited, by: actor)
            if renewsAllCodes { try transaction.note(.codesRenewed, by: .account(actor), in: id) }
            return .begun
        }
        let sessions = try transaction.rows.idsOfSessionsNotOver(of: id, at: transaction.now)
        guard let work = work as? RekeyWork,
            work.isPlanned(for: meeting, try transaction.rows.rosterVersion(of: id), sessions)
        else { return .outdated }
        try work.requireOnlyAwaited(in: transaction)
        return .begun
    }

    package func answer(to work: any Work, in transaction: Transaction) throws(JournalError) -> SessionRecord
    {
        guard let latest = try transaction.rows.latestSession(of: id) else {
            throw .refused(.notFound(.session))
        }
        return try transaction.session(latest.session.id)
    }
}

extension Transaction {
    /// Stores the text of a consent, unless the meeting has had it before.
    fileprivate func insert(_ consent: Consent, of meeting: MeetingID) throws(JournalError) {
        guard try !rows.consents(of: meeting).contains(where: { $0.consent == consent }) else { return }
        try rows.insert(DatedConsent(consent, since: now), of: meeting)
    }

    /// Writes an edited meeting, with one event in its latest session, and publishes the edit. Returns the
    /// meeting with that session. Does nothing if the edit changes nothing.
    func edit(_ edited: Meeting, by actor: AccountID) throws(JournalError) -> SessionRecord {
        let before = try meeting(edited.id)
        guard let latest = try rows.latestSession(of: edited.id) else { throw .refused(.notFound(.session)) }
        guard edited != before else { return try session(latest.session.id) }
        var meeting = edited
        meeting.version += 1
        if let consent = meeting.consent, consent != before.consent {
            try insert(consent, of: meeting.id)
        }
        try update(meeting)
        let fields = [
            before.name == meeting.name ? nil : "name",
            before.description == meeting.description ? nil : "description",
            before.venue == meeting.venue ? nil : "place",
            before.timeZone == meeting.timeZone ? nil : "timeZone",
            before.identifyBy == meeting.identifyBy ? nil : "identifyBy",
            before.regulars == meeting.regulars ? nil : "regulars",
            before.reminders == meeting.reminders ? nil : "reminders",
            before.language == meeting.language ? nil : "language",
            before.accent == meeting.accent ? nil : "accent",
            before.consent == meeting.consent ? nil : "consent",
            before.codeVersion == meeting.codeVersion ? nil : "code",
        ].compactMap { $0 }
        try record(.edited, in: latest.session.id, by: .account(actor), EventData(fields: fields))
        publishEdit(of: latest.session.id)
        return try session(latest.session.id)
    }
}

extension ReadableRows {
    /// Returns the text that the attendee agreed to; nil if there is none.
    package func consent(of attendee: Attendee, in meeting: MeetingID) throws(JournalError) -> Consent? {
        guard let number = attendee.consentNumber else { return nil }
        return try consents(of: meeting).first { $0.consent.number == number }?.consent
    }

    /// Returns the consent with this text: the meeting's earlier one if there is one, or else a new one.
    /// - Throws: `limitReached` if the meeting has had `Consent.most` texts.
    fileprivate func consent(_ text: String, of meeting: MeetingID) throws(JournalError) -> Consent {
        let known = try consents(of: meeting).map(\.consent)
        if let same = known.first(where: { $0.text == text }) { return same }
        guard known.count < Consent.most else {
            throw .refused(.limitReached(.consentText, limit: Consent.most))
        }
        return Consent(number: (known.last?.number ?? 0) + 1, text: text)
    }
}

/// Deletes a meeting with all its sessions.
/// - Throws: `notAllowed` unless the actor is an owner; `confirmationNeeded` if anybody has checked in and
///   `confirmation` is not the meeting's name.
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
        try transaction.rights.requireOwner(actor, of: id)
        let size = try transaction.sessions.size(of: id)
        try meeting.requireConfirmation(confirmation, checkIns: size.checkIns)
        try transaction.sessions.deleteMeeting(id, size)
    }
}

extension Meeting {
    /// Checks that the caller may delete the meeting or one of its sessions.
    /// - Parameter checkIns: the number of check-ins that the deletion would delete.
    /// - Throws: `confirmationNeeded` if anybody has checked in and the confirmation is not the meeting's
    ///   name.
    func requireConfirmation(_ confirmation: String?, checkIns: Int) throws(JournalError) {
        guard checkIns == 0 || confirmation == name else {
            throw .refused(.confirmationNeeded(name: name, checkIns: checkIns))
        }
    }
}

/// Sets or deletes the image of a meeting. All sessions of the meeting show this image.
/// - Throws: `notFound` if the meeting has no image to delete.
package struct SetMeetingImage: Command {
    package let meeting: MeetingID
    /// The new image; nil deletes the image.
    package let image: MeetingImage?
    package let expected: Expected
    package let actor: AccountID

    /// The image that the caller last saw, by its entity tag.
    package enum Expected: Hashable, Sendable {
        case any, none
        case tag(String)

        func matches(_ image: MeetingImage?) -> Bool {
            switch self {
            case .any: true
            case .none: image == nil
            case .tag(let tag): image?.tag == tag
            }
        }
    }

    package init(meeting: MeetingID, image: MeetingImage?, expected: Expected = .any, actor: AccountID) {
        self.meeting = meeting
        self.image = image
        self.expected = expected
        self.actor = actor
    }

    package func run(in transaction: Transaction) throws(JournalError) {
        try transaction.rights.requireHost(actor, of: meeting)
        let before = try transaction.rows.image(of: meeting)
        guard expected.matches(before) else {
            throw .refused(.versionMismatch(current: try transaction.meeting(meeting).version))
        }
        guard before != nil || image != nil else { throw .refused(.notFound(.image)) }
        guard before?.tag != image?.tag, let latest = try transaction.rows.latestSession(of: meeting) else {
            return
        }
        try transaction.rows.setImage(image, of: meeting)
        try transaction.record(
            .edited, in: latest.session.id, by: .account(actor), EventData(fields: ["image"]))
    }
}
