internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for questions from the audience: the host's, and an attendee's `ask send` and `ask vote`.
package enum AudienceCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Ask = CommandPhrases.Ask
    private typealias Declared = CommandDeclaration

    private static let session = Declared.Positional("SESSION", Help.session)
    private static let anySession = Declared.Positional("SESSION", Help.session, required: false)
    private static let ownSession = Declared.Positional("SESSION", Help.respondSession, required: false)
    private static let question = Declared.Positional("QUESTION", Ask.question)
    private static let note = Declared.Option.value("note", "TEXT", CommandPhrases.Correct.note)
    private static let receipt = Declared.Option.value("receipt-file", "FILE", Help.receipt)
    private static let json = Declared.Option.json(of: AudienceQuestionBody.self)

    package static let all = [
        CommandDeclaration(
            "ask", Ask.list,
            examples: [
                .init("ask @", Ask.list), .init("ask @ --status pending", Ask.status),
                .init("ask @ --follow", Ask.follow),
            ],
            positionals: [anySession],
            options: [
                .oneOf("status", AudienceQuestion.Status.allCases.map(\.rawValue), Ask.status),
                .flag("follow", Ask.follow), json,
            ], notes: Ask.notes, run: list),
        CommandDeclaration(
            "ask open", Ask.open,
            examples: [
                .init("ask open @", Ask.open), .init("ask open @ --names yes --moderate before", Ask.named),
            ],
            positionals: [anySession], changesSession: true,
            options: [
                .oneOf("names", ["yes", "no"], Ask.names),
                .oneOf(
                    "moderate", AudienceSettings.Moderation.allCases.map(\.rawValue), Ask.moderation),
                .json(of: AudienceSettingsBody.self),
            ], run: open),
        CommandDeclaration(
            "ask close", Ask.close, examples: [.init("ask close @", Ask.close)], positionals: [anySession],
            changesSession: true,
            options: [.json(of: AudienceSettingsBody.self)], run: close),
        CommandDeclaration(
            "ask answer", Ask.answer,
            examples: [.init("ask answer @ 7F3K --text \"Yes, next week.\"", Ask.answer)],
            positionals: [session, question], changesSession: true,
            options: [.value("text", "TEXT", Ask.text), note, .ifVersion, json], run: answer),
        CommandDeclaration(
            "ask pin", Ask.pin, examples: [.init("ask pin @ 7F3K", Ask.pin)],
            positionals: [session, question], changesSession: true,
            options: [.flag("off", Ask.unpin), note, .ifVersion, json],
            run: pin),
        CommandDeclaration(
            "ask hide", Ask.hide, examples: [.init("ask hide @ 7F3K", Ask.hide)],
            positionals: [session, question], changesSession: true, options: [note, .ifVersion, json],
            run: hide),
        CommandDeclaration(
            "ask show", Ask.show, examples: [.init("ask show @ 7F3K", Ask.show)],
            positionals: [session, question], changesSession: true, options: [note, .ifVersion, json],
            run: show),
        CommandDeclaration(
            "ask merge", Ask.merge, examples: [.init("ask merge @ 7F3K 02AB", Ask.mergeExample)],
            positionals: [session, question, .init("INTO", Ask.question)], changesSession: true,
            options: [note, json], run: merge),
        CommandDeclaration(
            "ask export", Ask.export, examples: [.init("ask export @ > questions.csv", Ask.export)],
            positionals: [anySession],
            options: [
                .oneOf("format", ["csv", "json"], Ask.format),
                .value("output", "FILE", CommandPhrases.Forms.output),
            ] + CommandDeclaration.Option.table, run: export),
        CommandDeclaration(
            "ask words", Ask.words,
            examples: [
                .init("ask words @", Ask.words), .init("ask words @ --word spam --word 바보", Ask.setWords),
            ],
            positionals: [anySession], changesSession: true,
            options: [
                .values("word", "WORD", Ask.word), .flag("none", Ask.noWords),
                .json(of: HeldWords.self),
            ], run: words),
        CommandDeclaration(
            "ask send", Ask.send, examples: [.init("ask send @ \"Will there be slides?\"", Ask.send)],
            positionals: [ownSession, .init("TEXT", Ask.sentText)], earlierOrder: ["TEXT", "SESSION"],
            options: [receipt, json], run: send),
        CommandDeclaration(
            "ask vote", Ask.vote, examples: [.init("ask vote @ 7F3K", Ask.vote)],
            positionals: [ownSession, question], earlierOrder: ["QUESTION", "SESSION"],
            options: [.flag("remove", Ask.unvote), receipt, .json(of: VoteBody.self)], run: vote),
    ]

    // MARK: Lists and files

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let status = call.arguments.value("status")
        guard call.arguments.has("follow") else {
            let found = try await calling { () async throws(APIError) in
                try await host.allAudienceQuestions(of: session.id, status: status)
            }
            print(found, call)
            return .success
        }
        let room = RoomClient(host, rooms: [.session(session.id)])
        var shown: [AudienceQuestionBody]?
        for await update in room.updates() {
            switch update {
            case .ended(let end): return try Watching.ended(end, at: call)
            case .refused(let problem): throw .api(.problem(problem))
            case .frame(let frame) where frame.audienceQuestions == nil: continue
            case .joined, .heard, .home, .reconnecting: continue
            case .snapshot, .frame: break
            }
            let found = try await calling { () async throws(APIError) in
                try await host.allAudienceQuestions(of: session.id, status: status)
            }
            guard found != shown else { continue }
            shown = found
            if call.console.outIsTerminal, !call.wantsJSON { call.console.out("\u{1B}[H\u{1B}[2J") }
            print(found, call)
            try call.checkOutput()
        }
        return .interrupted
    }

    private static func print(_ questions: [AudienceQuestionBody], _ call: Invocation) {
        if call.wantsJSON { return call.json(Page(items: questions, nextCursor: nil)) }
        if questions.isEmpty { return call.note(CommandPhrases.Messages.nothing) }
        var table = Table(
            [Ask.headID, Ask.headVotes, Ask.headStatus, Ask.headName, Ask.headText].map { call.text($0) },
            main: 4)
        for question in questions {
            let status = Phrase.Record.questionStatuses[question.status.rawValue].map { call.text($0) } ?? ""
            let pinned = question.pinned ? ", \(call.text(Ask.pinned))" : ""
            table.add([
                String(question.id.text.prefix(6)), String(question.votes), status + pinned,
                question.name ?? "", question.text,
            ])
        }
        call.out(table)
    }

    private static func export(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let format = call.arguments.value("format") ?? "csv"
        let file = try await calling { () async throws(APIError) in
            try await host.audienceFile(of: session.id, format: format, call.table)
        }
        try call.write(file, to: call.arguments.value("output") ?? "-")
        return .success
    }

    // MARK: Settings

    private static func open(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await edit(
            call,
            AudienceChange(
                open: true, promise: call.arguments.value("names").map { $0 == "yes" ? .named : .hidden },
                moderation: call.choice("moderate", of: AudienceSettings.Moderation.self)))
    }

    private static func close(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await edit(call, AudienceChange(open: false))
    }

    private static func edit(_ call: Invocation, _ change: AudienceChange) async throws(CommandFailure)
        -> ExitCode
    {
        let (host, session) = try await target(call)
        let settings = try await calling { () async throws(APIError) in
            try await host.editAudience(of: session.id, change, seen: .anything)
        }
        if call.wantsJSON {
            call.json(settings)
        } else {
            let promise = settings.promise == .named ? Ask.saidNamed : Ask.saidHidden
            call.out(settings.open ? promise : Ask.saidClosed)
        }
        return .success
    }

    private static func words(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let (given, clears, meeting) = (
            call.arguments.values("word"), call.arguments.has("none"), session.meetingId
        )
        if clears, !given.isEmpty { throw .usage(.together("--word", "--none")) }
        let list = try await calling { () async throws(APIError) in
            if given.isEmpty, !clears { return try await host.heldWords(of: meeting) }
            return try await host.setHeldWords(given, of: meeting, seen: .anything)
        }
        if call.wantsJSON {
            call.json(list)
        } else if list.words.isEmpty {
            call.note(CommandPhrases.Messages.nothing)
        } else {
            for word in list.words { call.out(TerminalEscaping.safe(word)) }
        }
        return .success
    }

    // MARK: One question

    private static func answer(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await moderate(
            call, QuestionChange(status: .answered, answer: call.arguments.value("text")), Ask.saidAnswered)
    }

    private static func pin(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let isOff = call.arguments.has("off")
        return try await moderate(
            call, QuestionChange(pinned: !isOff), isOff ? Ask.saidUnpinned : Ask.saidPinned)
    }

    private static func hide(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await moderate(call, QuestionChange(status: .hidden), Ask.saidHid)
    }

    private static func show(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await moderate(call, QuestionChange(status: .visible), Ask.saidShown)
    }

    private static func moderate(_ call: Invocation, _ change: QuestionChange, _ said: Phrase)
        async throws(CommandFailure) -> ExitCode
    {
        let (host, session) = try await target(call)
        let found = try await question("QUESTION", call, host, session.id)
        var change = change
        change.note = call.arguments.value("note")
        let (asked, seen) = (change, try call.seen(found.version))
        let changed = try await calling { () async throws(APIError) in
            try await host.moderate(found.id, in: session.id, asked, seen: seen)
        }
        return tell(changed, said, call)
    }

    private static func merge(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, session) = try await target(call)
        let merged = try await question("QUESTION", call, host, session.id)
        let root = try await question("INTO", call, host, session.id)
        let note = call.arguments.value("note")
        let united = try await calling { () async throws(APIError) in
            try await host.merge(merged.id, into: root.id, in: session.id, note: note)
        }
        return tell(united, Ask.saidMerged, call)
    }

    private static func tell(_ question: AudienceQuestionBody, _ said: Phrase, _ call: Invocation)
        -> ExitCode
    {
        if call.wantsJSON {
            call.json(question)
        } else {
            call.out(
                said, ["text": TerminalEscaping.safe(question.text), "count": String(question.votes)])
        }
        return .success
    }

    // MARK: As an attendee

    private static func send(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (client, id) = try await Responding.attendee(call)
        let text = call.arguments.positional("TEXT") ?? ""
        let settings = try await calling { () async throws(APIError) in
            try await client.audienceSettings(of: id)
        }
        call.note(settings.promise == .named ? Ask.promisesName : Ask.promisesNoName)
        let asked = try await calling { () async throws(APIError) in
            try await client.ask(text, in: id, promise: settings.promise)
        }
        return tell(asked, asked.status == .pending ? Ask.saidPending : Ask.saidSent, call)
    }

    private static func vote(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (client, id) = try await Responding.attendee(call)
        let found = try await question("QUESTION", call, client, id)
        let votes = !call.arguments.has("remove")
        let vote = try await calling { () async throws(APIError) in
            try await client.vote(for: found.id, in: id, votes: votes)
        }
        if call.wantsJSON {
            call.json(vote)
        } else {
            call.out(votes ? Ask.saidVoted : Ask.saidUnvoted, ["count": String(vote.votes)])
        }
        return .success
    }

    // MARK: Reading arguments

    private static func target(_ call: Invocation) async throws(CommandFailure) -> (APIClient, SessionBody) {
        let host = try call.host()
        return (host, try await Reference("SESSION", of: call, host).session())
    }

    /// Returns the question whose id begins with the written letters, or whose text is the written text.
    private static func question(
        _ positional: String, _ call: Invocation, _ client: APIClient, _ session: SessionID
    ) async throws(CommandFailure) -> AudienceQuestionBody {
        let written = call.arguments.positional(positional) ?? ""
        let all = try await calling { () async throws(APIError) in
            try await client.allAudienceQuestions(of: session)
        }
        let found = all.filter {
            IdentityKey($0.text) == IdentityKey(written)
                || written.utf8.count >= 4 && $0.id.text.hasPrefix(written.uppercased())
        }
        guard
            let question = try found.only(
                meantBy: written, { "\(TerminalEscaping.safe($0.text)) (\($0.id))" })
        else {
            throw .said(
                .notFound, Ask.noQuestion, ["text": TerminalEscaping.safe(written)], next: "qring ask @")
        }
        return question
    }
}

