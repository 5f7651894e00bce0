internal import Client
internal import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Wire

/// Creates the demo's host and meeting.
enum DemoMeeting {
    private typealias Messages = CommandPhrases.Messages

    /// Creates an account for the demo, with a random password. The account's sign-in is not saved.
    static func host(at server: ServerAddress, _ call: Invocation) async throws(CommandFailure) -> APIClient {
        let client = try call.client(at: server)
        let account = NewAccount(
            email: "demo-\(APICall.randomKey().prefix(10))@example.org", password: APICall.randomKey(),
            name: call.text(Messages.demoHost),
            locale: call.language.rawValue)
        do throws(APIError) {
            _ = try await client.signUp(account)
            let token = try await client.signIn(
                email: account.email, password: account.password, client: "qring demo")
            return client.speaking(for: .bearer(token.accessToken))
        } catch {
            guard error.code == .signUpClosed else { throw .api(error) }
            throw .said(
                .notAllowed, CommandPhrases.Fail.demoSignUpClosed, [:], next: "qring serve --signup open")
        }
    }

    static func create(_ host: APIClient, _ options: Demo.Options, _ call: Invocation)
        async throws(CommandFailure) -> NewMeetingBody
    {
        let now = SystemTime.now.wholeSecond
        var session = NewSession(startsAt: now, endsAt: now + .hours(2))
        session.questions = SampleQuestions.all(in: call.language)
        var meeting = NewMeeting(name: call.text(Messages.demoMeeting), session: session)
        meeting.timeZone = Zone.current.name
        meeting.plannedCount = options.attendees
        let asked = meeting
        return try await calling { () async throws(APIError) in
            try await host.createMeeting(asked, idempotencyKey: APICall.randomKey())
        }
    }
}

extension CommandPhrases.Messages {
    static let demoMeeting = Phrase("QRing demo", "QRing 데모")
    static let demoHost = Phrase("Demo host", "데모 진행자")
}

extension CommandPhrases.Fail {
    static let demoSignUpClosed = Phrase(
        "this server accepts no new accounts, but the demo needs one.",
        "이 서버는 새 계정을 받지 않는데 데모에는 계정이 필요합니다.")
}
