import Journal
import Meetings
import Phrases
import Wire

extension PersonalDataBody {
    /// Makes the export of an attendee, for the holder of the receipt.
    init(_ data: AttendanceData, at now: Instant, in language: Language) {
        self.init(
            exportedAt: now, leavingOut: [.anonymousAnswers, .rosterAndNotes, .journal], in: language)
        var checkIn = CheckInData(data, at: now, in: language)
        checkIn.typed = NameData(data.attendee.seenByAttendee)
        checkIn.setEvidence(data.attendee.evidence)
        checkIns = [checkIn]
        replies = data.replies.map { ReplyData($0) }
        mails = data.mails.map { MailData($0) }
        devices = data.devices.map { DeviceBody($0) }
    }

    /// Makes the export of a person of a roster, for a host.
    init(_ data: Journal.PersonData, at now: Instant, in language: Language) {
        self.init(
            exportedAt: now, leavingOut: [.anonymousAnswers, .hiddenAnswers, .evidence, .journal],
            in: language)
        add(data, withEvidence: false, at: now, in: language)
    }

    /// Makes the export of an account, for its owner.
    init(_ data: Journal.AccountData, at now: Instant, in language: Language) {
        self.init(
            exportedAt: now, leavingOut: [.anonymousAnswers, .otherRecords, .secrets, .journal], in: language)
        add(data)
    }

    /// Adds an account.
    mutating func add(_ data: Journal.AccountData) {
        var account = AccountData(data.account)
        account.signIns = data.signIns.map { SignInBody($0, current: false) }
        account.meetings = data.memberships.map { MembershipData($0.meeting, role: $0.role) }
        account.invitations = data.invitations.map { InvitationData($0.invitation, to: $0.meeting) }
        account.presenterLinks = data.links.map { LinkData($0) }
        account.webhooks = data.webhooks.map { WebhookData($0.hook, of: $0.meeting) }
        self.account = account
        mails += data.mails.map { MailData($0) }
        devices += data.devices.map { DeviceBody($0) }
        unsubscriptions = data.unsubscriptions.map { UnsubscriptionData($0) }
    }

    /// Adds a person of a roster with all records in the meeting.
    mutating func add(
        _ data: Journal.PersonData, withEvidence: Bool, at now: Instant, in language: Language
    ) {
        people.append(
            PersonData(
                data.person, in: data.meeting, passes: data.passes, certificates: data.certificates,
                removed: data.removed.map { CorrectionData(reason: $0.note, before: $0.before?.attendee) }))
        for attendance in data.attendances {
            add(attendance, withEvidence: withEvidence, at: now, in: language)
        }
        add(data.replies)
        mails += data.mails.map { MailData($0) }
        let wish = UnsubscriptionData(data.meeting)
        if data.isUnsubscribed, !unsubscriptions.contains(wish) { unsubscriptions.append(wish) }
    }

    /// Adds replies, each once.
    mutating func add(_ found: [Reply]) {
        for reply in found where !replies.contains(where: { $0.id == reply.id }) {
            replies.append(ReplyData(reply))
        }
    }

    /// Adds an attendee's record, as it is stored.
    mutating func add(
        _ data: AttendanceData, withEvidence: Bool, at now: Instant, in language: Language
    ) {
        let attendee = data.attendee
        var checkIn = CheckInData(data, at: now, in: language)
        checkIn.stored = NameData(attendee.recorded)
        checkIn.typed = attendee.typed.map { NameData($0) }
        checkIn.note = attendee.note.isEmpty ? nil : attendee.note
        checkIn.walkIn = attendee.walkIn
        checkIn.firstTime = attendee.firstTime
        checkIn.corrections = data.corrections.map {
            CorrectionData(reason: $0.note, before: $0.before?.attendee)
        }
        if withEvidence { checkIn.setEvidence(attendee.evidence) }
        checkIns.append(checkIn)
        add(data.replies)
        mails += data.mails.map { MailData($0) }
        devices += data.devices.map { DeviceBody($0) }
    }
}

extension PersonalDataBody.CheckInData {
    fileprivate init(_ data: AttendanceData, at now: Instant, in language: Language) {
        self.init(data.attendee, of: data.record.session, in: data.record.meeting, at: now)
        consentText = data.consent?.text
        certificate = data.certificate.map { PersonalDataBody.CertificateData($0) }
        answeredSets = data.answered
        for (set, response) in data.responses {
            for question in set.questions {
                guard let answer = response.answers[question.id] else { continue }
                answers.append(
                    PersonalDataBody.AnswerData(
                        answer, to: question, of: set, at: response.at, in: language))
            }
        }
        questions = data.questions.map { PersonalDataBody.QuestionData($0) }
        votes = data.votes.map { PersonalDataBody.VoteData($0) }
        doorEntries = data.doorEntries.map { stored, door in
            PersonalDataBody.DoorEntryData(
                stored.entry, door: door?.door, receivedAt: stored.receivedAt, state: stored.state.rawValue)
        }
        groups = data.groups.map {
            PersonalDataBody.GroupsData(
                $0.profile, excluded: $0.isExcluded, lines: $0.lines, reports: $0.reports)
        }
    }

    fileprivate mutating func setEvidence(_ evidence: CheckInEvidence?) {
        network = evidence?.network
        deviceMark = evidence?.device.map { $0.map { byte in byte.hexadecimal }.joined() }
    }
}

extension UInt8 {
    fileprivate var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}

extension RecordBefore {
    /// The attendee's record before the correction; nil if the correction is about something else.
    fileprivate var attendee: Attendee? {
        switch self {
        case .corrected(let attendee, _, _): attendee
        case .removed(let whole), .merged(let whole, into: _): whole.attendee
        case .added, .separated, .edited, .question, .mergedQuestion, .separatedQuestion, .text, .word,
            .moved:
            nil
        }
    }
}
