import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// The handlers for operators: the accounts of the server. The command line has the same for a stopped server
/// (`AccountAdministration`).
enum Users {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let limit = try context.limit()
        let after = try context.cursor { $0.words.first.flatMap { AccountID($0) } }
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.accounts(after: after, limit: limit + 1)
        }
        let items = found.prefix(limit).map { AccountBody($0) }
        let next = found.count > limit ? items.last.map { Cursor($0.id.text).text } : nil
        return .json(Page(items: items, nextCursor: next))
    }

    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let (id, now) = (try id(context), context.now)
        return .json(
            try await context.storage.read { rows throws(JournalError) in
                guard let account = try rows.account(id) else { throw .refused(.notFound(.account)) }
                return try rows.report(of: account, at: now)
            })
    }

    static func create(_ context: RequestContext, _ request: CreateUserRequest) async throws -> HTTPResponse {
        let (password, hash) = try await newPassword(context)
        let account = try await context.storage.perform(
            CreateAccount(
                email: request.email, name: request.name, passwordHash: hash,
                profile: .init(), signUp: .open, proof: .setUp, creator: context.accountID))
        return .json(NewPasswordBody(account: AccountBody(account), password: password), status: 201)
    }

    static func suspend(_ context: RequestContext) async throws -> HTTPResponse {
        try await answer(SuspendAccount(id: try id(context), by: .account(context.accountID)), context)
    }

    static func resume(_ context: RequestContext) async throws -> HTTPResponse {
        try await answer(ResumeAccount(id: try id(context), by: .account(context.accountID)), context)
    }

    static func makeOperator(_ context: RequestContext) async throws -> HTTPResponse {
        let account = try await account(context)
        return try await answer(
            MakeOperator(email: account.address, by: .account(context.accountID)), context)
    }

    static func resetPassword(_ context: RequestContext) async throws -> HTTPResponse {
        // An account without a password signs in by phone.
        guard try await account(context).phone == nil else { throw Refusal.notAllowed }
        let (password, hash) = try await newPassword(context)
        let account = try await context.storage.perform(
            ResetPassword(id: try id(context), hash: hash, by: .account(context.accountID)))
        return .json(NewPasswordBody(account: AccountBody(account), password: password))
    }

    static func delete(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.perform(
            DeleteAccount(
                id: try id(context), .byOperator(context.accountID), confirmation: context.query(.confirm),
                meetings: .delete))
        return .noContent
    }

    private static func id(_ context: RequestContext) throws -> AccountID {
        try context.id(Account.self, .account, named: "accountId")
    }

    private static func account(_ context: RequestContext) async throws -> Account {
        let id = try id(context)
        let found = try await context.storage.read { rows throws(JournalError) in try rows.account(id) }
        guard let found else { throw Refusal.notFound(.account) }
        return found
    }

    private static func answer<C: Command>(_ command: C, _ context: RequestContext) async throws
        -> HTTPResponse where C.Answer == Account
    {
        .json(AccountBody(try await context.storage.perform(command)))
    }

    /// Returns a random password with its hash.
    private static func newPassword(_ context: RequestContext) async throws -> (String, hash: String) {
        let password = String(RandomToken().text.prefix(20))
        return (password, try await context.services.passwords.hash(Password(password).text).encoded)
    }
}

/// The handlers for operators: the queue of mails.
enum MailQueue {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let limit = try context.limit()
        let after = try context.cursor { $0.words.first.flatMap { MailID($0) } }
        let word = try context.choice(.mailState)
        let states = MailDelivery.State.allCases.filter { $0.word == word || word == nil && $0.keepsContent }
        let found = try await context.storage.read { rows throws(JournalError) in
            try rows.mails(in: Set(states), after: after, limit: limit + 1)
        }
        let items = found.prefix(limit).map { QueuedMailBody($0) }
        let next = found.count > limit ? items.last.map { Cursor($0.id.text).text } : nil
        return .json(Page(items: items, nextCursor: next))
    }

    static func retry(_ context: RequestContext) async throws -> HTTPResponse {
        try await change(RetryMail(id: try id(context)), context)
    }

    static func drop(_ context: RequestContext) async throws -> HTTPResponse {
        try await change(DropMail(id: try id(context)), context)
    }

    private static func id(_ context: RequestContext) throws -> MailID {
        try context.id(OutgoingMail.self, .mail, named: "mailId")
    }

    private static func change<C: Command>(_ command: C, _ context: RequestContext) async throws
        -> HTTPResponse where C.Answer == Bool
    {
        guard try await context.storage.perform(command) else { throw Refusal.notFound(.mail) }
        return .noContent
    }
}

/// The handler for operators: the budgets of messages with codes.
enum CodeBudgetHandlers {
    static func show(_ context: RequestContext) async throws -> HTTPResponse {
        let now = context.services.clock.now
        return .json(
            CodeBudgetsBody(
                items: OutgoingMail.Channel.ofCodes.map {
                    CodeBudgetBody(context.services.codeBudgets.report(on: $0, at: now))
                }))
    }
}

extension CodeBudgetBody {
    fileprivate init(_ report: CodeBudgets.Report) {
        self.init(
            channel: "\(report.channel)", state: report.state.rawValue, most: report.most, used: report.used,
            mostWithoutMark: report.mostWithoutMark, usedWithoutMark: report.usedWithoutMark)
    }
}