extension CommandPhrases {
    fileprivate enum Ask {
        static let question = Phrase("the question's text, or the first 4 or more letters of its id")
        static let list = Phrase("list questions from the audience, by votes")
        static let status = Phrase("only the questions with this status")
        static let follow = Phrase("print the list again whenever it changes")
        static let notes = Phrase("To undo a change of a question, use qring session undo.")
        static let open = Phrase("let attendees ask and vote")
        static let named = Phrase("with names, and each question checked first")
        static let close = Phrase("take no more questions and votes")
        static let names = Phrase("whether the hosts see who asked (default no)")
        static let moderation = Phrase("show a question after a host's check (before) or at once (after)")
        static let answer = Phrase("mark a question as answered")
        static let text = Phrase("the written answer")
        static let pin = Phrase("keep a question at the top")
        static let unpin = Phrase("unpin it")
        static let hide = Phrase("hide a question from the hall and attendees")
        static let show = Phrase("show a pending or hidden question")
        static let merge = Phrase("merge a question into another one")
        static let mergeExample = Phrase("the second question stays")
        static let export = Phrase("export the questions")
        static let format = Phrase("the file's format (default csv)")
        static let words = Phrase("show the held words: a text with one of them waits for a host")
        static let setWords = Phrase("replace the list")
        static let word = Phrase("a word of the new list; repeat it for several")
        static let noWords = Phrase("empty the list")
        static let send = Phrase("ask a question as an attendee")
        static let sentText = Phrase("the question, at most 500 characters")
        static let vote = Phrase("vote for a question as an attendee")
        static let unvote = Phrase("remove the vote")
        static let pinned = Phrase("pinned")
        static let headID = Phrase("ID")
        static let headVotes = Phrase("VOTES")
        static let headStatus = Phrase("STATUS")
        static let headName = Phrase("NAME")
        static let headText = Phrase("QUESTION")
        static let saidNamed = Phrase("Attendees can ask now. The hosts see their names.")
        static let saidHidden = Phrase("Attendees can ask now. Nobody sees their names.")
        static let saidClosed = Phrase("Attendees can no longer ask.")
        static let saidAnswered = Phrase("Marked as answered: {text}")
        static let saidPinned = Phrase("Pinned: {text}")
        static let saidUnpinned = Phrase("Unpinned: {text}")
        static let saidHid = Phrase("Hidden: {text}")
        static let saidShown = Phrase("Shown: {text}")
        static let saidMerged = Phrase("Merged. {count} {count|vote|votes}: {text}")
        static let promisesName = Phrase("The hosts see your name beside your question.")
        static let promisesNoName = Phrase("Nobody sees your name.")
        static let saidPending = Phrase("Your question was sent. A host checks it first: {text}")
        static let saidSent = Phrase("Your question was sent: {text}")
        static let saidVoted = Phrase("You voted. The question now has {count} {count|vote|votes}.")
        static let saidUnvoted = Phrase(
            "Your vote was removed. The question now has {count} {count|vote|votes}.")
        static let noQuestion = Phrase("no question has the text or the id \"{text}\".")
    }
}
