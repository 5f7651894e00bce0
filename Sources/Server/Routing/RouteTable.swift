import Meetings
import Wire

/// Every route, with who may use it.
enum RouteTable {
    static let all: [Route] = operations + accounts + meetings + sessions + attendees + feedback + pages

    private static let operations: [Route] = [
        Route(.get, "/readyz", .anyone, Operations.ready),
        Route(.get, "/metrics", .anyone, Operations.metrics),
        Route(.get, "/openapi.json", .anyone, Description.openAPI),
    ]

    private static let accounts: [Route] = [
        Route(.post, "/api/v1/accounts", .anyone, reading: SignUpRequest.self, Accounts.signUp),
        Route(.get, "/api/v1/accounts/availability", .anyone, Accounts.availability),
        Route(.post, "/api/v1/tokens", .anyone, reading: SignInRequest.self, Accounts.signIn),
        Route(.get, "/api/v1/tokens", .signedIn, Accounts.signIns),
        Route(.post, "/api/v1/tokens/refresh", .anyone, reading: RefreshRequest.self, Accounts.refresh),
        Route(.delete, "/api/v1/tokens/current", .signedIn, Accounts.signOut),
        Route(.get, "/api/v1/me", .signedIn, Accounts.me),
        Route(.patch, "/api/v1/me", .signedIn, reading: EditAccountRequest.self, Accounts.edit),
        Route(.delete, "/api/v1/me", .signedIn, Accounts.withdraw),
    ]

    private static let meetings: [Route] = [
        Route(.post, "/api/v1/meetings", .signedIn, reading: CreateMeetingRequest.self, MeetingHandlers.create),
        Route(.get, "/api/v1/meetings", .signedIn, MeetingHandlers.list),
        Route(.get, "/api/v1/meetings/{id}", .member(.viewer, of: .meeting), MeetingHandlers.show),
        Route(.patch, "/api/v1/meetings/{id}", .member(.host, of: .meeting), reading: EditMeetingRequest.self, MeetingHandlers.edit),
        Route(.delete, "/api/v1/meetings/{id}", .member(.owner, of: .meeting), MeetingHandlers.delete),
        Route(.get, "/api/v1/meetings/{id}/qr.png", .member(.viewer, of: .meeting), Pictures.meeting(.png)),
        Route(.get, "/api/v1/meetings/{id}/qr.svg", .member(.viewer, of: .meeting), Pictures.meeting(.svg)),
        Route(.get, "/api/v1/meetings/{id}/qr.txt", .member(.viewer, of: .meeting), Pictures.meeting(.txt)),
        Route(.get, "/api/v1/meetings/{id}/sessions", .member(.viewer, of: .meeting), MeetingHandlers.sessions),
        Route(.post, "/api/v1/meetings/{id}/sessions", .member(.host, of: .meeting), reading: SessionRequest.self, MeetingHandlers.proceed),
    ]

    private static let sessions: [Route] = [
        Route(.get, "/api/v1/sessions/nearest", .signedIn, SessionHandlers.nearest),
        Route(.post, "/api/v1/sessions/overlap", .signedIn, reading: OverlapRequest.self, SessionHandlers.overlap),
        Route(.get, "/api/v1/sessions/{id}", .member(.viewer, of: .session), SessionHandlers.show),
        Route(.patch, "/api/v1/sessions/{id}", .member(.host, of: .session), reading: EditSessionRequest.self, SessionHandlers.edit),
        Route(.delete, "/api/v1/sessions/{id}", .member(.host, of: .session), SessionHandlers.delete),
        Route(.get, "/api/v1/sessions/{id}/qr.png", .memberOrPresenter, Pictures.session(.png)),
        Route(.get, "/api/v1/sessions/{id}/qr.svg", .memberOrPresenter, Pictures.session(.svg)),
        Route(.get, "/api/v1/sessions/{id}/qr.txt", .memberOrPresenter, Pictures.session(.txt)),
        Route(.post, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session), SessionHandlers.present),
        Route(.delete, "/api/v1/sessions/{id}/presenter-links/{linkId}", .member(.host, of: .session), SessionHandlers.stopPresenting),
        Route(.get, "/api/v1/sessions/{id}/attendees", .member(.viewer, of: .session), SessionHandlers.attendees),
        Route(.get, "/api/v1/sessions/{id}/journal", .member(.viewer, of: .session), SessionHandlers.journal),
    ]

    private static let attendees: [Route] = [
        Route(.post, "/api/v1/grants", .anyone, reading: GrantRequest.self, CheckIns.grant),
        Route(.post, "/api/v1/check-ins", .anyone, reading: CheckInRequest.self, CheckIns.checkIn),
        Route(.get, "/api/v1/check-ins/current", .attendee, CheckIns.current),
        Route(.patch, "/api/v1/check-ins/current", .attendee, reading: MendNameRequest.self, CheckIns.mend),
        Route(.delete, "/api/v1/check-ins/current", .attendee, CheckIns.withdraw),
    ]

    private static let feedback: [Route] = [
        Route(.get, "/api/v1/sessions/{id}/questions", .memberOrAttendee, Feedback.questions),
        Route(
            .put, "/api/v1/sessions/{id}/questions", .member(.host, of: .session), reading: SetQuestionsRequest.self, Feedback.setQuestions),
        Route(
            .patch, "/api/v1/sessions/{id}/sets/{set}", .member(.host, of: .session), reading: EditQuestionSetRequest.self, Feedback.editSet
        ),
        Route(.post, "/api/v1/sessions/{id}/responses", .attendee, reading: RespondRequest.self, Feedback.respond),
        Route(.get, "/api/v1/sessions/{id}/results", .member(.viewer, of: .session), Feedback.results),
        Route(.get, "/api/v1/questions/{id}/answers", .member(.viewer, of: .question), Feedback.answers),
    ]

    /// For people with a phone; forms without JavaScript.
    private static let pages: [Route] = [
        Route(.get, "/", .anyone, JoinPages.front),
        Route(.post, "/", .anyone, body: .form, JoinPages.join),
        Route(.get, "/C/{code}", .anyone, CheckInPages.open),
        Route(.post, "/C/{code}", .anyone, body: .form, CheckInPages.submit),
        Route(.get, "/M/{code}", .anyone, CheckInPages.openMeeting),
        Route(.post, "/feedback", .anyone, body: .form, FeedbackPages.submit),
        Route(.get, "/present/{id}", .anyone, ProjectorPage.open),
    ]
}
