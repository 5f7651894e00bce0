package import Meetings
package import Phrases

/// All data that the server stores about one person, as far as the reader of the export may see it.
package struct PersonalDataBody: Codable, Hashable, Sendable {
    package let exportedAt: Instant
    package var account: AccountData?
    /// The entries on rosters.
    package var people: [PersonData] = []
    package var checkIns: [CheckInData] = []
    /// The replies to sessions.
    package var replies: [ReplyData] = []
    package var mails: [MailData] = []
    /// The devices that get push messages, without their tokens.
    package var devices: [DeviceBody] = []
    /// The meetings about which the person wants no mails.
    package var unsubscriptions: [UnsubscriptionData] = []
    /// The data that this export does not contain, with the reasons.
    package var leftOut: [LeftOutData]

    package init(exportedAt: Instant, leavingOut parts: [LeftOut], in language: Language) {
        self.exportedAt = exportedAt
        leftOut = parts.map { LeftOutData(part: $0, reason: $0.phrase.text(in: language)) }
    }

    /// A reply to a session. The name is left out, because the roster's may not be known to the reader.
    package struct ReplyData: Codable, Hashable, Sendable {
        package let id: ReplyID
        package let sessionId: SessionID
        package let status: Reply.Status
        package let guests: Int
        package let createdAt: Instant
        package let changedAt: Instant
        package let invitedAt: Instant?

        package init(_ reply: Reply) {
            id = reply.id
            sessionId = reply.sessionID
            status = reply.status
            guests = reply.guests
            createdAt = reply.createdAt
            changedAt = reply.changedAt
            invitedAt = reply.invitedAt
        }
    }

    /// An account, with all rows that name it.
    package struct AccountData: Codable, Hashable, Sendable {
        package let account: AccountBody
        package let termsAcceptedAt: Instant?
        package var signIns: [SignInBody] = []
        package var meetings: [MembershipData] = []
        package var invitations: [InvitationData] = []
        package var presenterLinks: [LinkData] = []
        package var webhooks: [WebhookData] = []

        package init(_ account: Account) {
            self.account = AccountBody(account)
            termsAcceptedAt = account.profile.termsAcceptedAt
        }
    }

    /// A meeting of the account, with the account's role.
    package struct MembershipData: Codable, Hashable, Sendable {
        package let meetingId: MeetingID
        package let meeting: String
        package let role: Role

        package init(_ meeting: Meeting, role: Role) {
            meetingId = meeting.id
            self.meeting = meeting.name
            self.role = role
        }
    }

    /// The wish to get no mails about a meeting; without a meeting, about any meeting of the server.
    package struct UnsubscriptionData: Codable, Hashable, Sendable {
        package let meetingId: MeetingID?
        package let meeting: String?

        package init(_ meeting: Meeting?) {
            meetingId = meeting?.id
            self.meeting = meeting?.name
        }
    }

    /// An invitation to the account's address that is still open.
    package struct InvitationData: Codable, Hashable, Sendable {
        package let meeting: String
        package let email: String
        package let role: Role
        package let createdAt: Instant
        package let expiresAt: Instant

        package init(_ invitation: MeetingInvitation, to meeting: Meeting) {
            self.meeting = meeting.name
            email = invitation.email
            role = invitation.role
            createdAt = invitation.createdAt
            expiresAt = invitation.expiresAt
        }
    }

    /// A presenter link that the account has created.
    package struct LinkData: Codable, Hashable, Sendable {
        package let id: PresenterLinkID
        package let sessionId: SessionID
        package let createdAt: Instant
        package let purpose: PresenterLink.Purpose

        package init(_ link: PresenterLink) {
            id = link.id
            sessionId = link.sessionID
            createdAt = link.createdAt
            purpose = link.purpose
        }
    }

    /// A web hook that the account has created, without its secret and without the rest of its address, which
    /// can contain another one.
    package struct WebhookData: Codable, Hashable, Sendable {
        package let id: WebhookID
        package let meetingId: MeetingID
        package let meeting: String
        package let host: String
        package let events: [WebhookEvent]
        /// `active`, or the reason why it gets no events: `gone`, `tooManyWaiting`.
        package let state: String
        package let createdAt: Instant

        package init(_ hook: Webhook, of meeting: Meeting) {
            id = hook.id
            meetingId = meeting.id
            self.meeting = meeting.name
            host = WebAddress.host(of: hook.url)
            events = hook.events.list
            state = hook.state
            createdAt = hook.createdAt
        }
    }

    /// An entry on the roster of a meeting.
    package struct PersonData: Codable, Hashable, Sendable {
        package let id: PersonID
        package let meetingId: MeetingID
        package let meeting: String
        package let name: String
        package let email: String?
        package let number: String?
        package let archived: Bool
        package let joinedByCheckIn: Bool
        /// The records that a host has removed in the last 24 hours.
        package let removed: [CorrectionData]
        /// The personal passes. The codes are left out.
        package let passes: [PassData]
        /// The certificates about series.
        package let certificates: [CertificateData]

        package init(
            _ person: Person, in meeting: Meeting, passes: [Pass], certificates: [Certificate],
            removed: [CorrectionData]
        ) {
            self.removed = removed
            self.passes = passes.map { PassData($0) }
            self.certificates = certificates.map { CertificateData($0) }
            id = person.id
            meetingId = meeting.id
            self.meeting = meeting.name
            name = person.name
            email = person.email.isEmpty ? nil : person.email
            number = person.number.isEmpty ? nil : person.number
            archived = person.isArchived
            joinedByCheckIn = person.joinedByCheckIn
        }
    }

    /// The server's record of a certificate. It has no name.
    package struct CertificateData: Codable, Hashable, Sendable {
        package let id: CertificateID
        package let issuedAt: Instant
        package let revokedAt: Instant?
        package let mailedAt: Instant?
        /// The numbers of sessions, of a certificate about a series.
        package let attended: Int?
        package let held: Int?

        package init(_ certificate: Certificate) {
            id = certificate.id
            (issuedAt, revokedAt, mailedAt) = (
                certificate.issuedAt, certificate.revokedAt, certificate.mailedAt
            )
            if case .series(_, let share) = certificate.subject {
                (attended, held) = (share.attended, share.held)
            } else {
                (attended, held) = (nil, nil)
            }
        }
    }

    /// A personal pass.
    package struct PassData: Codable, Hashable, Sendable {
        package let sessionId: SessionID?
        package let createdAt: Instant
        package let revokedAt: Instant?

        init(_ pass: Pass) {
            (sessionId, createdAt, revokedAt) = (pass.session, pass.createdAt, pass.revokedAt)
        }
    }

    /// A name and an e-mail address or number, as they are or were stored.
    package struct NameData: Codable, Hashable, Sendable {
        package let name: String
        package let identity: String?

        package init(_ details: TypedDetails) {
            name = details.name
            identity = details.identity.isEmpty ? nil : details.identity
        }
    }

    /// The record of one session, with everything that belongs to it.
    package struct CheckInData: Codable, Hashable, Sendable {
        package let attendeeId: AttendeeID
        package let sessionId: SessionID
        package let meeting: String
        package let round: Int
        package let startsAt: Instant
        package let endsAt: Instant
        /// The name and identity of the record; nil if the export may contain only what the attendee typed.
        package var stored: NameData?
        /// The values that the attendee typed; nil if they equal the record.
        package var typed: NameData?
        package let status: AttendanceStatus
        package let checkedInAt: Instant?
        package let method: CheckInMethod?
        /// The moments at which the attendee left and returned, in turn; nil if there are none.
        package let moves: [Instant]?
        /// The text that the attendee agreed to.
        package var consentText: String?
        /// The certificate about the session.
        package var certificate: CertificateData?
        /// The host's note.
        package var note: String?
        package var walkIn: Bool?
        package var firstTime: Bool?
        /// The network of the check-in, and the mark of the browser as hexadecimal digits.
        package var network: String?
        package var deviceMark: String?
        /// Earlier states of the record, with the hosts' reasons.
        package var corrections: [CorrectionData] = []
        /// The sets that the attendee has answered, with any promise.
        package var answeredSets: [String] = []
        package var answers: [AnswerData] = []
        package var questions: [QuestionData] = []
        /// The questions of others for which the attendee has voted; the text only if the hall sees it.
        package var votes: [VoteData] = []
        package var groups: GroupsData?
        /// What offline doors did, in the order of their own numbers.
        package var doorEntries: [DoorEntryData] = []

        package init(_ attendee: Attendee, of session: Session, in meeting: Meeting, at now: Instant) {
            attendeeId = attendee.id
            sessionId = session.id
            self.meeting = meeting.name
            round = session.round
            startsAt = session.startsAt
            endsAt = session.endsAt
            status = attendee.status.shown(sessionIsOver: session.isOver(at: now))
            checkedInAt = attendee.checkedInAt
            method = attendee.method
            moves = attendee.stays?.moves
        }
    }

    /// A part in groups of interest.
    package struct GroupsData: Codable, Hashable, Sendable {
        package let nickname: String?
        package let keywords: [String]
        /// The first age of the attendee's ten years, and the ages of the people who find the attendee.
        package let ageGroup: Int?
        package let ageRange: AgeRange?
        /// Whether a host has excluded the attendee.
        package let excluded: Bool
        /// The lines of text to people whom the attendee met.
        package let lines: [String]
        /// The attendee's reports about others.
        package let reports: [String]

        package init(_ profile: MatchPerson.Profile?, excluded: Bool, lines: [String], reports: [String]) {
            nickname = profile?.nickname
            keywords = profile?.keywords ?? []
            (ageGroup, ageRange) = (profile?.ages?.group, profile?.ages?.range)
            self.excluded = excluded
            self.lines = lines
            self.reports = reports
        }
    }

    /// What an offline door did.
    package struct DoorEntryData: Codable, Hashable, Sendable {
        /// The number of the door.
        package let door: Int?
        /// `in`, `out`, or `undone` for the undo of an earlier entry.
        package let kind: String
        /// The moment by the server's clock, as far as the door knew it.
        package let at: Instant
        package let receivedAt: Instant
        /// Whether the entry counts: `merged`, `overruled`, `held` or `rejected`.
        package let state: String

        package init(_ entry: DoorEntry, door: Int?, receivedAt: Instant, state: String) {
            self.door = door
            kind =
                switch entry.kind {
                case .in: "in"
                case .out: "out"
                case .undone: "undone"
                }
            (at, self.receivedAt, self.state) = (entry.correctedAt, receivedAt, state)
        }
    }

    /// A record as it was before a correction, with the host's reason.
    package struct CorrectionData: Codable, Hashable, Sendable {
        package let reason: String?
        package let before: NameData?
        package let typed: NameData?
        package let note: String?

        package init(reason: String, before: Attendee?) {
            self.reason = reason.isEmpty ? nil : reason
            self.before = before.map { NameData($0.recorded) }
            typed = before?.typed.map { NameData($0) }
            note = before.flatMap { $0.note.isEmpty ? nil : $0.note }
        }
    }

    /// The answer to one question, in words.
    package struct AnswerData: Codable, Hashable, Sendable {
        package let set: String
        package let promise: AnswerPromise
        package let at: Instant
        package let question: String
        package let answer: String

        package init(
            _ answer: Answer, to question: Question, of set: QuestionSet, at moment: Instant,
            in language: Language
        ) {
            self.set = set.name
            promise = set.promise
            at = moment
            self.question = question.title.text(in: language.rawValue)
            self.answer = question.parts(of: answer, in: language, .cell).joined(separator: "; ")
        }
    }

    /// A question from the audience that the attendee asked.
    package struct QuestionData: Codable, Hashable, Sendable {
        package let askedAt: Instant
        package let text: String
        package let promise: AudienceQuestion.Promise
        /// The host's written answer, if the hall sees it.
        package let answer: String?

        package init(_ question: AudienceQuestion) {
            askedAt = question.askedAt
            text = question.text
            promise = question.promise
            answer = question.status.isShown && !question.answer.isEmpty ? question.answer : nil
        }
    }

    /// A vote for a question from the audience.
    package struct VoteData: Codable, Hashable, Sendable {
        package let questionId: AudienceQuestionID
        package let text: String?

        package init(_ question: AudienceQuestion) {
            questionId = question.id
            text = question.status.isShown ? question.text : nil
        }
    }

    /// A mail to the person, without its text: the person has got the text itself.
    package struct MailData: Codable, Hashable, Sendable {
        package let kind: String
        package let recipient: String
        package let queuedAt: Instant
        package let state: String
        package let reply: String?

        package init(_ mail: MailRecord) {
            kind = mail.kind.word
            recipient = mail.recipient
            queuedAt = mail.queuedAt
            state = mail.delivery.state.word
            reply = mail.delivery.reply.isEmpty ? nil : mail.delivery.reply
        }
    }

    /// A part that the export does not contain, with the reason in the reader's language.
    package struct LeftOutData: Codable, Hashable, Sendable {
        package let part: LeftOut
        package let reason: String
    }
}

