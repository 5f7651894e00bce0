internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

package enum QuestionCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Forms = CommandPhrases.Forms
    private typealias Messages = CommandPhrases.Messages
    private static let session = CommandDeclaration.Positional("SESSION", Help.session)
    private static let set = CommandDeclaration.Option.value("set", "SET", Help.set)
    private static let language = CommandDeclaration.Option.value("language", "TAG", Forms.language)

    package static let all = [
        CommandDeclaration(
            "question list", Help.questionList,
            examples: [
                .init("question list @", Help.questionList),
                .init("question list @ --set exit-ticket", Help.set),
            ],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [set, .json(of: QuestionSetBody.self)], run: list),
        CommandDeclaration(
            "question sets", Forms.sets, examples: [.init("question sets @", Forms.sets)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [.json(of: QuestionSetSummary.self)], run: sets),
        CommandDeclaration(
            "question set", Help.questionSet,
            examples: [.init("question set @ questions.json", Help.questionSetExample)],
            positionals: [session, .init("FILE", Help.questionFile)], changesSession: true,
            options: [set, .ifVersion, .json(of: QuestionSetBody.self)],
            run: replace),
        CommandDeclaration(
            "question edit", Forms.edit,
            examples: [
                .init("question edit @ --set vote --open yes --share yes", Forms.editPoll),
                .init("question edit @ --publish common", Forms.editPublish),
                .init("question edit @ --once-per-device yes", Forms.editOnce),
            ], positionals: [session], changesSession: true,
            options: [
                set, .oneOf("open", ["yes", "no"], Forms.open), .oneOf("share", ["yes", "no"], Forms.share),
                .oneOf("anonymous", ["yes", "no"], Forms.anonymous),
                .oneOf("promise", AnswerPromise.allCases.map(\.rawValue), Forms.promise),
                .oneOf("changeable", ["yes", "no"], Forms.changeable),
                .value("position", "N", Forms.position), .value("publish", "NAME", Forms.publish),
                .oneOf("once-per-device", ["yes", "no"], Forms.oncePerDevice),
                .ifVersion, .json(of: QuestionSetBody.self),
            ], run: edit),
        CommandDeclaration(
            "question import", Forms.importFile,
            examples: [
                .init("question import @ survey.json --set exit-ticket", Forms.importExample),
                .init("question import @ https://example.org/survey.json", Forms.importURL),
                .init("question import @ survey.en.json --language en", Forms.importLanguage),
            ], positionals: [session, .init("FILE", Forms.source)], changesSession: true,
            options: [set, language, .json(of: QuestionSetBody.self)],
            notes: Forms.importNotes, run: take),
        CommandDeclaration(
            "question export", Forms.export,
            examples: [
                .init("question export @ > questions.json", Forms.export),
                .init("question export @ --format subvey --language ko", Forms.format),
            ], positionals: [.init("SESSION", Help.session, required: false)],
            options: [
                set, .oneOf("format", ["qring", "subvey"], Forms.format), language,
                .value("output", "FILE", Forms.output),
            ],
            run: export),
        CommandDeclaration(
            "question copy", Forms.copy,
            examples: [
                .init("question copy \"Study group#1\" @", Forms.copy),
                .init("question copy 01JD… @ --set vote --as vote-2", Forms.copyOne),
            ], positionals: [.init("FROM", Help.session), .init("SESSION", Help.session)],
            changesSession: true,
            options: [
                .value("set", "SET", Forms.copySet), .value("as", "NAME", Forms.copyAs),
                .json(of: QuestionSetSummary.self),
            ],
            run: copy),
    ]

    private static func target(_ call: Invocation) async throws(CommandFailure) -> (
        APIClient, SessionID, set: String?
    ) {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        return (host, session.id, call.arguments.value("set"))
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id, name) = try await target(call)
        let set = try await calling { () async throws(APIError) in try await host.questions(of: id, set: name)
        }.body
        if call.wantsJSON { call.json(set) } else { QuestionText.show(set, call) }
        return .success
    }

    private static func sets(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id, _) = try await target(call)
        show(try await calling { () async throws(APIError) in try await host.sets(of: id) }, call)
        return .success
    }

    /// Prints the question sets as a table, with the facts that help the host choose one.
    private static func show(_ sets: [QuestionSetSummary], _ call: Invocation) {
        if call.wantsJSON { return call.json(Page(items: sets, nextCursor: nil)) }
        if sets.isEmpty { return call.note(Messages.nothing) }
        let heads = [
            Forms.headSet, Forms.headQuestions, Messages.headResponses, Forms.headOpen, Forms.headShared,
            Forms.headPromise, Forms.headPublished,
        ]
        var table = Table(heads.map { call.text($0) })
        func mark(_ isSo: Bool) -> String { isSo ? call.text(Phrase.Export.yes) : "" }
        for set in sets {
            table.add([
                set.set, String(set.questions), String(set.responses), mark(set.open), mark(set.shared),
                set.promise.map { call.text($0.word) } ?? "",
                set.publishedAs ?? "",
            ])
        }
        call.out(table)
    }

    private static func replace(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let path = call.arguments.positional("FILE") ?? "-"
        let file = object(try await call.contents(of: path))
        let (host, id, name) = try await target(call)
        let read: Int? =
            if let version = version(in: file) { version } else {
                try await current(name, of: id, host)?.version
            }
        let seen = try call.seen(read)
        let set = try await calling { () async throws(APIError) in
            try await host.writeQuestions(of: id, set: name, file, seen: seen)
        }
        tellWritten(set, call)
        return .success
    }

    /// Returns the JSON object with `questions` that the server expects; `question list --json` prints this
    /// form. If the file has an array of questions, this function puts the array into such an object.
    static func object(_ file: [UInt8]) -> [UInt8] {
        guard file.first(where: { $0 > 32 }) == UInt8(ascii: "[") else { return file }
        return Array("{\"questions\":".utf8) + file + Array("}".utf8)
    }

    /// Returns the version that `question list --json` printed with the questions, because the host edited
    /// that version.
    static func version(in file: [UInt8]) -> Int? {
        struct Read: Decodable { let version: Int? }
        return try? WireJSON.decode(Read.self, from: file).version
    }

    /// Returns the question set as the server has it; nil if the named set does not exist yet.
    private static func current(
        _ name: String?, of id: SessionID, _ host: APIClient
    ) async throws(CommandFailure) -> QuestionSetBody? {
        do throws(APIError) { return try await host.questions(of: id, set: name).body } catch {
            guard error.code == .notFound, name != nil else { throw .api(error) }
            return nil
        }
    }

    private static func tellWritten(_ set: QuestionSetBody, _ call: Invocation) {
        if call.wantsJSON { return call.json(set) }
        call.note(Messages.questionsSet, ["count": String(set.questions.count)])
    }

    private static func edit(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        func flag(_ name: String) -> Bool? { call.arguments.value(name).map { $0 == "yes" } }
        let names = [
            "open", "share", "anonymous", "promise", "changeable", "position", "publish", "once-per-device",
        ]
        guard names.contains(where: { call.arguments.value($0) != nil }) else {
            throw .failed(CommandPhrases.Fail.nothingToChange)
        }
        let publish = call.arguments.value("publish")
        let change = SetChange(
            open: flag("open"), shared: flag("share"), anonymous: flag("anonymous"),
            promise: call.choice("promise", of: AnswerPromise.self),
            changeable: flag("changeable"), position: try call.integer("position", 1...1000),
            publishedAs: publish, oncePerDevice: flag("once-per-device"))
        let (host, id, name) = try await target(call)
        let old = try await calling { () async throws(APIError) in try await host.questions(of: id, set: name)
        }.body
        let seen = try call.seen(old.version)
        let set = try await calling { () async throws(APIError) in
            try await host.editSet(
                name ?? QuestionSet.feedback, of: id, change, seen: seen)
        }
        ChangedFields.show(
            call,
            [
                ("open", String(old.open), String(set.open)),
                ("shared", String(old.shared), String(set.shared)),
                ("promise", old.promise.rawValue, set.promise.rawValue),
                ("changeable", String(old.changeable), String(set.changeable)),
                ("position", String(old.position), String(set.position)),
                ("publishedAs", old.publishedAs, set.publishedAs),
                ("oncePerDevice", String(old.oncePerDevice), String(set.oncePerDevice)),
            ])
        if call.wantsJSON {
            call.json(set)
        } else {
            call.note(Messages.changed)
            if let form = set.publishedAs, publish != nil {
                call.out("\(host.server.url)/form/\(form)")
                call.out("\(host.server.url)/api/question/\(form)")
            }
            if change.oncePerDevice == true { call.note(Phrase.Page.oncePerDeviceLimits) }
        }
        return .success
    }

    private static func take(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let source = call.arguments.positional("FILE") ?? "-"
        let isAddress = ["http://", "https://"].contains { source.lowercased().hasPrefix($0) }
        let file: [UInt8]? = if isAddress { nil } else { try await call.contents(of: source) }
        let (host, id, name) = try await target(call)
        let language = call.arguments.value("language")
        let set = try await calling { () async throws(APIError) in
            if let file {
                return try await host.importQuestions(of: id, set: name, language: language, file: file)
            }
            return try await host.importQuestions(of: id, set: name, language: language, from: source)
        }
        tellWritten(set, call)
        return .success
    }

    private static func export(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id, name) = try await target(call)
        let (format, language) = (call.arguments.value("format"), call.arguments.value("language"))
        let file = try await calling { () async throws(APIError) in
            try await host.exportQuestions(of: id, set: name, format: format, language: language)
        }
        try call.write(file + [UInt8(ascii: "\n")], to: call.arguments.value("output") ?? "-")
        return .success
    }

    private static func copy(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id, name) = try await target(call)
        let source = try await Reference("FROM", of: call, host).session()
        let asName = call.arguments.value("as")
        let sets = try await calling { () async throws(APIError) in
            try await host.copyQuestions(to: id, from: source.id, set: name, as: asName)
        }
        show(sets, call)
        return .success
    }
}

