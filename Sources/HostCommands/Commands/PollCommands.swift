internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The commands for polls. A poll is a question set that the host opens by hand.
package enum PollCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Polls = CommandPhrases.Polls
    private static let session = CommandDeclaration.Positional("SESSION", Help.session)
    private static let poll = CommandDeclaration.Positional("POLL", Polls.poll, required: false)

    package static let all = [
        CommandDeclaration(
            "poll", Polls.ask,
            examples: [
                .init("poll @ \"Shall we take a break?\" --choice Yes --choice No --open", Polls.askExample),
                .init("poll @ \"What did you learn?\" --kind shortAnswer", Polls.prepareExample),
                .init("poll @ --again poll-1 --open --follow", Polls.again),
            ],
            positionals: [session, .init("QUESTION", Polls.question, required: false)], changesSession: true,
            options: [
                .values("choice", "TEXT", Polls.choice), .oneOf("kind", kinds, Polls.kind),
                .value("most", "N", Polls.most), .value("scale", "N", Polls.scale),
                .flag("hidden", Polls.hidden), .flag("named", Polls.named),
                .flag("anonymous", Polls.anonymous), .value("again", "POLL", Polls.again),
                .flag("open", Polls.open), .flag("share", Polls.share), .flag("follow", Polls.follow),
                .json(of: QuestionSetBody.self),
            ], needs: [.one(of: "QUESTION", "again")], notes: Polls.notes, run: ask),
        CommandDeclaration(
            "poll list", Polls.list, examples: [.init("poll list @", Polls.list)],
            positionals: [.init("SESSION", Help.session, required: false)],
            options: [.json(of: QuestionSetSummary.self)], run: list),
        CommandDeclaration(
            "poll open", Polls.openPoll,
            examples: [.init("poll open @", Polls.openPoll), .init("poll open @ poll-2", Polls.openPoll)],
            positionals: [.init("SESSION", Help.session, required: false), poll], changesSession: true,
            options: [.flag("share", Polls.share), .json(of: QuestionSetBody.self)],
            run: { call throws(CommandFailure) in
                try await change(call, to: SetChange(open: true, shared: call.flag("share")))
            }),
        CommandDeclaration(
            "poll close", Polls.close,
            examples: [.init("poll close @", Polls.close), .init("poll close @ --share", Polls.closeShare)],
            positionals: [.init("SESSION", Help.session, required: false), poll], changesSession: true,
            options: [.flag("share", Polls.share), .json(of: QuestionSetBody.self)],
            run: { call throws(CommandFailure) in
                try await change(call, to: SetChange(open: false, shared: call.flag("share")))
            }),
        CommandDeclaration(
            "poll share", Polls.sharePoll,
            examples: [.init("poll share @", Polls.sharePoll), .init("poll share @ --undo", Polls.unshare)],
            positionals: [.init("SESSION", Help.session, required: false), poll], changesSession: true,
            options: [.flag("undo", Polls.unshare), .json(of: QuestionSetBody.self)], run: share),
        CommandDeclaration(
            "poll reveal", Polls.reveal, examples: [.init("poll reveal @", Polls.reveal)],
            positionals: [.init("SESSION", Help.session, required: false), poll], changesSession: true,
            options: [.flag("undo", Polls.unshare), .json(of: QuestionSetBody.self)], run: share),
        CommandDeclaration(
            "poll delete", Polls.delete,
            examples: [
                .init("poll delete @ poll-2", Polls.delete),
                .init("poll delete @ poll-2 --confirm poll-2 --yes", Polls.confirm),
            ],
            positionals: [session, .init("POLL", Polls.poll)], changesSession: true,
            options: [.value("confirm", "NAME", Polls.confirm), .yes], run: delete),
    ]

    /// The kinds of questions that `--kind` accepts.
    private static var kinds: [String] { Question.KindName.allCases.map(\.rawValue) }

    // MARK: Asking

    private static func ask(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let poll = try newPoll(call)
        let session = try await Reference("SESSION", of: call, host).session()
        let set = try await calling { () async throws(APIError) in
            try await host.createPoll(in: session.id, poll)
        }
        if call.wantsJSON {
            call.json(set)
        } else {
            call.note(
                set.open ? Polls.isOpen : Polls.isPrepared,
                ["name": heading(set, call), "set": set.set, "session": Following.quoted(session.id.text)])
            call.note(Responding.notice(of: set.promise))
        }
        guard call.arguments.has("follow") else { return .success }
        return try await FollowingResults.run(call, host, session, set: set.set)
    }

    /// Reads the poll from the options.
    private static func newPoll(_ call: Invocation) throws(CommandFailure) -> NewPoll {
        let arguments = call.arguments
        let promises = AnswerPromise.allCases.filter { arguments.has($0.rawValue) }
        guard promises.count < 2 else {
            throw .usage(.together("--\(promises[0].rawValue)", "--\(promises[1].rawValue)"))
        }
        var poll = NewPoll(
            promise: promises.first, open: arguments.has("open") || arguments.has("follow"),
            shared: arguments.has("share"))
        let question = arguments.positional("QUESTION")
        if let again = arguments.value("again") {
            guard question == nil else { throw .usage(.together("--again", "QUESTION")) }
            poll.copyOf = again
            return poll
        }
        poll.questions = [try draft(question ?? "", call)]
        return poll
    }

    private static func draft(_ title: String, _ call: Invocation) throws(CommandFailure) -> QuestionDraft {
        let choices = call.arguments.values("choice")
        let kind =
            call.choice("kind", of: Question.KindName.self)
            ?? (choices.isEmpty ? .shortAnswer : .multipleChoice)
        var draft = QuestionDraft(kind, title)
        if kind.takesChoices {
            guard choices.count >= 2 else { throw .failed(Polls.twoChoices) }
            draft.choices = choices.map { QuestionDraft.Choice($0) }
            let most = try call.integer("most", 1...50)
            if kind == .ranking { draft.most = most } else { draft.maxSelections = most }
        } else if !choices.isEmpty {
            throw .usage(.together("--choice", "--kind \(kind.rawValue)"))
        }
        draft.scale = try call.integer("scale", 2...10)
        return draft
    }

    // MARK: The polls of a session

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id) = try await target(call)
        let polls = try await polls(of: id, host)
        if call.wantsJSON {
            call.json(Page(items: polls, nextCursor: nil))
            return .success
        }
        if polls.isEmpty { call.note(CommandPhrases.Messages.nothing) }
        var table = Table(
            [
                CommandPhrases.Forms.headSet, Polls.headQuestion, CommandPhrases.Messages.headResponses,
                CommandPhrases.Forms.headOpen, CommandPhrases.Forms.headShared,
                CommandPhrases.Forms.headPromise,
            ].map { call.text($0) }, main: 1)
        func mark(_ isSo: Bool) -> String { isSo ? call.text(Phrase.Export.yes) : "" }
        for poll in polls {
            table.add([
                poll.set, heading(poll, call), String(poll.responses), mark(poll.open), mark(poll.shared),
                poll.promise.map { call.text($0.word) } ?? "",
            ])
        }
        if !polls.isEmpty { call.out(table) }
        return .success
    }

    private static func target(_ call: Invocation) async throws(CommandFailure) -> (APIClient, SessionID) {
        let host = try call.host()
        return (host, try await Reference("SESSION", of: call, host).session().id)
    }

    private static func polls(
        of id: SessionID, _ host: APIClient
    ) async throws(CommandFailure) -> [QuestionSetSummary] {
        let sets = try await calling { () async throws(APIError) in try await host.sets(of: id) }
        return sets.filter { QuestionSet(name: $0.set).pollNumber != nil }
    }

    /// Returns the poll that the command names. Without a name, returns the open poll if there is exactly
    /// one, or else the newest poll.
    private static func chosen(
        _ call: Invocation, of id: SessionID, _ host: APIClient
    ) async throws(CommandFailure) -> QuestionSetSummary {
        let all = try await polls(of: id, host)
        if let name = call.arguments.positional("POLL") {
            // People write the number alone, too.
            let names = [name, Int(name).map(QuestionSet.pollName)]
            if let found = all.first(where: { names.contains($0.set) }) { return found }
            let sets = try await calling { () async throws(APIError) in try await host.sets(of: id) }
            let isSet = name == QuestionSet.feedback || sets.contains { $0.set == name }
            throw .said(
                .notFound, isSet ? Polls.notAPoll : Polls.noSuchPoll,
                ["name": TerminalEscaping.safe(name)],
                next: isSet
                    ? "qring question edit \(Following.quoted(id.text)) --set \(name) --open yes|no"
                    : "qring poll list")
        }
        let open = all.filter(\.open)
        guard open.count < 2 else {
            throw .said(
                .conflict, Polls.severalOpen, ["names": open.map(\.set).joined(separator: ", ")],
                next: "qring poll list")
        }
        guard let poll = open.first ?? all.last else {
            throw .said(.notFound, Polls.noPolls, [:], next: "qring poll @ \"…\" --open")
        }
        return poll
    }

    // MARK: Changing a poll

    private static func share(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        try await change(call, to: SetChange(shared: !call.arguments.has("undo")))
    }

    private static func change(
        _ call: Invocation, to change: SetChange
    ) async throws(CommandFailure) -> ExitCode {
        let (host, id) = try await target(call)
        let poll = try await chosen(call, of: id, host)
        let set = try await calling { () async throws(APIError) in
            try await host.editSet(poll.set, of: id, change, seen: .anything)
        }
        if call.wantsJSON {
            call.json(set)
        } else {
            let state: Phrase =
                switch (set.open, set.shared) {
                case (true, true): Polls.openAndShared
                case (true, false): Polls.openOnly
                case (false, true): Polls.closedAndShared
                case (false, false): Polls.closedOnly
                }
            call.note(state, ["name": heading(poll, call), "count": String(set.responses)])
        }
        return .success
    }

    private static func delete(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id) = try await target(call)
        let poll = try await chosen(call, of: id, host)
        try await Deletion.confirmed(
            call, heading(poll, call), data: Deletion.ofPoll, name: poll.set,
            again: "poll delete \(Following.quoted(id.text)) \(poll.set)", Polls.confirmDelete
        ) { (confirmation) async throws(APIError) in
            try await host.deleteSet(poll.set, of: id, confirmation: confirmation)
        }
        return .success
    }

    // MARK: Texts

    private static func heading(_ set: QuestionSetBody, _ call: Invocation) -> String {
        let question = set.questions.first.map { QuestionText.text($0.title, call) }
        return set.title.map { TerminalEscaping.safe($0) } ?? question ?? Self.heading(named: set.set, call)
    }

    static func heading(_ set: QuestionSetSummary, _ call: Invocation) -> String {
        let language = call.language.rawValue
        let text = set.headings?.text(in: language) ?? set.heading
        return text.map { TerminalEscaping.safe($0) } ?? heading(named: set.set, call)
    }

    /// Returns the text for a poll without questions, such as "Poll 3".
    private static func heading(named name: String, _ call: Invocation) -> String {
        guard let number = QuestionSet(name: name).pollNumber else { return name }
        return call.text(Phrase.Page.pollNumber, ["number": String(number)])
    }
}

