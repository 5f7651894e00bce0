import Meetings
import Wire

/// Every route, with who may use it.
enum RouteTable {
    static let all: [Route] = operations + accounts + meetings + sessions + attendees + feedback + pages

    private static let operations: [Route] = [
        Route(.get, "/readyz", .anyone, gives: .file("text/plain"), Operations.ready),
        Route(.get, "/metrics", .anyone, gives: .file("text/plain"), Operations.metrics),
        Route(.get, "/openapi.json", .anyone, gives: .document, Description.openAPI),
        Route(.get, "/asyncapi.json", .anyone, gives: .document, Description.asyncAPI),
    ]

    private static let accounts: [Route] = [
        Route(
            .post, "/api/v1/accounts", .anyone, reading: SignUpRequest.self, gives: .json(AccountBody.self, status: 201), Accounts.signUp),
        Route(.get, "/api/v1/accounts/availability", .anyone, gives: .json(AvailabilityBody.self), Accounts.availability),
        Route(.post, "/api/v1/tokens", .anyone, reading: SignInRequest.self, gives: .json(TokenBody.self, status: 201), Accounts.signIn),
        Route(.get, "/api/v1/tokens", .signedIn, gives: .json(Page<SignInBody>.self), Accounts.signIns),
        Route(
            .post, "/api/v1/tokens/refresh", .anyone, reading: RefreshRequest.self, gives: .json(TokenBody.self, status: 201),
            Accounts.refresh),
        Route(.delete, "/api/v1/tokens/current", .signedIn, gives: .noContent, Accounts.signOut),
        Route(
            .post, "/api/v1/invitations", .operator, reading: InviteRequest.self, gives: .json(InvitationBody.self, status: 201),
            Accounts.invite),
        Route(.get, "/api/v1/me", .signedIn, gives: .json(AccountBody.self), Accounts.me),
        Route(.patch, "/api/v1/me", .signedIn, reading: EditAccountRequest.self, gives: .json(AccountBody.self), Accounts.edit),
        Route(.delete, "/api/v1/me", .signedIn, gives: .noContent, Accounts.withdraw),
    ]

    private static let meetings: [Route] = [
        Route(
            .post, "/api/v1/meetings", .signedIn, reading: CreateMeetingRequest.self, gives: .json(NewMeetingBody.self, status: 201),
            MeetingHandlers.create),
        Route(.get, "/api/v1/meetings", .signedIn, gives: .json(Page<MeetingBody>.self), MeetingHandlers.list),
        Route(.get, "/api/v1/meetings/{id}", .member(.viewer, of: .meeting), gives: .json(MeetingBody.self), MeetingHandlers.show),
        Route(
            .patch, "/api/v1/meetings/{id}", .member(.host, of: .meeting), reading: EditMeetingRequest.self, gives: .json(MeetingBody.self),
            MeetingHandlers.edit),
        Route(.delete, "/api/v1/meetings/{id}", .member(.owner, of: .meeting), gives: .noContent, MeetingHandlers.delete),
        Route(.get, "/api/v1/meetings/{id}/qr.png", .member(.viewer, of: .meeting), gives: .file("image/png"), Pictures.meeting(.png)),
        Route(.get, "/api/v1/meetings/{id}/qr.svg", .member(.viewer, of: .meeting), gives: .file("image/svg+xml"), Pictures.meeting(.svg)),
        Route(.get, "/api/v1/meetings/{id}/qr.txt", .member(.viewer, of: .meeting), gives: .file("text/plain"), Pictures.meeting(.txt)),
        Route(
            .get, "/api/v1/meetings/{id}/sessions", .member(.viewer, of: .meeting), gives: .json(Page<SessionBody>.self),
            MeetingHandlers.sessions),
        Route(
            .post, "/api/v1/meetings/{id}/sessions", .member(.host, of: .meeting), reading: SessionRequest.self,
            gives: .json(SessionBody.self, status: 201), MeetingHandlers.proceed),
    ]

