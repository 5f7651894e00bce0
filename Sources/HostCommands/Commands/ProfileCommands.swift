internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The commands for the profile of the host's own account.
package enum ProfileCommands {
    private typealias Help = CommandPhrases.Profile

    /// The options for the parts of a profile that a sign-up also takes.
    static let options: [CommandDeclaration.Option] = [
        .value("birth-date", "DATE", Help.birthDate),
        .oneOf("gender", Account.Profile.Gender.allCases.map(\.rawValue), Help.gender),
        .value("phone", "NUMBER", Help.phone), .values("interest", "TEXT", Help.interest),
    ]

    /// What `--clear` empties: the names of the options and, for a field that null empties, the field.
    private static let clearable: [(name: String, field: Account.Profile.Field?)] = [
        ("birth-date", .birthDate), ("gender", .gender), ("phone", .phone), ("interests", nil),
        ("nickname", .nickname), ("ages", .ageRange),
    ]

    package static let all = [
        CommandDeclaration(
            "account show", Help.show, examples: [.init("account show --json nickname,interests", Help.show)],
            options: [.json(of: AccountBody.self)], run: show),
        CommandDeclaration(
            "account edit", Help.edit,
            examples: [
                .init("account edit --nickname Owl --interest chess --interest tea", Help.editExample),
                .init("account edit --searchable yes --ages 20-39", Help.searchableExample),
                .init("account edit --clear birth-date", Help.clearExample),
            ],
            options: [
                .value("name", "NAME", CommandPhrases.Help.accountName),
                .value("nickname", "NAME", Help.nickname),
            ] + options + [
                .oneOf("searchable", ["yes", "no"], Help.searchable), .value("ages", "FROM-TO", Help.ages),
                .oneOf("notifications", ["on", "off"], Help.notifications),
                .values("clear", "FIELD", Help.clear), .ifVersion, .json(of: AccountBody.self),
            ], run: edit),
    ]

    private static func show(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        print(try await calling { () async throws(APIError) in try await host.me() }, call)
        return .success
    }

    private static func edit(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let change = try change(call)
        guard change != AccountChange() else {
            throw .said(.usage, CommandPhrases.Fail.nothingToChange, [:], next: "qring help account edit")
        }
        let before = try await calling { () async throws(APIError) in try await host.me() }
        let seen = try call.seen(before.version)
        print(
            try await calling { () async throws(APIError) in
                try await host.editAccount(change, seen: seen)
            }, call)
        return .success
    }

    private static func change(_ call: Invocation) throws(CommandFailure) -> AccountChange {
        var change = try profile(call)
        change.name = call.arguments.value("name")
        change.nickname = call.arguments.value("nickname")
        change.searchable = call.arguments.value("searchable").map { $0 == "yes" }
        change.notifications = call.arguments.value("notifications").map { $0 == "on" }
        if let written = call.arguments.value("ages") {
            let ends = written.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
            guard ends.count == 2, ends[0] <= ends[1], ends.allSatisfy(AgeRange.allowed.contains) else {
                throw .usage(.notReadable("--ages", written, expected: "20-39"))
            }
            change.ageRange = AgeRange(min: ends[0], max: ends[1])
        }
        for written in call.arguments.values("clear") {
            guard let found = clearable.first(where: { $0.name == written }) else {
                let names = clearable.map(\.name).joined(separator: ", ")
                throw .usage(.notReadable("--clear", written, expected: names))
            }
            if let field = found.field { change.cleared.insert(field) } else { change.interests = [] }
        }
        return change
    }

    /// Returns the values of `options`. The rules of the server decide; those that need no server are checked
    /// here, so that a wrong value costs no request.
    static func profile(_ call: Invocation) throws(CommandFailure) -> AccountChange {
        var change = AccountChange()
        if let written = call.arguments.value("birth-date") {
            guard CivilDate(written) != nil else {
                throw .usage(.notReadable("--birth-date", written, expected: "2001-05-20"))
            }
            change.birthDate = written
        }
        if let written = call.arguments.value("phone") {
            guard let phone = PhoneNumber.normalized(written) else {
                throw .usage(.notReadable("--phone", written, expected: "010-1234-5678, +82 10 1234 5678"))
            }
            change.phone = phone
        }
        change.gender = call.arguments.value("gender")
        let interests = call.arguments.values("interest")
        if !interests.isEmpty { change.interests = interests }
        return change
    }

    private static func print(_ account: AccountBody, _ call: Invocation) {
        if call.wantsJSON { return call.json(account) }
        func yesOrNo(_ value: Bool?) -> String? {
            value.map { call.text($0 ? Phrase.Data.yes : Phrase.Data.no) }
        }
        let lines: [(Phrase, String?)] = [
            (Phrase.Data.name, account.name),
            (Phrase.Data.email, account.email.isEmpty ? nil : account.email),
            (Phrase.Data.phone, account.phone), (Phrase.Data.birthDate, account.birthDate),
            (Phrase.Data.gender, gender(account.gender, call)),
            (Phrase.Data.interests, account.interests?.joined(separator: ", ")),
            (Phrase.Data.nickname, account.nickname), (Phrase.Data.searchable, yesOrNo(account.searchable)),
            (Phrase.Data.ageRange, account.ageRange.map { "\($0.min)–\($0.max)" }),
            (Phrase.Data.notifications, yesOrNo(account.notifications)),
        ]
        var table = Table([call.text(Help.field), call.text(Help.value)])
        for (label, value) in lines {
            table.add([call.text(label), value.flatMap { $0.isEmpty ? nil : $0 } ?? "–"])
        }
        call.out(table)
    }

    private static func gender(_ text: String?, _ call: Invocation) -> String? {
        text.map { gender in Phrase.Data.genders[gender].map { call.text($0) } ?? gender }
    }
}

extension CommandPhrases {
    /// The texts of `qring account show` and `qring account edit`.
    enum Profile {
        static let show = Phrase("show your profile")
        static let edit = Phrase("change your profile")
        static let editExample = Phrase("replaces all interests")
        static let searchableExample = Phrase("lets groups of interest begin with your profile")
        static let clearExample = Phrase("deletes the birth date")
        static let birthDate = Phrase("your birth date, for example 2001-05-20")
        static let gender = Phrase("your gender")
        static let phone = Phrase("your phone number: 010-1234-5678, or with a country's code")
        static let interest = Phrase("an interest; repeat for several")
        static let nickname = Phrase("the name that strangers see when you meet them")
        static let searchable = Phrase(
            "whether the form of groups of interest begins with your nickname, interests and ages")
        static let ages = Phrase("the ages of people who may find you in groups of interest")
        static let notifications = Phrase("whether you get mails of meetings: reminders, feedback, changes")
        static let clear = Phrase("empty a field: birth-date, gender, phone, interests, nickname or ages")
        static let field = Phrase("FIELD")
        static let value = Phrase("VALUE")
    }
}