extension Invocation {
    /// True if the option is given; nil otherwise.
    fileprivate func flag(_ name: String) -> Bool? { arguments.has(name) ? true : nil }
}

extension AnswerPromise {
    /// The promise as one word.
    var word: Phrase {
        switch self {
        case .anonymous: Phrase("anonymous")
        case .hidden: Phrase("name hidden")
        case .named: Phrase("with names")
        }
    }
}

extension CommandPhrases {
    /// The texts of the commands for polls.
    enum Polls {
        static let ask = Phrase("ask a question now, or prepare it")
        static let askExample = Phrase("asks everybody at once, on phones and on the hall's screen")
        static let prepareExample = Phrase("prepares the question; open it later")
        static let question = Phrase("the question, unless --again is given")
        static let poll = Phrase("the poll's name or number; without it, the open poll, or else the newest")
        static let choice = Phrase("a choice; give at least two")
        static let kind = Phrase(
            "the kind of question (default: multipleChoice with --choice, otherwise shortAnswer)")
        static let most = Phrase("the most choices of one person (default: 1)")
        static let scale = Phrase("the number of stars or points")
        static let hidden = Phrase("show nobody who gave an answer (default); answers can change")
        static let named = Phrase("show the host who gave each answer")
        static let anonymous = Phrase("store answers without names; results move in groups of three")
        static let again = Phrase("ask the questions of this poll again")
        static let open = Phrase("open the poll at once")
        static let share = Phrase("show everybody the results")
        static let follow = Phrase("open the poll, and print the results whenever they change")
        static let notes = Phrase(
            "A poll stays open until you close it with qring poll close. Opening a poll closes no other "
                + "poll.")
        static let list = Phrase("list the polls of a session")
        static let openPoll = Phrase("open a poll")
        static let close = Phrase("close a poll")
        static let closeShare = Phrase("closes the poll and shows everybody its results")
        static let sharePoll = Phrase("show everybody the results of a poll")
        static let reveal = Phrase("show everybody the answers to a poll that is open")
        static let unshare = Phrase("hide the results again")
        static let delete = Phrase("delete a poll with its answers")
        static let confirm = Phrase("the poll's name, if it has answers")
        static let headQuestion = Phrase("QUESTION")

        static let isOpen = Phrase("{name} is open as {set}.")
        static let isPrepared = Phrase(
            "{name} is prepared as {set}. Open it with: qring poll open {session} {set}")
        static let openAndShared = Phrase("{name}: open, results shared ({count} {count|answer|answers}).")
        static let openOnly = Phrase("{name}: open, results not shared ({count} {count|answer|answers}).")
        static let closedAndShared = Phrase(
            "{name}: closed, results shared ({count} {count|answer|answers}).")
        static let closedOnly = Phrase("{name}: closed, results not shared ({count} {count|answer|answers}).")
        static let twoChoices = Phrase("a question with choices needs at least two: --choice A --choice B")
        static let noSuchPoll = Phrase("there is no poll {name}.")
        static let notAPoll = Phrase(
            "{name} is a form of the session, not a poll. These commands change polls only.")
        static let noPolls = Phrase("this session has no polls yet.")
        static let severalOpen = Phrase("several polls are open. Name one of them: {names}")
        static let confirmDelete = Phrase(
            "{name} has answers, which are deleted too. To confirm, enter the poll's name: {name}")
    }
}
