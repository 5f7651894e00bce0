import Journal
import Meetings
import Secrets

@testable import Server

/// A meeting's people with their tokens, and the ids that routes contain.
struct Cast: Sendable {
    let record: SessionRecord
    /// A rating question. The `question` is a text question.
    let firstQuestion: QuestionID
    let question: QuestionID
    let attendee: Attendee
    /// Two visible questions from the audience. No host has opened the questions.
    let audienceQuestions: [AudienceQuestionID]
    let link: PresenterLinkID
    /// A person on the roster, who is archived so that no attendee is awaited.
    let person: PersonID
    let owner: AccountID
    let tokens: [Holder: String]
    let refresh: String
    let grant: String

    var session: SessionID { record.session.id }
    var meeting: MeetingID { record.meeting.id }

    subscript(_ holder: Holder) -> String? { tokens[holder] }
}

enum Holder: String, CaseIterable, Sendable {
    case nobody, stranger, viewer, host, owner, attendee, presenter, expired,
        steward, kiosk
}

/// The password of every account in the cast. Its hash uses the lowest cost, so that a check is fast.
let castPassword = "cast horse battery"
let castPasswordHash =
    "$argon2id$v=19$m=8,t=1,p=1$CDB4VBw86tcSfYIwpKAojg$HDSuNf93MeNyWvBcPGJNOrMv6f+qLelp8xVUk/X0l+c"

let stars = Question.Kind.rating(scale: 5)
let text = Question.Kind.shortAnswer(maxLength: 500)

extension Site {
    /// Creates a meeting with one session, from minute `from` to minute `to`, with all holders, a rating
    /// question and a text question. Everything is one commit.
    func cast(
        named name: String = "Meeting", from: Int = 0, to: Int = 60, anonymous: Bool = true,
        questions: [Question]? = nil, checkOut: CheckOut = .notRecorded
    ) async throws -> Cast {
        let asked =
            questions ?? [
                Question(id: .makeTimeless(), title: "How was it?", required: true, kind: stars),
                Question(id: .makeTimeless(), title: "What else?", kind: text),
            ]
        let (link, kiosk) = (RandomToken(), RandomToken())
        let made = try await storage.perform(
            Act { transaction throws(JournalError) in
                let now = transaction.now
                var signIns: [Holder: SignIn] = [:]
                for holder in [Holder.stranger, .viewer, .host, .owner, .steward] {
                    signIns[holder] = try transaction.signIn(holder.rawValue, minutes: 2880)
                }
                guard let owner = signIns[.owner] else { throw .refused(.notAllowed) }
                signIns[.expired] = try transaction.signIn(as: owner.account, minutes: 0)
                let meeting = Meeting(id: .makeTimeless(), name: name, createdAt: now)
                var session = Session(
                    id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: at(from), endsAt: at(to),
                    joinCode: JoinCode.random())
                session.checkOut = checkOut
                _ = try CreateMeeting(
                    meeting: meeting, session: session,
                    sets: [QuestionSet(questions: asked, anonymous: anonymous)], owner: owner.account,
                    allowOverlap: true
                ).run(in: transaction)
                for (holder, role) in [(Holder.viewer, Role.viewer), (.host, .host), (.steward, .steward)] {
                    try transaction.rows.setRole(
                        role, of: signIns[holder]?.account ?? owner.account, in: meeting.id)
                }
                // The link is inserted without an event, so that the journal begins with the session and the
                // check-in.
                let presenter = PresenterLink(
                    id: .make(at: now), sessionID: session.id, hash: link.storedHash, createdAt: now,
                    createdBy: owner.account)
                try transaction.rows.insert(presenter)
                try transaction.rows.insert(
                    PresenterLink(
                        id: .make(at: now), sessionID: session.id, hash: kiosk.storedHash, createdAt: now,
                        createdBy: owner.account, purpose: .kiosk))
                let outcome = try CheckIn(
                    session: session.id, moment: now, method: .qr, grant: nil, name: "Person",
                    email: "person@example.org"
                ).run(in: transaction)
                guard case .checkedIn(let attendee, _, _) = outcome else { throw .refused(.notAllowed) }
                let person = Person(
                    id: .makeTimeless(), meetingID: meeting.id, name: "Archived", isArchived: true)
                try transaction.rows.insert(person)
                let questions = ["Why?", "Why not?"].map {
                    AudienceQuestion(
                        id: .makeTimeless(), sessionID: session.id, attendeeID: nil, promise: .hidden,
                        askedAt: now, text: $0, status: .visible)
                }
                for question in questions { try transaction.rows.insert(question) }
                return (
                    try transaction.session(session.id), attendee, presenter.id, owner, signIns, person.id,
                    questions.map(\.id)
                )
            })
        let (record, attendee, presenter, owner, signIns, person, audienceQuestions) = made
        var tokens = signIns.mapValues { BearerToken.access + $0.access }
        tokens[.attendee] = Receipt(for: attendee).text(keys: keys)
        tokens[.presenter] = BearerToken.presenter + link.text
        tokens[.kiosk] = BearerToken.kiosk + kiosk.text
        return Cast(
            record: record, firstQuestion: asked.first?.id ?? .makeTimeless(),
            question: asked.last?.id ?? .makeTimeless(),
            attendee: attendee, audienceQuestions: audienceQuestions, link: presenter, person: person,
            owner: owner.account,
            tokens: tokens, refresh: BearerToken.refresh + owner.refresh,
            grant: Grant(for: record, at: clock.now, method: .qr).text(keys: keys))
    }

