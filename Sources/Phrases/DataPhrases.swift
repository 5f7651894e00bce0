/// The texts of the page that shows all data about a person.
extension Phrase {
    package enum Data {
        package static let title = Phrase("Your data on this server")
        package static let personTitle = Phrase("Data about {name}")
        package static let madeAt = Phrase("As of {time} (UTC).")
        package static let asFile = Phrase("Download as a file (JSON)")
        package static let show = Phrase("Show all data about me")
        package static let yourData = Phrase("Your data")
        package static let account = Phrase("Account")
        package static let signIns = Phrase("Sign-ins")
        package static let meetings = Phrase("Meetings")
        package static let invitations = Phrase("Invitations")
        package static let links = Phrase("Presenter links")
        package static let webhooks = Phrase("Web hooks")
        package static let rosters = Phrase("Rosters")
        package static let checkIn = Phrase("{meeting}, session {round}")
        package static let mails = Phrase("Mails")
        package static let devices = Phrase("Devices for messages")
        package static let unsubscriptions = Phrase("No mails about")
        package static let allMeetings = Phrase("any meeting on this server")
        package static let leftOut = Phrase("Not in this list")
        package static let id = Phrase("ID")
        package static let name = Phrase("Name")
        package static let identity = Phrase("E-mail or number")
        package static let email = Phrase("E-mail")
        package static let number = Phrase("Number")
        package static let agreedTo = Phrase("Agreed to")
        package static let typedName = Phrase("Name as typed")
        package static let typedIdentity = Phrase("E-mail or number as typed")
        package static let meeting = Phrase("Meeting")
        package static let role = Phrase("Role")
        package static let state = Phrase("State")
        package static let phone = Phrase("Phone")
        package static let birthDate = Phrase("Date of birth")
        package static let gender = Phrase("Gender")
        package static let female = Phrase("female")
        package static let male = Phrase("male")
        package static let otherGender = Phrase("other")
        /// The genders that pages and commands offer, by their names in the API.
        package static let genders = ["female": female, "male": male, "other": otherGender]
        package static let interests = Phrase("Interests")
        package static let language = Phrase("Language")
        package static let terms = Phrase("Terms accepted")
        package static let created = Phrase("Created")
        package static let expires = Phrase("Expires")
        package static let device = Phrase("Device")
        package static let address = Phrase("Network address")
        package static let deviceMark = Phrase("Mark of the browser")
        package static let status = Phrase("Attendance")
        package static let checkedIn = Phrase("Checked in")
        package static let time = Phrase("Time of the session")
        package static let note = Phrase("Host's note")
        package static let reason = Phrase("Reason for a correction")
        package static let before = Phrase("Before the correction")
        package static let answeredSets = Phrase("Answered", context: "data sheet")
        package static let question = Phrase("Question to the host")
        package static let vote = Phrase("Vote for a question")
        package static let nickname = Phrase("Nickname in groups of interest")
        package static let ageGroup = Phrase("Age group in groups of interest")
        package static let searchable = Phrase("Groups of interest may begin with the profile")
        package static let ageRange = Phrase("Ages of people who may find you")
        package static let notifications = Phrase("Mails of meetings")
        package static let yes = Phrase("yes")
        package static let no = Phrase("no")
        package static let keywords = Phrase("Keywords in groups of interest")
        package static let groupLine = Phrase("Line to a person met")
        package static let groupReport = Phrase("Report about another person")
        package static let hiddenText = Phrase("a question that is not shown")
        package static let nothing = Phrase("Nothing is stored.")
        /// The kinds and states of mails, and the states of accounts, by their names in the API.
        package static let mailKinds: [String: Phrase] = [
            "verification": Phrase("code for the e-mail address"),
            "passwordReset": Phrase("code for a new password"),
            "phoneCode": Phrase("text message with a code"),
            "reminder": Phrase("reminder"),
            "moved": Phrase("new time of a session"),
            "cancelled": Phrase("cancelled session"),
            "feedbackOpen": Phrase("request for feedback"),
            "checkedInElsewhere": Phrase("check-in from another phone"),
            "invitation": Phrase("invitation to a meeting"),
            "push": Phrase("push message"),
            "hook": Phrase("event for a web hook"),
            "hookDisabled": Phrase("news of a disabled web hook"),
            "absences": Phrase("absences, for hosts"),
            "certificate": Phrase("certificate"),
            "replyConfirmation": Phrase("confirmation of a reply"),
            "reply": Phrase("news about a reply"),
        ]
        package static let mailStates: [String: Phrase] = [
            "waiting": Phrase("waiting", context: "mail"),
            "sent": Phrase("sent", context: "mail"),
            "refused": Phrase("refused by the mail server", context: "mail"),
            "expired": Phrase("not sent in time", context: "mail"),
            "dropped": Phrase("no longer needed", context: "mail"),
        ]
        package static let accountStates: [String: Phrase] = [
            "unverified": Phrase("e-mail address not confirmed", context: "account"),
            "active": Phrase("active", context: "account"),
            "suspended": Phrase("suspended", context: "account"),
            "withdrawn": Phrase("deleted", context: "account"),
        ]
    }
}