    private static let sessions: [Route] = [
        Route(.get, "/api/v1/sessions/nearest", .signedIn, gives: .jsonOrNothing(SessionBody.self), SessionHandlers.nearest),
        Route(
            .post, "/api/v1/sessions/overlap", .signedIn, reading: OverlapRequest.self, gives: .json(OverlapsBody.self),
            SessionHandlers.overlap),
        Route(.get, "/api/v1/sessions/{id}", .member(.viewer, of: .session), gives: .json(SessionBody.self), SessionHandlers.show),
        Route(
            .patch, "/api/v1/sessions/{id}", .member(.host, of: .session), reading: EditSessionRequest.self, gives: .json(SessionBody.self),
            SessionHandlers.edit),
        Route(.delete, "/api/v1/sessions/{id}", .member(.host, of: .session), gives: .noContent, SessionHandlers.delete),
        Route(.get, "/api/v1/sessions/{id}/qr.png", .memberOrPresenter, gives: .file("image/png"), Pictures.session(.png)),
        Route(.get, "/api/v1/sessions/{id}/qr.svg", .memberOrPresenter, gives: .file("image/svg+xml"), Pictures.session(.svg)),
        Route(.get, "/api/v1/sessions/{id}/qr.txt", .memberOrPresenter, gives: .file("text/plain"), Pictures.session(.txt)),
        Route(
            .post, "/api/v1/sessions/{id}/presenter-links", .member(.host, of: .session), gives: .json(PresenterLinkBody.self, status: 201),
            SessionHandlers.present),
        Route(
            .delete, "/api/v1/sessions/{id}/presenter-links/{linkId}", .member(.host, of: .session), gives: .noContent,
            SessionHandlers.stopPresenting),
        Route(
            .get, "/api/v1/sessions/{id}/attendees", .member(.viewer, of: .session), gives: .json(Page<AttendeeBody>.self),
            SessionHandlers.attendees),
        Route(
            .get, "/api/v1/sessions/{id}/journal", .member(.viewer, of: .session), gives: .json(Page<EventBody>.self),
            SessionHandlers.journal),
    ]

    private static let attendees: [Route] = [
        Route(.post, "/api/v1/grants", .anyone, reading: GrantRequest.self, gives: .json(GrantBody.self, status: 201), CheckIns.grant),
        Route(
            .post, "/api/v1/check-ins", .anyone, reading: CheckInRequest.self, gives: .jsonNewOrKnown(CheckInBody.self), CheckIns.checkIn),
        Route(.get, "/api/v1/check-ins/current", .attendee, gives: .json(OwnRecordBody.self), CheckIns.current),
        Route(
            .patch, "/api/v1/check-ins/current", .attendee, reading: MendNameRequest.self, gives: .json(OwnRecordBody.self), CheckIns.mend),
        Route(.delete, "/api/v1/check-ins/current", .attendee, gives: .noContent, CheckIns.withdraw),
    ]

    private static let feedback: [Route] = [
        Route(.get, "/api/v1/sessions/{id}/questions", .memberOrAttendee, gives: .json(QuestionSetBody.self), Feedback.questions),
        Route(
            .put, "/api/v1/sessions/{id}/questions", .member(.host, of: .session), reading: SetQuestionsRequest.self,
            gives: .json(QuestionSetBody.self), Feedback.setQuestions),
        Route(
            .patch, "/api/v1/sessions/{id}/sets/{set}", .member(.host, of: .session), reading: EditQuestionSetRequest.self,
            gives: .json(QuestionSetBody.self), Feedback.editSet
        ),
        Route(
            .post, "/api/v1/sessions/{id}/responses", .attendee, reading: RespondRequest.self, gives: .json(ResponseBody.self, status: 201),
            Feedback.respond),
        Route(.get, "/api/v1/sessions/{id}/results", .member(.viewer, of: .session), gives: .json(ResultsBody.self), Feedback.results),
        Route(
            .get, "/api/v1/questions/{id}/answers", .member(.viewer, of: .question), gives: .json(Page<TextAnswerBody>.self),
            Feedback.answers),
    ]

    /// For people with a phone; forms without JavaScript.
    private static let pages: [Route] = [
        Route(.get, "/", .anyone, gives: .page, JoinPages.front),
        Route(.post, "/", .anyone, body: .form, gives: .page, JoinPages.join),
        Route(.get, "/C/{code}", .anyone, gives: .page, CheckInPages.open),
        Route(.post, "/C/{code}", .anyone, body: .form, gives: .page, CheckInPages.submit),
        Route(.get, "/M/{code}", .anyone, gives: .page, CheckInPages.openMeeting),
        Route(.post, "/feedback", .anyone, body: .form, gives: .page, FeedbackPages.submit),
        Route(.get, "/present/{id}", .anyone, gives: .page, ProjectorPage.open),
    ]
}