    /// Checks in further people.
    func arrive(_ count: Int, in session: SessionID, named prefix: String = "P") async throws -> [Attendee] {
        let now = clock.now
        return try await storage.perform(
            Act { transaction throws(JournalError) in
                var all: [Attendee] = []
                for number in 0..<count {
                    let outcome = try CheckIn(
                        session: session, moment: now, method: .qr, grant: nil, name: "\(prefix)\(number)",
                        email: "\(prefix)\(number)@example.org"
                    ).run(in: transaction)
                    if case .checkedIn(let attendee, _, _) = outcome { all.append(attendee) }
                }
                return all
            })
    }

    /// Returns the text of the session's current QR code.
    func code(of session: Session) -> String {
        CheckInCode.text(of: session, at: services.codeClock.now, keys: keys)
    }

    func receipt(_ attendee: Attendee) -> String { Receipt(for: attendee).text(keys: keys) }
}

struct SignIn: Sendable {
    let account: AccountID
    let access: String
    let refresh: String
}

extension Transaction {
    /// Creates an account with this name and signs it in.
    func signIn(_ name: String, minutes: Int) throws(JournalError) -> SignIn {
        let account = try account("\(name)-\(AccountID.makeTimeless())@example.org", named: name)
        return try signIn(as: account.id, minutes: minutes)
    }

    func account(_ email: String, named name: String = "Name", passwordHash: String = castPasswordHash)
        throws(JournalError) -> Account
    {
        try CreateAccount(
            email: email, name: name, passwordHash: passwordHash, profile: .init(), signUp: .open,
            proof: .setUp
        )
        .run(in: self)
    }

    func signIn(as account: AccountID, minutes: Int) throws(JournalError) -> SignIn {
        let (access, refresh) = (RandomToken(), RandomToken())
        let signIn = ID<Token>.makeTimeless()
        func token(_ hash: [UInt8], _ kind: Token.Kind) -> Token {
            Token(
                hash: hash, accountID: account, kind: kind, signIn: signIn, createdAt: now,
                expiresAt: now + .minutes(minutes),
                client: "test")
        }
        guard let holder = try rows.account(account) else { throw .refused(.notFound(.account)) }
        try BeginSignIn(
            access: token(access.storedHash, .access), refresh: token(refresh.storedHash, .refresh),
            checked: holder.passwordHash
        ).run(in: self)
        return SignIn(account: account, access: access.text, refresh: refresh.text)
    }
}

/// A command whose body is defined by a test.
struct Act<Answer: Sendable>: Command {
    let body: @Sendable (Transaction) throws(JournalError) -> Answer

    init(_ body: @escaping @Sendable (Transaction) throws(JournalError) -> Answer) { self.body = body }

    func run(in transaction: Transaction) throws(JournalError) -> Answer { try body(transaction) }
}
