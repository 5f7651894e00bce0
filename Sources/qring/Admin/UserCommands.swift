import Client
import CommandLine
import HostCommands
import Journal
import Meetings
import Phrases
import SQLiteJournal
import Server
import Terminal
import Wire

private typealias Messages = CommandPhrases.Admin

/// The commands `qring admin user …`, which manage the accounts of a server.
func userCommands(on data: OperatorData) -> [CommandDeclaration] {
    [
        CommandDeclaration(
            "admin user create", Messages.userCreate,
            examples: [
                .init(
                    "admin user create kim@example.org --name \"Kim Minji\" --data /var/lib/qring",
                    Messages.userCreateExample)
            ],
            positionals: [.init("EMAIL", CommandPhrases.Help.email)],
            options: [
                .value("name", "NAME", CommandPhrases.Help.accountName), .flag("admin", Messages.userAdmin),
                .value("password-file", "FILE", CommandPhrases.Help.passwordFile), .data, .database,
                .json(of: AccountBody.self),
            ], notes: Messages.userNotes, hasServer: false
        ) { call throws(CommandFailure) in
            let email = call.arguments.positional("EMAIL") ?? ""
            let name = try await call.asked(
                "name", CommandPhrases.Messages.name, CommandPhrases.Messages.aName)
            let password = try await call.password(twice: true)
            let isOperator = call.arguments.has("admin")
            let made = try await call.administer(on: data, makingFolder: true) { accounts in
                try await accounts.create(
                    email: email, name: name, password: password, isOperator: isOperator)
            }
            if call.wantsJSON {
                call.json(made)
            } else {
                call.out(CommandPhrases.Messages.signedUp, ["email": made.email])
                if made.admin { call.out(CommandPhrases.Messages.operatorAccount) }
            }
            return .success
        },
        CommandDeclaration(
            "admin user list", Messages.userList,
            examples: [.init("admin user list --data /var/lib/qring", Messages.userListExample)],
            options: [.data, .database, .json(of: AccountBody.self)], notes: Messages.userNotes,
            hasServer: false
        ) { call throws(CommandFailure) in
            let all = try await call.administer(on: data) { accounts in try await accounts.list() }
            if call.wantsJSON {
                call.json(Page(items: all, nextCursor: nil))
            } else {
                for account in all {
                    call.outline(account)
                }
            }
            return .success
        },
        operatorCommand(on: data, "admin user make-operator"),
        // The older name.
        operatorCommand(on: data, "admin user operator"),
        CommandDeclaration(
            "admin user show", Messages.userShow,
            examples: [
                .init("admin user show lee@example.org --data /var/lib/qring", Messages.userShowExample)
            ],
            positionals: [.init("EMAIL", CommandPhrases.Help.email)],
            options: [.data, .database, .json(of: AccountReport.self)], notes: Messages.userNotes,
            hasServer: false
        ) { call throws(CommandFailure) in
            let email = call.arguments.positional("EMAIL") ?? ""
            let report = try await call.administer(on: data) { accounts in try await accounts.show(email) }
            guard !call.wantsJSON else {
                call.json(report)
                return .success
            }
            call.outline(report.account)
            call.out(Messages.userOwns, ["count": String(report.ownedMeetings)])
            for signIn in report.signIns {
                let parts = [signIn.client, signIn.address, WallTime(signIn.createdAt, in: call.zone).text]
                call.out("  " + TerminalEscaping.safe(parts.filter { !$0.isEmpty }.joined(separator: "  ")))
            }
            return .success
        },
        CommandDeclaration(
            "admin user invite", Messages.userInvite,
            examples: [
                .init("admin user invite lee@example.org --data /var/lib/qring", Messages.userInviteExample)
            ],
            positionals: [.init("EMAIL", CommandPhrases.Help.email)],
            options: [.data, .database, .json(of: InvitationBody.self)], notes: Messages.userNotes,
            hasServer: false
        ) { call throws(CommandFailure) in
            let email = call.arguments.positional("EMAIL") ?? ""
            let made = try await call.administer(on: data) { accounts in try accounts.invite(email) }
            if call.wantsJSON {
                call.json(made)
            } else {
                call.out("qring signup --server URL --email \(made.email) --invitation \(made.invitation)")
            }
            return .success
        },
        stateCommand(on: data, "admin user suspend", Messages.userSuspend, Messages.userSuspendExample) {
            accounts, email in try await accounts.suspend(email)
        },
        stateCommand(on: data, "admin user resume", Messages.userResume, Messages.userResumeExample) {
            accounts, email in try await accounts.resume(email)
        },
        CommandDeclaration(
            "admin user reset-password", Messages.userReset,
            examples: [
                .init(
                    "admin user reset-password lee@example.org --data /var/lib/qring",
                    Messages.userResetExample)
            ],
            positionals: [.init("EMAIL", CommandPhrases.Help.email)],
            options: [
                .value("password-file", "FILE", CommandPhrases.Help.passwordFile), .data, .database,
                .json(of: AccountBody.self),
            ], notes: Messages.userNotes, hasServer: false
        ) { call throws(CommandFailure) in
            let email = call.arguments.positional("EMAIL") ?? ""
            let isGiven = call.arguments.value("password-file") != nil
            let password: String? = if isGiven { try await call.password(twice: false) } else { nil }
            let reset = try await call.administer(on: data) { accounts in
                try await accounts.resetPassword(of: email, to: password)
            }
            call.note(Messages.userWasReset, ["email": reset.account.email])
            if let made = reset.made { call.note(Messages.userNewPassword, ["password": made]) }
            if call.wantsJSON { call.json(reset.account) }
            return .success
        },
        CommandDeclaration(
            "admin user delete", Messages.userDelete,
            examples: [
                .init("admin user delete lee@example.org --data /var/lib/qring", Messages.userDeleteExample)
            ],
            positionals: [.init("EMAIL", CommandPhrases.Help.email)],
            options: [
                .value("confirm", "EMAIL", Messages.userConfirm), .data, .database,
                .json(of: AccountBody.self),
            ], notes: Messages.userNotes, hasServer: false
        ) { call throws(CommandFailure) in
            let email = call.arguments.positional("EMAIL") ?? ""
            let confirmation = call.arguments.value("confirm")
            let deleted = try await call.administer(on: data) { accounts in
                try await accounts.delete(email, confirmation: confirmation)
            }
            if call.wantsJSON {
                call.json(deleted)
            } else {
                call.out(Messages.userWasDeleted, ["email": deleted.email])
            }
            return .success
        },
    ]
}