/// A part of a person's data that an export does not contain.
package enum LeftOut: String, Codable, Sendable, CaseIterable {
    case anonymousAnswers, hiddenAnswers, evidence, rosterAndNotes, otherRecords, secrets, journal

    package var phrase: Phrase {
        switch self {
        case .anonymousAnswers:
            Phrase("Anonymous answers: nothing shows whose they are.")
        case .hiddenAnswers:
            Phrase(
                "Answers, questions and votes with a hidden name: hosts cannot see them. "
                    + "The person's own export has them.")
        case .evidence:
            Phrase("The device and network of check-ins: hosts cannot see them.")
        case .rosterAndNotes:
            Phrase(
                "The roster's name and address, the host's notes, and other sessions: a check-in does not "
                    + "prove who you are. Ask the host for them.")
        case .otherRecords:
            Phrase(
                "Rosters and check-ins of other hosts' meetings: ask these hosts, or the operator of this "
                    + "server.")
        case .secrets:
            Phrase("The hashes of the password and of tokens, which would help a thief.")
        case .journal:
            Phrase("The ids of the account and of records in journals: they hold no other personal data.")
        }
    }
}

/// An entry of the action log.
package struct ActionBody: Codable, Hashable, Sendable {
    package let id: ActionID
    package let at: Instant
    package let kind: String
    /// `attendee`, `server`, or the id of an account.
    package let actor: String
    /// The name of the account that acted; nil if the account no longer exists.
    package let actorName: String?
    package let meetingId: MeetingID?
    package let accountId: AccountID?
    package let accountName: String?
    package let role: Role?

    package init(_ action: ActionRecord, actorName: String?, accountName: String?) {
        id = action.id
        at = action.at
        kind = action.kind.word
        actor = action.actor.text
        self.actorName = actorName
        meetingId = action.meeting
        accountId = action.account
        self.accountName = accountName
        role = action.role
    }

    /// The action's name for people; the name in the API if this program does not know the action.
    package var phrase: Phrase { word(kind, in: Phrase.Record.actions) }
}
