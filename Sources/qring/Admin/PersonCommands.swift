import CommandLine
import HostCommands
import Journal
import Meetings
import Phrases
import SQLiteJournal
import Server
import Wire

private typealias Messages = CommandPhrases.AdminPerson

/// The commands `qring admin person …` and `qring admin log`, with which an operator fulfils the requests of
/// people about their data.
let personCommands = [
    CommandDeclaration(
        "admin person export", Messages.export,
        examples: [.init("admin person export lee@example.org --data /var/lib/qring", Messages.export)],
        positionals: [.init("ADDRESS", Messages.address)],
        options: [.data, .json(of: PersonalDataBody.self)],
        notes: CommandPhrases.Admin.userNotes, hasServer: false
    ) { call throws(CommandFailure) in
        let (address, found) = try await call.foundPerson()
        let language = call.language
        let body = try await call.withStorage { storage in
            try await PersonAdministration(storage).export(
                account: found.account, people: found.people, attendees: found.attendees,
                address: address, at: SystemClock().now, in: language)
        }
        call.json(body)
        return .success
    },
    CommandDeclaration(
        "admin person erase", Messages.erase,
        examples: [.init("admin person erase lee@example.org --data /var/lib/qring", Messages.erase)],
        positionals: [.init("ADDRESS", Messages.address)],
        options: [
            .data, .value("confirm", "ADDRESS", Messages.confirm), .yes, .json(fields: ["address", "count"]),
        ], notes: Messages.eraseNotes, hasServer: false
    ) { call throws(CommandFailure) in
        let (address, found) = try await call.foundPerson()
        let values = ["address": address, "count": String(found.people.count + found.attendees.count)]
        guard
            try await call.confirmed(Messages.reallyErase, orElse: Messages.erasureNeedsYes, values)
        else {
            throw .failed(Messages.notErased, values)
        }
        let confirmation = call.arguments.value("confirm")
        try await call.withStorage { storage in
            try await PersonAdministration(storage).erase(
                account: found.account, people: found.people, attendees: found.attendees, address: address,
                confirmation: confirmation)
        }
        if call.wantsJSON { call.json(values) } else { call.out(Messages.erased, values) }
        return .success
    },
    CommandDeclaration(
        "admin log", Messages.log, examples: [.init("admin log --data /var/lib/qring", Messages.log)],
        options: [.data, .database, .json(of: Page<ActionBody>.self)], notes: CommandPhrases.Admin.userNotes,
        hasServer: false
    ) { call throws(CommandFailure) in
        let actions = try await call.withStorage { storage in
            try await AccountAdministration.actions(in: storage)
        }
        if call.wantsJSON {
            call.json(Page(items: actions, nextCursor: nil))
        } else {
            for action in actions { call.out(action.line(in: call.language)) }
        }
        return .success
    },
]

extension Invocation {
    /// Returns the address or number of the command line, and the records that it leads to.
    fileprivate func foundPerson() async throws(CommandFailure) -> (String, PersonSearch) {
        let address = arguments.positional("ADDRESS") ?? ""
        try needSQLite()
        let folder = dataFolderPath
        let found = try await onThread(in: folder) { (_) throws(OperatingError) in
            try PersonSearch.read(address, in: folder)
        }
        return (address, found)
    }
}

extension CommandPhrases {
    enum AdminPerson {
        static let address = Phrase("the person's e-mail address or number", "이메일 주소 또는 번호")
        static let export = Phrase("print all data about a person as JSON", "한 사람의 정보를 모두 JSON으로 출력")
        static let erase = Phrase(
            "erase a person: account, roster entries and attendance", "한 사람의 계정, 명단, 출석 기록을 모두 삭제")
        static let eraseNotes = Phrase(
            "The server must be stopped. Nobody can undo this command. The account's own meetings are "
                + "deleted too: confirm that with --confirm ADDRESS. Erase earlier backups yourself.",
            "서버를 먼저 멈추세요. 이 명령은 되돌릴 수 없습니다. 혼자 소유한 모임도 삭제되므로 --confirm 주소로 확인하세요. "
                + "이전 백업은 직접 삭제해야 합니다.")
        static let confirm = Phrase(
            "the address again, if meetings would be deleted", "모임이 삭제되는 경우 주소를 다시 입력")
        static let reallyErase = Phrase(
            "Erase {address} with {count} {count|record|records}? [y/N]",
            "{address}의 기록 {count}건을 모두 삭제할까요? [y/N]")
        static let erasureNeedsYes = Phrase(
            "This erases {address} with {count} {count|record|records}, and cannot be undone. If you want "
                + "this, add --yes.",
            "{address}의 기록 {count}건을 모두 삭제하며 되돌릴 수 없습니다. 그래도 삭제하려면 --yes를 추가하세요.")
        static let notErased = Phrase("{address} was not erased.", "{address}의 기록을 삭제하지 않았습니다.")
        static let erased = Phrase(
            "{address} was erased. Delete the backups that still hold it.",
            "{address}의 기록을 모두 삭제했습니다. 이 기록이 남은 백업도 삭제하세요.")
        static let log = Phrase(
            "list who changed accounts, members and personal data", "계정, 구성원, 개인정보 처리 내역")
    }
}
