import Meetings
import Wire

extension RouteTable {
    /// The routes for the seats of sessions, and for the replies of people who come or do not come.
    static let replies: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/reply-settings", .member(.viewer, of: .session),
            does: "Show the seats of a session and the counts of its replies",
            gives: .json(ReplySettingsBody.self), ReplyHandlers.settings),
        Route(
            .patch, "/api/v1/sessions/{id}/reply-settings", .member(.host, of: .session),
            does: "Set the seats of a session, and whether it asks for replies",
            reading: ReplySettingsRequest.self, gives: .json(ReplySettingsBody.self),
            refuses: [.namesDeleted], ReplyHandlers.edit),
        Route(
            .get, "/api/v1/sessions/{id}/reply-qr.svg", .member(.viewer, of: .session),
            does: "Draw the address of the page for replies, as SVG",
            gives: .file("image/svg+xml"), ReplyHandlers.image),
        Route(
            .get, "/api/v1/sessions/{id}/replies", .member(.viewer, of: .session),
            does: "List replies: the waiting list and the requests in their order",
            query: .page(.replyStatus), gives: .json(Page<ReplyBody>.self), ReplyHandlers.list),
        Route(
            .get, "/api/v1/sessions/{id}/replies.csv", .member(.viewer, of: .session),
            does: "Export the replies to a session as CSV", query: QueryParameter.tableForm,
            gives: .file("text/csv"), refuses: .ofScan
        ) { context in try await context.alone { try await ReplyHandlers.table(context) } },
        Route(
            .post, "/api/v1/sessions/{id}/replies/{replyId}/decision", .member(.host, of: .session),
            does: "Accept or decline a person", reading: DecideReplyRequest.self,
            gives: .json(ReplyBody.self),
            refuses: [.changedSince, .limitReached, .sessionOver], ReplyHandlers.decide),
        Route(
            .delete, "/api/v1/sessions/{id}/replies/{replyId}", .member(.host, of: .session),
            does: "Delete a reply, and give its seats to others", gives: .noContent, ReplyHandlers.remove),
        Route(
            .post, "/api/v1/sessions/{id}/reply-mails", .member(.host, of: .session),
            does: "Mail the people on the roster their own links for a reply",
            reading: MailReplyLinksRequest.self, gives: .json(ReplyLinksMailedBody.self),
            refuses: [.repliesClosed, .limitReached, .namesDeleted, .meetingIsBusy] + .ofScan,
            keys: .ignored(.changesNothing), ReplyHandlers.mail),
    ]

    /// The pages on which people reply.
    static let replyPages: [Route] = [
        Route(
            .get, "/R/{code}", .anyone, does: "Show the page of a session on which people reply",
            gives: .page, logsAddress: false, refuses: [.tooManyAttempts], ReplyPages.show),
        Route(
            .post, "/R/{code}", .anyone, does: "Reply to a session by its page", body: .form,
            gives: .pageOrOwn, logsAddress: false,
            refuses: [
                .alreadyReplied, .repliesClosed, .limitReached, .namesDeleted, .meetingIsBusy,
                .tooManyAttempts,
            ], ReplyPages.send),
        Route(
            .get, "/R/own/{token}", .anyone, does: "Show a person's own reply", gives: .page,
            logsAddress: false, refuses: [.tooManyAttempts], ReplyPages.own),
        Route(
            .post, "/R/own/{token}", .anyone, does: "Change a person's own reply", body: .form,
            gives: .pageOrOwn, logsAddress: false,
            refuses: [
                .repliesClosed, .noSeats, .limitReached, .namesDeleted, .meetingIsBusy, .tooManyAttempts,
            ],
            ReplyPages.change),
    ]
}
