import CommandLine
import HostCommands
import Journal
import Meetings
import Phrases
import Server
import Wire

private typealias Messages = CommandPhrases.AdminPerson

/// The commands `qring admin person …` and `qring admin log`, with which an operator fulfils the requests of
/// people about their data.
func personCommands(on data: OperatorData) -> [CommandDeclaration] {
    [
        CommandDeclaration(
            "admin person export", Messages.export,
            examples: [.init("admin person export lee@example.org --data /var/lib/qring", Messages.export)],
            positionals: [.init("ADDRESS", Messages.address)],
            options: [.data, .database, .json(of: PersonalDataBody.self)],
            notes: CommandPhrases.Admin.userNotes, hasServer: false
        ) { call throws(CommandFailure) in
            let (address, found) = try await call.foundPerson(data)
            let language = call.language
            let body = try await call.withStorage(on: data) { storage in
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
                .data, .database, .value("confirm", "ADDRESS", Messages.confirm), .yes,
                .json(fields: ["address", "count"]),
            ], notes: Messages.eraseNotes, hasServer: false
        ) { call throws(CommandFailure) in
            let (address, found) = try await call.foundPerson(data)
            let values = ["address": address, "count": String(found.people.count + found.attendees.count)]
            guard
                try await call.confirmed(Messages.reallyErase, orElse: Messages.erasureNeedsYes, values)
            else {
                throw .failed(Messages.notErased, values)
            }
            let confirmation = call.arguments.value("confirm")
            try await call.withStorage(on: data) { storage in
                // A running server may take a check-in of this person between the search and the end.
                var left = found
                for _ in 0..<mostErasures where !left.isEmpty {
                    try await PersonAdministration(storage).erase(
                        account: left.account, people: left.people, attendees: left.attendees,
                        address: address, confirmation: confirmation)
                    left = try await call.foundPerson(data).1
                }
                guard left.isEmpty else { throw CommandFailure.failed(Messages.comesBack, values) }
            }
            if call.wantsJSON { call.json(values) } else { call.out(Messages.erased, values) }
            return .success
        },
        CommandDeclaration(
            "admin log", Messages.log, examples: [.init("admin log --data /var/lib/qring", Messages.log)],
            options: [.data, .database, .json(of: Page<ActionBody>.self)],
            notes: CommandPhrases.Admin.userNotes,
            hasServer: false
        ) { call throws(CommandFailure) in
            let actions = try await call.withStorage(on: data) { storage in
                try await AccountAdministration.actions(in: storage)
            }
            if call.wantsJSON {
                call.json(Page(items: actions, nextCursor: nil))
            } else {
                for action in actions { call.out(action.line(in: call.language, zone: call.zone)) }
            }
            return .success
        },
    ]
}

/// How often the command erases what a person leaves meanwhile.
private let mostErasures = 10

extension Invocation {
    /// Returns the address or number of the command line, and the records that it leads to.
    fileprivate func foundPerson(
        _ data: OperatorData
    ) async throws(CommandFailure) -> (String, PersonSearch) {
        let address = arguments.positional("ADDRESS") ?? ""
        let served: String? = if case .served(_, let folder) = data { folder } else { nil }
        let found = try await reading(in: served) { queries throws(JournalError) -> PersonSearch? in
            try queries?.search(for: address)
        }
        guard let found else { throw .failed(Messages.olderData, ["folder": served ?? dataFolderPath]) }
        return (address, found)
    }
}

extension CommandPhrases {
    enum AdminPerson {
        static let address = Phrase("the person's e-mail address or number")
        static let export = Phrase("print all data about a person as JSON")
        static let erase = Phrase("erase a person: account, roster entries and attendance")
        static let eraseNotes = Phrase(
            "The server may be running. Nobody can undo this command. The account's own meetings are "
                + "deleted too: confirm that with --confirm ADDRESS. Erase earlier backups yourself.")
        static let comesBack = Phrase(
            "{address} checked in again each time. Suspend the account or end the session first, and then "
                + "run the command again.")
        static let olderData = Phrase(
            "An older QRing wrote the data in {folder}. Start this version's server on it once, which "
                + "updates it, and try again.")
        static let confirm = Phrase("the address again, if meetings would be deleted")
        static let reallyErase = Phrase("Erase {address} with {count} {count|record|records}? [y/N]")
        static let erasureNeedsYes = Phrase(
            "This erases {address} with {count} {count|record|records}, and cannot be undone. If you want "
                + "this, add --yes.")
        static let notErased = Phrase("{address} was not erased.")
        static let erased = Phrase("{address} was erased. Delete the backups that still hold it.")
        static let log = Phrase("list who changed accounts, members and personal data")
    }
}