private func operatorCommand(on data: OperatorData, _ name: String) -> CommandDeclaration {
    CommandDeclaration(
        name, Messages.userOperator,
        examples: [.init("\(name) lee@example.org --data /var/lib/qring", Messages.userOperatorExample)],
        positionals: [.init("EMAIL", CommandPhrases.Help.email)],
        options: [.data, .database, .json(of: AccountBody.self)], notes: Messages.userNotes,
        hasServer: false
    ) { call throws(CommandFailure) in
        let email = call.arguments.positional("EMAIL") ?? ""
        let account = try await call.administer(on: data) { accounts in try await accounts.makeOperator(email)
        }
        if call.wantsJSON {
            call.json(account)
        } else {
            call.out(Messages.userMadeOperator, ["email": account.email])
        }
        return .success
    }
}

/// A command that changes the state of one account and prints the account.
private func stateCommand(
    on data: OperatorData, _ name: String, _ help: Phrase, _ example: Phrase,
    _ change: @escaping @Sendable (AccountAdministration, String) async throws -> AccountBody
) -> CommandDeclaration {
    CommandDeclaration(
        name, help, examples: [.init("\(name) lee@example.org --data /var/lib/qring", example)],
        positionals: [.init("EMAIL", CommandPhrases.Help.email)],
        options: [.data, .database, .json(of: AccountBody.self)], notes: Messages.userNotes, hasServer: false
    ) { call throws(CommandFailure) in
        let email = call.arguments.positional("EMAIL") ?? ""
        let account = try await call.administer(on: data) { accounts in try await change(accounts, email) }
        if call.wantsJSON { call.json(account) } else { call.outline(account) }
        return .success
    }
}

extension Invocation {
    /// Prints an account in one line: address, name, state, and whether it is an operator's.
    fileprivate func outline(_ account: AccountBody) {
        let parts = [
            account.email, TerminalEscaping.safe(account.name), text(account.state.phrase),
            account.admin ? text(Messages.userIsOperator) : "",
        ]
        out(parts.filter { !$0.isEmpty }.joined(separator: "  "))
    }

    /// Runs `work` as `withStorage` does.
    func administer<Value>(
        on data: OperatorData?, makingFolder: Bool = false,
        _ work: (AccountAdministration) async throws -> Value
    ) async throws(CommandFailure) -> Value {
        let folder = if case .served(_, let folder) = data { folder } else { dataFolderPath }
        return try await withStorage(on: data, makingFolder: makingFolder) { storage in
            try await work(AccountAdministration(storage, folder: folder))
        }
    }
}

extension Account.State {
    fileprivate var phrase: Phrase {
        switch self {
        case .unverified: Phrase("unverified")
        case .active: Phrase("active")
        case .suspended: Phrase("suspended")
        case .withdrawn: Phrase("deleted")
        }
    }
}

extension CommandPhrases.Admin {
    static let userShow = Phrase("show an account and its sign-ins")
    static let userShowExample = Phrase("device, address and time of each sign-in")
    static let userOwns = Phrase("Owns {count} {count|meeting|meetings}. Sign-ins:")
    static let userInvite = Phrase("invite a person to sign up")
    static let userInviteExample = Phrase("prints the command for the invited person")
    static let userSuspend = Phrase("suspend an account: sign-ins and open screens end, the data stays")
    static let userSuspendExample = Phrase("until admin user resume")
    static let userResume = Phrase("resume a suspended account")
    static let userResumeExample = Phrase("the person must sign in again")
    static let userReset = Phrase("set a new password and end all sign-ins")
    static let userResetExample = Phrase("prints a new random password; --password-file sets one")
    static let userWasReset = Phrase("{email} has a new password. All sign-ins have ended.")
    static let userNewPassword = Phrase("New password: {password}")
    static let userDelete = Phrase("delete an account and the meetings that only it owns")
    static let userDeleteExample = Phrase("asks for --confirm if meetings would be deleted")
    static let userConfirm = Phrase("the account's e-mail address again")
    static let userWasDeleted = Phrase("{email} was deleted.")
    static let userCreate = Phrase("create an account in the data folder")
    static let userCreateExample = Phrase("asks for the password; the first account becomes the operator")
    static let userAdmin = Phrase("make the account an operator")
    static let userList = Phrase("list the accounts in the data folder")
    static let userListExample = Phrase("shows which accounts are operators")
    static let userIsOperator = Phrase("operator")
    static let userOperator = Phrase("make an account an operator")
    static let userOperatorExample = Phrase("afterwards the previous operator can delete their account")
    static let userMadeOperator = Phrase("{email} is now an operator.")
    static let userNotes = Phrase(
        "Run this command on the server's machine as the server's user, so that the files keep their owner. "
            + "The server may be running.")
}
