import Meetings
import Wire

extension RouteTable {
    /// The routes for operators.
    static let operators: [Route] = [
        Route(
            .get, "/api/v1/users", .operator, does: "List the accounts of the server", query: .page(),
            gives: .json(Page<AccountBody>.self), Users.list),
        Route(
            .post, "/api/v1/users", .operator, does: "Create an account with a random password",
            reading: CreateUserRequest.self, gives: .json(NewPasswordBody.self, status: 201),
            refuses: [.emailTaken], keys: .ignored(.secret), Users.create),
        Route(
            .get, "/api/v1/users/{accountId}", .operator, does: "Show an account with its sign-ins",
            gives: .json(AccountReport.self), Users.show),
        Route(
            .post, "/api/v1/users/{accountId}/suspend", .operator,
            does: "Suspend an account and end its sign-ins", gives: .json(AccountBody.self),
            refuses: [.lastOperator], keys: .ignored(.changesNothing), Users.suspend),
        Route(
            .post, "/api/v1/users/{accountId}/resume", .operator, does: "Resume a suspended account",
            gives: .json(AccountBody.self), keys: .ignored(.changesNothing),
            Users.resume),
        Route(
            .post, "/api/v1/users/{accountId}/make-operator", .operator,
            does: "Make an account an operator's", gives: .json(AccountBody.self),
            keys: .ignored(.changesNothing), Users.makeOperator),
        Route(
            .post, "/api/v1/users/{accountId}/reset-password", .operator,
            does: "Set a random password and end all sign-ins", gives: .json(NewPasswordBody.self),
            keys: .ignored(.secret), Users.resetPassword),
        Route(
            .delete, "/api/v1/users/{accountId}", .operator,
            does: "Delete an account and everything that only it owns", query: [.confirm],
            gives: .noContent, refuses: [.lastOperator, .confirmationNeeded] + .ofScan,
            Users.delete),
        Route(
            .get, "/api/v1/notices", .operator, does: "List what needs the operator's attention",
            gives: .json(Page<NoticeBody>.self), Notices.list),
        Route(
            .get, "/api/v1/code-budgets", .operator,
            does: "Show how many messages with codes were requested in this hour",
            gives: .json(CodeBudgetsBody.self), CodeBudgetHandlers.show),
        Route(
            .get, "/api/v1/mails", .operator, does: "List the mails of the queue, without their content",
            query: .page(.mailState), gives: .json(Page<QueuedMailBody>.self), MailQueue.list),
        Route(
            .post, "/api/v1/mails/{mailId}/retry", .operator, does: "Send a waiting or refused mail now",
            gives: .noContent, keys: .ignored(.changesNothing), MailQueue.retry),
        Route(
            .delete, "/api/v1/mails/{mailId}", .operator, does: "Drop a mail without sending it",
            gives: .noContent, MailQueue.drop),
    ]
}
