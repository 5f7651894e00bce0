import Client
import CommandLine
import Foundation
import HostCommands
import Journal
import Meetings
import Phrases
import SQLiteJournal
import Server
import Terminal
import Wire

private typealias Messages = CommandPhrases.Admin

/// The commands `qring admin user …`, which manage the accounts of a data folder. They need the server to be
/// stopped.
let userCommands = [
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
            .value("password-file", "FILE", CommandPhrases.Help.passwordFile), .data,
            .json(of: AccountBody.self),
        ], notes: Messages.userNotes, hasServer: false
    ) { call throws(CommandFailure) in
        let email = call.arguments.positional("EMAIL") ?? ""
        let name = try await call.asked("name", CommandPhrases.Messages.name, CommandPhrases.Messages.aName)
        let password = try await call.password(twice: true)
        let isOperator = call.arguments.has("admin")
        let made = try await call.administer(makingFolder: true) { accounts in
            try await accounts.create(email: email, name: name, password: password, isOperator: isOperator)
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
        options: [.data, .json(of: AccountBody.self)], notes: Messages.userNotes, hasServer: false
    ) { call throws(CommandFailure) in
        let all = try await call.administer { accounts in try await accounts.list() }
        if call.wantsJSON {
            call.json(Page(items: all, nextCursor: nil))
        } else {
            for account in all {
                let mark = account.admin ? "  \(call.text(Messages.userIsOperator))" : ""
                call.out("\(account.email)  \(TerminalEscaping.safe(account.name))\(mark)")
            }
        }
        return .success
    },
    CommandDeclaration(
        "admin user operator", Messages.userOperator,
        examples: [
            .init("admin user operator lee@example.org --data /var/lib/qring", Messages.userOperatorExample)
        ],
        positionals: [.init("EMAIL", CommandPhrases.Help.email)],
        options: [.data, .json(of: AccountBody.self)], notes: Messages.userNotes,
        hasServer: false
    ) { call throws(CommandFailure) in
        let email = call.arguments.positional("EMAIL") ?? ""
        let account = try await call.administer { accounts in try await accounts.makeOperator(email) }
        if call.wantsJSON {
            call.json(account)
        } else {
            call.out(Messages.userMadeOperator, ["email": account.email])
        }
        return .success
    },
]

extension Invocation {
    /// Manages the accounts of the data folder. No server can use the folder meanwhile.
    fileprivate func administer<Value>(
        makingFolder: Bool = false, _ work: (AccountAdministration) async throws -> Value
    ) async throws(CommandFailure) -> Value {
        try await withStorage(makingFolder: makingFolder) { storage in
            try await work(AccountAdministration(storage, folder: dataFolderPath))
        }
    }
}

extension CommandPhrases.Admin {
    static let userCreate = Phrase("create an account in the data folder", "데이터 폴더에 계정 만들기")
    static let userCreateExample = Phrase(
        "asks for the password; the first account becomes the operator",
        "비밀번호를 물음. 첫 계정이 운영자가 됨")
    static let userAdmin = Phrase("make the account an operator", "운영자 계정으로 만들기")
    static let userList = Phrase("list the accounts in the data folder", "데이터 폴더의 계정 목록")
    static let userListExample = Phrase("shows which accounts are operators", "운영자 계정을 표시")
    static let userIsOperator = Phrase("operator", "운영자")
    static let userOperator = Phrase("make an account an operator", "계정을 운영자로 지정")
    static let userOperatorExample = Phrase(
        "afterwards the previous operator can delete their account",
        "이후 이전 운영자가 탈퇴할 수 있음")
    static let userMadeOperator = Phrase("{email} is now an operator.", "{email} 계정을 운영자로 지정했습니다.")
    static let userNotes = Phrase(
        "Stop the server first. Run this command as the server's user, so that the files keep their owner.",
        "먼저 서버를 멈추세요. 파일의 소유자가 바뀌지 않도록 서버와 같은 사용자로 실행하세요.")
}
