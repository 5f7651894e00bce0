internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for texts that attendees write as answers: a host lists, shows and hides them.
package enum ModerateCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Moderate = CommandPhrases.Moderate
    private typealias Declared = CommandDeclaration

    private static let session = Declared.Positional("SESSION", Help.session)
    private static let anySession = Declared.Positional("SESSION", Help.session, required: false)
    private static let text = Declared.Positional("TEXT", Moderate.text)
    private static let set = Declared.Option.value("set", "SET", Help.set)
    private static let note = Declared.Option.value("note", "TEXT", CommandPhrases.Correct.note)
    private static let json = Declared.Option.json(of: ListedText.self)

    package static let all = [
        CommandDeclaration(
            "moderate", Moderate.list,
            examples: [
                .init("moderate @ --status pending", Moderate.pendingExample),
                .init("moderate @ --set poll-1", Moderate.list),
            ],
            positionals: [anySession],
            options: [set, .oneOf("status", TextStatus.allCases.map(\.rawValue), Moderate.status), json],
            notes: Moderate.notes, run: list),
        CommandDeclaration(
            "moderate show", Moderate.show, examples: [.init("moderate show @ Wx3b", Moderate.show)],
            positionals: [session, text], changesSession: true, options: [set, note, json],
            run: { call throws(CommandFailure) in try await change(call, to: .visible, Moderate.saidShown) }),
        CommandDeclaration(
            "moderate hide", Moderate.hide, examples: [.init("moderate hide @ Wx3b", Moderate.hide)],
            positionals: [session, text], changesSession: true, options: [set, note, json],
            run: { call throws(CommandFailure) in try await change(call, to: .hidden, Moderate.saidHid) }),
        CommandDeclaration(
            "moderate mode", Moderate.mode,
            examples: [
                .init("moderate mode @", Moderate.mode),
                .init("moderate mode @ --check before", Moderate.beforeExample),
            ],
            positionals: [anySession], changesSession: true,
            options: [
                set, .oneOf("check", TextModeration.allCases.map(\.rawValue), Moderate.check),
                .json(of: TextModerationBody.self),
            ], notes: Moderate.notes, run: mode),
    ]

    /// A text in the list of this command, with its question.
    struct ListedText: Codable, Hashable, Sendable {
        let set: String
        let questionId: QuestionID
        let question: String
        let id: String
        let status: TextStatus
        let text: String
        let at: Instant?
        /// How many people wrote the word of a word cloud; nil for a text.
        let count: Int?
    }

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let status = call.choice("status", of: TextStatus.self)
        let found = try await texts(call).texts.filter { status == nil || $0.status == status }
        if call.wantsJSON {
            call.json(Page(items: found, nextCursor: nil))
            return .success
        }
        if found.isEmpty { call.note(CommandPhrases.Messages.nothing) }
        var table = Table(
            [Moderate.headID, Moderate.headStatus, Moderate.headQuestion, Moderate.headText].map {
                call.text($0)
            }, main: 3)
        for text in found {
            let status = Phrase.Record.questionStatuses[text.status.rawValue].map { call.text($0) }
            table.add([
                String(text.id.prefix(shortID)), status ?? "",
                text.question,
                text.count.map { "\(text.text) (\($0))" } ?? text.text,
            ])
        }
        if !found.isEmpty { call.out(table) }
        return .success
    }

    /// The letters of an id that lists show. They begin with masked bits, so they differ in practice.
    private static let shortID = 8

    private static func change(_ call: Invocation, to status: TextStatus, _ said: Phrase)
        async throws(CommandFailure) -> ExitCode
    {
        let (host, all) = try await texts(call)
        let written = call.arguments.positional("TEXT") ?? ""
        let found = all.filter {
            IdentityKey($0.text) == IdentityKey(written)
                || written.utf8.count >= 4 && $0.id.hasPrefix(written)
        }
        guard
            let text = try found.only(
                meantBy: written, { "\(TerminalEscaping.safe($0.text)) (\($0.id.prefix(shortID)))" })
        else {
            throw .said(
                .notFound, Moderate.noText, ["text": TerminalEscaping.safe(written)], next: "qring moderate @"
            )
        }
        let note = call.arguments.value("note")
        let changed = try await calling { () async throws(APIError) in
            try await host.moderateText(text.id, answering: text.questionId, to: status, note: note)
        }
        if call.wantsJSON {
            call.json(
                ListedText(
                    set: text.set, questionId: text.questionId, question: text.question, id: text.id,
                    status: status, text: changed.text, at: changed.at, count: changed.count))
        } else {
            call.out(said, ["text": TerminalEscaping.safe(changed.text)])
        }
        return .success
    }

    private static func mode(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session, set) = try await target(call)
        let wanted = call.choice("check", of: TextModeration.self)
        let mode = try await calling { () async throws(APIError) in
            if let wanted { return try await host.setTextModeration(wanted, of: session, set: set) }
            return try await host.textModeration(of: session, set: set)
        }
        if call.wantsJSON {
            call.json(mode)
        } else {
            switch mode.moderation {
            case .none: call.out(Moderate.saidNone)
            case .before: call.out(Moderate.saidBefore)
            case .after: call.out(Moderate.saidAfter)
            }
        }
        return .success
    }

    private static func target(_ call: Invocation) async throws(CommandFailure) -> (
        APIClient, SessionID, set: String
    ) {
        let host = try call.host()
        let session = try await Reference("SESSION", of: call, host).session()
        return (host, session.id, call.arguments.value("set") ?? QuestionSet.feedback)
    }

    /// Returns the published texts of all questions of the set, question by question, the newest first.
    private static func texts(_ call: Invocation) async throws(CommandFailure) -> (
        host: APIClient, texts: [ListedText]
    ) {
        let (host, session, name) = try await target(call)
        let set = try await calling { () async throws(APIError) in
            try await host.questions(of: session, set: name).body
        }
        var found: [ListedText] = []
        for question in set.questions where question.takesTexts || question.countsWords {
            let texts = try await calling { () async throws(APIError) in
                try await host.allTexts(answering: question.id)
            }
            for text in texts {
                guard let id = text.id, let status = text.status else { continue }
                found.append(
                    ListedText(
                        set: name, questionId: question.id,
                        question: question.title.text(in: call.language.rawValue), id: id, status: status,
                        text: text.text, at: text.at, count: text.count))
            }
        }
        return (host, found)
    }
}

