import Meetings
import Wire

extension RouteTable {
    /// The routes for groups of interest.
    static let matching: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/matching-settings", .member(.viewer, of: .session),
            does: "Show a session's settings and counts for groups of interest",
            gives: .json(MatchSettingsBody.self), MatchingHandlers.settings),
        Route(
            .patch, "/api/v1/sessions/{id}/matching-settings", .member(.host, of: .session),
            does: "Switch groups of interest on or off, or name the places to meet",
            reading: MatchSettingsRequest.self, gives: .json(MatchSettingsBody.self),
            MatchingHandlers.editSettings),
        Route(
            .get, "/api/v1/sessions/{id}/matching", .attendee,
            does: "Show groups of interest as the attendee sees them", query: [.keyword],
            gives: .json(MatchingBody.self), logsAddress: false, MatchingHandlers.show),
        Route(
            .put, "/api/v1/sessions/{id}/matching/me", .attendee,
            does: "Opt in to groups of interest, or change the nickname and the keywords",
            reading: MatchProfileRequest.self, gives: .json(MatchingBody.Profile.self), logsAddress: false,
            refuses: [.matchingClosed, .matchExcluded, .anonymityChanged, .limitReached],
            MatchingHandlers.join),
        Route(
            .delete, "/api/v1/sessions/{id}/matching/me", .attendee,
            does: "Leave groups of interest", gives: .noContent, logsAddress: false, MatchingHandlers.leave),
        Route(
            .post, "/api/v1/sessions/{id}/matching/requests", .attendee,
            does: "Ask a person to meet", reading: AskToMeetRequest.self,
            gives: .json(MatchRequestBody.self, status: 201), logsAddress: false,
            refuses: [
                .matchingClosed, .matchExcluded, .matchNotJoined, .matchNotPossible, .matchRequestsTooFast,
                .limitReached,
            ],
            MatchingHandlers.ask),
        Route(
            .patch, "/api/v1/sessions/{id}/matching/requests/{requestId}", .attendee,
            does: "Accept or decline a request to meet, or withdraw the attendee's own one",
            reading: AnswerMatchRequestRequest.self, gives: .json(MatchRequestBody.self), logsAddress: false,
            refuses: [.matchingClosed, .matchExcluded, .matchNotJoined, .matchRequestOver],
            MatchingHandlers.answer),
        Route(
            .put, "/api/v1/sessions/{id}/matching/match", .attendee,
            does: "Send a line of text to the person whom the attendee meets",
            reading: MatchLineRequest.self, gives: .noContent, logsAddress: false,
            refuses: [
                .matchingClosed, .matchExcluded, .matchRequestOver, .matchRequestsTooFast, .limitReached,
            ],
            MatchingHandlers.write),
        Route(
            .delete, "/api/v1/sessions/{id}/matching/match", .attendee,
            does: "End the attendee's meeting", gives: .noContent, logsAddress: false,
            MatchingHandlers.endMatch),
        Route(
            .post, "/api/v1/sessions/{id}/matching/blocks", .attendee,
            does: "Block a person in this session", reading: BlockPersonRequest.self,
            gives: .json(MatchBlocksBody.self, status: 201), logsAddress: false,
            refuses: [.matchNotJoined, .limitReached], MatchingHandlers.block),
        Route(
            .delete, "/api/v1/sessions/{id}/matching/blocks", .attendee,
            does: "End all blocks of the attendee", gives: .noContent, logsAddress: false,
            MatchingHandlers.unblock),
        Route(
            .post, "/api/v1/sessions/{id}/matching/reports", .attendee,
            does: "Report a person to the hosts, and block the person", reading: ReportPersonRequest.self,
            gives: .json(MatchBlocksBody.self, status: 201), logsAddress: false,
            refuses: [.matchNotJoined, .limitReached], MatchingHandlers.report),
        Route(
            .get, "/api/v1/sessions/{id}/matching/reports", .member(.host, of: .session),
            does: "List the reports of groups of interest",
            gives: .json(Page<MatchReportBody>.self), logsAddress: false, MatchingHandlers.reports),
        Route(
            .patch, "/api/v1/sessions/{id}/matching/reports/{reportId}", .member(.host, of: .session),
            does: "Close a report, or exclude the reported person",
            reading: HandleMatchReportRequest.self, gives: .json(MatchReportBody.self), logsAddress: false,
            MatchingHandlers.handle),
    ]

    /// The attendee's page for groups of interest.
    static let matchingPages: [Route] = [
        Route(
            .get, "/me/{id}/groups", .anyone, does: "Show groups of interest", query: [.who, .keyword],
            gives: .page, logsAddress: false, refuses: [.receiptNotValid], MatchingPage.open),
        Route(
            .post, "/me/{id}/groups", .anyone, does: "Take part in groups of interest, by the form",
            body: .form, query: [.keyword], gives: .page, logsAddress: false,
            refuses: [
                .receiptNotValid, .originNotAllowed, .tooManyAttempts, .anonymityChanged, .limitReached,
                .matchingClosed, .matchExcluded, .matchNotJoined, .matchNotPossible,
                .matchRequestOver, .matchRequestsTooFast,
            ],
            MatchingPage.submit),
    ]
}
