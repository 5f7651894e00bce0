/// The words for the values and fields of records. Pages, commands, the dashboard and exports show these
/// words.
extension Phrase {
    /// Each table has the API's names as keys.
    package enum Record {
        package static let phases: [String: Phrase] = [
            "upcoming": Phrase("upcoming"),
            "doors": Phrase("check-in open"),
            "running": Phrase("running"),
            "ended": Phrase("ended"),
            "closed": Phrase("closed", context: "check-in"),
        ]

        package static let statuses: [String: Phrase] = [
            "awaited": Phrase("awaited"),
            "present": Phrase("present"),
            "late": Phrase("late"),
            "absent": Phrase("absent"),
            "excused": Phrase("excused"),
        ]

        package static let roles: [String: Phrase] = [
            "owner": Phrase("owner"),
            "host": Phrase("host"),
            "viewer": Phrase("viewer"),
            "steward": Phrase("steward"),
        ]

        package static let actions: [String: Phrase] = [
            "exported": Phrase("personal data exported"),
            "erased": Phrase("person erased"),
            "memberInvited": Phrase("member invited"),
            "invitationRevoked": Phrase("invitation revoked"),
            "invitationAccepted": Phrase("invitation accepted"),
            "roleChanged": Phrase("role changed"),
            "memberRemoved": Phrase("member removed"),
            "presenterLinkCreated": Phrase("presenter link created"),
            "presenterLinkRevoked": Phrase("presenter link revoked"),
            "accountCreated": Phrase("account created"),
            "accountInvited": Phrase("invited to sign up"),
            "accountSuspended": Phrase("account suspended"),
            "accountResumed": Phrase("account resumed"),
            "passwordReset": Phrase("password reset"),
            "operatorMade": Phrase("made an operator"),
            "accountDeleted": Phrase("account deleted"),
            "sessionExpired": Phrase("old session deleted"),
            "codesRenewed": Phrase("all codes renewed"),
            "mailsLimited": Phrase("mails wait: daily limit reached"),
            "webhookAdded": Phrase("web hook added"),
            "webhookRotated": Phrase("secret of a web hook replaced"),
            "webhookDeleted": Phrase("web hook deleted"),
            "namesDeleted": Phrase("names deleted: their retention is over"),
            "passesCreated": Phrase("passes created"),
            "passRevoked": Phrase("pass revoked"),
            "passRenewed": Phrase("pass renewed"),
            "passKeyReplaced": Phrase("key of passes replaced"),
            "satelliteAdded": Phrase("offline door added"),
            "satelliteJoined": Phrase("laptop joined as an offline door"),
            "satelliteRevoked": Phrase("offline door revoked"),
            "heldEntriesAccepted": Phrase("late entries of an offline door accepted"),
            "heldEntriesRejected": Phrase("late entries of an offline door rejected"),
            "passesRenewed": Phrase("all passes renewed"),
            "certificatesIssued": Phrase("certificates issued"),
            "certificatesMailed": Phrase("certificates sent by mail"),
            "certificateRevoked": Phrase("certificate revoked"),
            "certificateKeyReplaced": Phrase("key of certificates replaced"),
        ]

        package static let methods: [String: Phrase] = [
            "qr": Phrase("QR code"),
            "joinCode": Phrase("join code"),
            "host": Phrase("host"),
            "cli": Phrase("command line"),
            "pass": Phrase("pass", context: "method"),
            "door": Phrase("door", context: "method"),
            "offlineDoor": Phrase("offline door"),
        ]

        /// The kinds of journal events.
        package static let events: [String: Phrase] = [
            "created": Phrase("created"),
            "checkedIn": Phrase("checked in"),
            "corrected": Phrase("corrected"),
            "renamed": Phrase("renamed"),
            "merged": Phrase("merged"),
            "withdrawn": Phrase("withdrawn"),
            "responded": Phrase("responded"),
            "edited": Phrase("edited"),
            "undone": Phrase("undone"),
            "redone": Phrase("redone"),
            "added": Phrase("added"),
            "removed": Phrase("removed"),
            "presenterLinkCreated": Phrase("presenter link created"),
            "presenterLinkRevoked": Phrase("presenter link revoked"),
            "asked": Phrase("question asked"),
            "voted": Phrase("question voted"),
            "voteRemoved": Phrase("vote removed"),
            "moderated": Phrase("question moderated"),
            "questionsMerged": Phrase("questions merged"),
            "left": Phrase("left", context: "attendance"),
            "returned": Phrase("returned", context: "attendance"),
        ]

        /// The words for `CheckOut`: the people who may record that an attendee leaves.
        package static let checkOuts: [String: Phrase] = [
            "none": Phrase("not recorded"),
            "door": Phrase("at the door"),
            "phones": Phrase("at the door and by phones"),
        ]

        /// The statuses of questions from the audience.
        package static let questionStatuses: [String: Phrase] = [
            "pending": Phrase("pending"),
            "visible": Phrase("visible"),
            "answered": Phrase("answered"),
            "hidden": Phrase("hidden"),
        ]

        /// The labels of the fields that an edit can change.
        package static let fields: [String: Phrase] = [
            "startsAt": Phrase("start"),
            "endsAt": Phrase("end"),
            "lateAfterMinutes": Phrase("late after (minutes)"),
            "checkInOpensMinutesBefore": Phrase("check-in opens (minutes before)"),
            "feedbackClosesHoursAfter": Phrase("feedback closes (hours after)"),
            "plannedCount": Phrase("planned count"),
            "codeKind": Phrase("kind of code"),
            "codeAcceptedSeconds": Phrase("code valid (seconds)"),
            "checkOut": Phrase("check-out"),
            "minimumMinutes": Phrase("minimum time (minutes)"),
            "minimumPercent": Phrase("minimum time (percent)"),
            "code": Phrase("code"),
            "name": Phrase("name"),
            "place": Phrase("venue"),
            "description": Phrase("description"),
            "timeZone": Phrase("time zone"),
            "language": Phrase("language for attendees"),
            "accent": Phrase("colour"),
            "identifyBy": Phrase("identified by"),
            "email": Phrase("e-mail"),
            "number": Phrase("number"),
            "role": Phrase("role"),
            "status": Phrase("status"),
            "checkedInAt": Phrase("checked in at"),
            "receipts": Phrase("receipt (revoked)"),
            "reminders": Phrase("mails to the roster"),
            "absenceRule": Phrase("absence rule"),
            "note": Phrase("note"),
            "questions": Phrase("questions"),
            "open": Phrase("open"),
            "shared": Phrase("shared", context: "event"),
            "anonymous": Phrase("anonymous"),
            "promise": Phrase("promise"),
            "changeable": Phrase("answers can change"),
            "position": Phrase("place in the list"),
            "deleted": Phrase("deleted", context: "event"),
            "publishedAs": Phrase("published as"),
            "oncePerDevice": Phrase("one answer per device"),
            "roster": Phrase("roster"),
            "replies": Phrase("seats and replies"),
            "image": Phrase("image"),
            "questionsOpen": Phrase("audience questions open"),
            "questionsPromise": Phrase("who sees the names of audience questions"),
            "groupsOpen": Phrase("groups of interest open"),
            "groupsPromise": Phrase("names in groups of interest"),
            "groupsPlaces": Phrase("places to meet"),
            "questionsModeration": Phrase("moderation of audience questions"),
            "heldWords": Phrase("held words"),
            "moderation": Phrase("moderation of texts"),
            "text": Phrase("text"),
            "pinned": Phrase("pinned"),
            "answer": Phrase("answer"),
        ]

        package static let endBeforeStart = Phrase("The end must come after the start.")
        package static let changedMeanwhile = Phrase(
            "Somebody changed it meanwhile. Check the new version, then save again.")
        package static let unknownZone = Phrase("Enter a time zone such as Asia/Seoul.")
        package static let readAsKorean = Phrase("The file is not UTF-8. It was read as Korean text (CP949).")
        package static let recomputed = Phrase("{count} {count|status|statuses} recomputed")
        /// A changed field, with its old and new values.
        package static let change = Phrase("{field}: {from} → {to}")
        package static let no = Phrase("no")
        /// The record that a merged record became part of.
        package static let into = Phrase("with {name}")
        package static let undoes = Phrase("reverts event {sequence}")
        /// The actors of events that have no name.
        package static let anAttendee = Phrase("attendee")
        package static let theServer = Phrase("server")

        /// Returns a table for the scripts of the pages, which compose names such as `phase_doors`.
        static func named(_ beginning: String, _ table: [String: Phrase]) -> [String: Phrase] {
            Dictionary(uniqueKeysWithValues: table.map { ("\(beginning)_\($0.key)", $0.value) })
        }
    }
}