extension CommandPhrases {
    fileprivate enum Moderate {
        static let list = Phrase("list the texts that attendees wrote as answers")
        static let pendingExample = Phrase("the texts that wait for a check")
        static let status = Phrase("only the texts with this status")
        static let notes = Phrase(
            "qring session undo reverts what a host did with a text. qring ask words edits the list of words "
                + "that hold texts back.")
        static let text = Phrase("the text, or the first 4 or more letters of its id")
        static let show = Phrase("show a held back or hidden text")
        static let hide = Phrase("hide a text from the hall and attendees")
        static let mode = Phrase("show or set when a host checks the texts of a set")
        static let beforeExample = Phrase("hold each text back first")
        static let check = Phrase(
            "before showing (before), only texts with a listed word (after), or never first (none)")
        static let headID = Phrase("ID")
        static let headStatus = Phrase("STATUS")
        static let headQuestion = Phrase("QUESTION")
        static let headText = Phrase("TEXT")
        static let saidShown = Phrase("Shown: {text}")
        static let saidHid = Phrase("Hidden: {text}")
        static let saidNone = Phrase("New texts are shown at once.")
        static let saidBefore = Phrase("New texts are held back until a host shows them.")
        static let saidAfter = Phrase(
            "New texts are shown at once. Texts with a word of the list are held back.")
        static let noText = Phrase("no text has the content or the id \"{text}\".")
    }
}