extension CommandPhrases.Forms {
    static let sets = Phrase("list the question sets of a session")
    static let edit = Phrase("open, close, share or publish a question set")
    static let editPoll = Phrase("starts a poll and shows its results to everybody")
    static let editPublish = Phrase("anybody can answer without checking in")
    static let open = Phrase("accept answers now, or stop accepting them")
    static let share = Phrase("show the results to the attendees")
    static let publish = Phrase("publish the form under this name; \"\" unpublishes it")
    static let oncePerDevice = Phrase("whether the published form takes one answer from each device")
    static let editOnce = Phrase("stops second answers by mistake, and not people who want to answer twice")
    static let language = Phrase("the language of a file with only one: ko, en, …")
    static let importFile = Phrase("import questions from a file or URL in any supported format")
    static let importExample = Phrase("into a separate set")
    static let importURL = Phrase("the server fetches it")
    static let importLanguage = Phrase("adds a language to the same questions")
    static let importNotes = Phrase(
        "The import takes all of the file or nothing. It names each unsupported item with its line. "
            + "Formats: qring's own, forms with rules (data.forms), questionnaires.")
    static let source = Phrase("a JSON file or its URL, or - for standard input")
    static let export = Phrase("export questions to a file for a later import")
    static let format = Phrase("the file's format (default qring)")
    static let output = Phrase("the file to write")
    static let copy = Phrase("copy the questions of another session")
    static let copyOne = Phrase("one set under another name")
    static let copySet = Phrase("copy only this set")
    static let copyAs = Phrase("the copy's name")
    static let headSet = Phrase("SET")
    static let headQuestions = Phrase("QUESTIONS")
    static let headOpen = Phrase("OPEN")
    static let headShared = Phrase("SHARED")
    static let headPromise = Phrase("PROMISE")
    static let promise = Phrase(
        "whether answers are anonymous, without shown names, or with names; cannot be changed once the "
            + "questions were opened or shown")
    static let changeable = Phrase(
        "whether answers can change while the set is open (default: yes for polls)")
    static let position = Phrase("move the set to this place in the list")
    static let headPublished = Phrase("PUBLISHED AS")
}

extension CommandPhrases.Help {
    static let questionList = Phrase("list the questions of a session")
    static let questionSet = Phrase("replace the questions with those of a JSON file")
    static let questionSetExample = Phrase("[{\"kind\": \"rating\", \"title\": \"How was it?\"}, …]")
    static let questionFile = Phrase("a JSON file, or - for standard input")
}

extension CommandPhrases.Messages {
    static let questionsSet = Phrase("{count} {count|question|questions} saved.")
}
