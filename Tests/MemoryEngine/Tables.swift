import Journal
import Meetings

/// All rows, as a value. A batch, a savepoint and a reader's consistent state are therefore copies.
struct Tables: Sendable {
    var accounts: [AccountID: Account] = [:]
    var tokens: [[UInt8]: Token] = [:]
    var accountCodes: [[UInt8]: AccountCode] = [:]
    var endedTokens: [[UInt8]: EndedToken] = [:]
    var meetings: [MeetingID: Meeting] = [:]
    var members: [Membership: Role] = [:]
    var sessions: [SessionID: SessionEntry] = [:]
    var attendees: [AttendeeID: AttendeeEntry] = [:]
    var events: [SessionID: [Event]] = [:]
    var sets: [SetKey: SetEntry] = [:]
    var tallies: [QuestionID: TallyRecord] = [:]
    var words: [QuestionID: [String: Int]] = [:]
    var answered: Set<AnsweredMark> = []
    var responses: [ResponseID: ResponseEntry] = [:]
    var links: [PresenterLinkID: PresenterLink] = [:]
    var corrections: [CorrectionPlace: CorrectionRecord] = [:]
    var traces: [AttendeeID: MergedTrace] = [:]
    var people: [PersonID: Person] = [:]
    var slots: [AttendeeID: Slot] = [:]
    var rosterVersions: [MeetingID: Int] = [:]
    var storedResponses: [[UInt8]: StoredResponse] = [:]
    var invitations: [MeetingInvitationID: MeetingInvitation] = [:]
    var images: [MeetingID: MeetingImage] = [:]
    var withoutEvidence: Set<SessionID> = []
    var consents: [MeetingID: [DatedConsent]] = [:]
    /// The sessions whose names are not all stored.
    var names: [SessionID: StoredNames] = [:]
    var hasHadOperator = false
    var jobs: [JobID: JobEntry] = [:]
    var jobReports: [JobID: JobReport] = [:]
    var audienceSettings: [SessionID: AudienceSettings] = [:]
    var audienceQuestions: [AudienceQuestionID: AudienceQuestion] = [:]
    var audienceVotes: [VoteKey: AudienceVote] = [:]
    var removedVotes: [RemovedVotes: Int] = [:]
    var heldWords: [MeetingID: HeldWords] = [:]
    var matchSettings: [SessionID: MatchSettings] = [:]
    var matchPeople: [AttendeeID: MatchPerson] = [:]
    var matchRequests: [MatchRequestID: MatchRequest] = [:]
    var matchBlocks: [Block: SessionID] = [:]
    var matchReports: [MatchReportID: MatchReport] = [:]
    var matchingSessions: Set<SessionID> = []
    var textModeration: [SetKey: TextModeration] = [:]
    var moderatedTexts: [TextKey: TextStatus] = [:]
    var moderatedWords: [QuestionID: [String: TextStatus]] = [:]
    var mails: [MailID: MailEntry] = [:]
    var mailCounts: [AccountID: [Instant: Int]] = [:]
    var mailings: [MailingKey: Mailing] = [:]
    var cancellations: [SessionID: Cancellation] = [:]
    var unsubscriptions: Set<Unsubscription> = []
    var actions: [ActionID: ActionRecord] = [:]
    var devices: [DeviceID: Device] = [:]
    var alerts: [AlertKey: Alert] = [:]
    var webhooks: [WebhookID: Webhook] = [:]
    var passes: [PassID: Pass] = [:]
    var passKeys: [MeetingID: [PassKey]] = [:]
    var satellites: [SatelliteID: Satellite] = [:]
    var doorEntries: [SatelliteNumber: StoredDoorEntry] = [:]
    var doorRecords: [AttendeeID: DoorRecord] = [:]
    var certificates: [CertificateID: Certificate] = [:]
    var revokedCertificates: [CertificateID: Instant] = [:]
    var certificateKeys: [CertificateKey] = []
    var replySettings: [SessionID: ReplySettings] = [:]
    var replies: [ReplyID: Reply] = [:]

    struct AlertKey: Hashable {
        let session: SessionID
        let kind: Alert.Kind
    }

    struct MailingKey: Hashable {
        let session: SessionID
        let kind: Mailing.Kind
    }

    struct Unsubscription: Hashable {
        let recipient: IdentityKey
        let meeting: MeetingID?
    }

    struct MailEntry {
        let mail: OutgoingMail
        let queuedAt: Instant
        var delivery: MailDelivery
    }

    struct EndedToken {
        let end: Token.End
        let expiresAt: Instant
    }

    struct TextKey: Hashable {
        let question: QuestionID
        let response: ResponseID
    }

    struct RemovedVotes: Hashable {
        let session: SessionID
        let attendee: AttendeeID
    }

    struct VoteKey: Hashable {
        let question: AudienceQuestionID
        let attendee: AttendeeID
    }

    struct JobEntry {
        var job: StoredJob
        let plan: [UInt8]
    }

    struct Membership: Hashable {
        let account: AccountID
        let meeting: MeetingID
    }

    struct SessionEntry {
        var session: Session
        var headCount = HeadCount()
        var sequence: Int64 = 0
    }

    struct AttendeeEntry {
        var attendee: Attendee
        var key: IdentityKey?
        var grant: [UInt8]?
    }

    struct CorrectionPlace: Hashable {
        let session: SessionID
        let sequence: Int64
    }

    struct Slot: Hashable {
        let person: PersonID
        let session: SessionID
    }

    struct SetKey: Hashable {
        let session: SessionID
        let set: String
    }

    struct SetEntry {
        var set: QuestionSet
        var sealed = false
        /// The marks of devices that have answered the set.
        var devices: Set<[UInt8]> = []
    }

    struct AnsweredMark: Hashable {
        let attendee: AttendeeID
        let set: String
    }

    struct ResponseEntry {
        var response: Response
        var published: Bool
        var changes = 0
    }
}
