internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// A command of the dashboard. The keys, the footer, the help and the palette all read this list.
enum Command: CaseIterable, Hashable, Sendable {
    // Attendees
    case present, late, absent, excused, correct, details, pick, pickAll, filter, sort
    // What attendees write
    case show, hide, answer, pin, openVoice, turnAudience
    // Polls and questions
    case ask, openPoll, turnPoll, share, texts, nextQuestion, previousQuestion
    // The session
    case addAttendee, extend, changeEnd, endNow, undo, redo
    // The screen
    case overview, attendees, questions, audience, journal, nextPane, previousPane, search, palette, code,
        hideCode,
        copy
    case home, retry, help, quit

    /// Where a key works. A key of a narrower place prevails.
    enum Place: Int, Hashable, Sendable {
        /// The list of attendees, and the view of one attendee.
        case people
        /// The audience pane.
        case writings
        /// Every pane except the list of attendees.
        case otherPanes
        case session
        case everywhere
    }

    struct Declaration: Sendable {
        let keys: [(key: Key, place: Place)]
        /// The keys as the footer and the help show them; nil if another command's line names them.
        let label: String?
        /// One word for the footer.
        let word: Phrase
        /// The meaning for the help and the palette.
        let meaning: Phrase

        init(_ keys: String, _ place: Place, _ label: String?, _ word: Phrase, _ meaning: Phrase) {
            self.init(keys.map { (.character($0), place) }, label, word, meaning)
        }

        init(_ keys: [(Key, Place)], _ label: String?, _ word: Phrase, _ meaning: Phrase) {
            self.keys = keys.map { (key: $0.0, place: $0.1) }
            self.label = label
            self.word = word
            self.meaning = meaning
        }
    }

    var declaration: Declaration {
        guard let declaration = Self.declarations[self] else { preconditionFailure("\(self)") }
        return declaration
    }

    private typealias Messages = CommandPhrases.Dashboard

    private static let declarations: [Command: Declaration] = [
        .present: mark("p", .present, Messages.markPresent),
        .late: mark("l", .late, Messages.markLate),
        .absent: mark("a", .absent, Messages.markAbsent),
        .excused: mark("e", .excused, Messages.markExcused),
        .correct: .init("m", .people, "m", Messages.keyNote, Messages.helpNote),
        .details: .init([(.enter, .people)], "Enter", Messages.keyDetails, Messages.helpDetails),
        .pick: .init(" ", .people, "Space", Messages.keyPick, Messages.helpPick),
        .pickAll: .init("*", .people, "*", Messages.keyPickAll, Messages.helpPickAll),
        .filter: .init("f", .people, "f", Messages.keyFilter, Messages.helpFilter),
        .sort: .init("s", .people, "s", Messages.keySort, Messages.helpSort),
        .show: .init("s", .writings, "s", Messages.keyShow, Messages.helpShow),
        .hide: .init("h", .writings, "h", Messages.keyHide, Messages.helpHide),
        .answer: .init("a", .writings, "a", Messages.keyAnswered, Messages.helpAnswered),
        .pin: .init("p", .writings, "p", Messages.keyPin, Messages.helpPin),
        .openVoice: .init([(.enter, .writings)], "Enter", Messages.keyDetails, Messages.helpOpenVoice),
        // A file of the host cannot use this key, because the list of attendees has it, too.
        .turnAudience: .init("m", .writings, "m", Messages.keyClose, Messages.helpTurnAudience),
        .ask: .init("o", .session, "o", Messages.keyAsk, Messages.helpAsk),
        .openPoll: .init("O", .session, "O", Messages.keyOpenPoll, Messages.helpOpenPoll),
        .turnPoll: .init("x", .session, "x", Messages.keyClose, Messages.helpTurnPoll),
        .share: .init("r", .session, "r", Messages.keyShare, Messages.helpShare),
        .texts: .init([(.enter, .otherPanes)], "Enter", Messages.keyTexts, Messages.helpTexts),
        .nextQuestion: .init(
            [(.character("n"), .session), (.right, .session), (.character("]"), .session)], "n b",
            Messages.keyQuestion, Messages.helpQuestion),
        .previousQuestion: .init(
            [
                (.character("b"), .session), (.left, .session), (.character("["), .session),
                (.character("N"), .session), (.character("p"), .otherPanes),
            ], nil, Messages.keyQuestion, Messages.helpPreviousQuestion),
        .addAttendee: .init("w", .session, "w", Messages.keyAdd, Messages.helpAdd),
        .extend: .init("+", .session, "+", Messages.keyExtend, Messages.helpExtend),
        .changeEnd: .init("t", .session, "t", Messages.keyEnd, Messages.helpEnd),
        .endNow: .init("", .session, nil, Messages.keyEnd, Messages.helpEndNow),
        .undo: .init("u", .session, "u", Messages.keyUndo, Messages.helpUndo),
        .redo: .init("U", .session, "U", Messages.keyRedo, Messages.helpRedo),
        .overview: .init("1", .session, "1-5", Messages.keyPanes, Messages.helpOverview),
        .attendees: .init("2", .session, nil, Messages.keyPanes, Messages.helpAttendees),
        .questions: .init("3", .session, nil, Messages.keyPanes, Messages.helpQuestions),
        .audience: .init("4", .session, nil, Messages.keyPanes, Messages.helpAudience),
        .journal: .init("5", .session, nil, Messages.keyPanes, Messages.helpJournal),
        .nextPane: .init([(.tab, .session)], "Tab", Messages.keyPanes, Messages.helpNextPane),
        .previousPane: .init([(.backTab, .session)], nil, Messages.keyPanes, Messages.helpPreviousPane),
        .search: .init("/", .session, "/", Messages.keySearch, Messages.helpSearch),
        .palette: .init(":", .everywhere, ":", Messages.keyPalette, Messages.helpPalette),
        .code: .init("c", .session, "c", Messages.keyCode, Messages.helpCode),
        .hideCode: .init("C", .session, nil, Messages.keyCode, Messages.helpHideCode),
        .copy: .init("y", .everywhere, "y", Messages.keyCopy, Messages.helpCopy),
        .home: .init(
            [(.character("h"), .session), (.backspace, .session)], "h", Messages.keyHome, Messages.helpHome),
        .retry: .init("R", .everywhere, "R", Messages.keyRetry, Messages.helpRetry),
        .help: .init("?", .everywhere, "?", Messages.keyHelp, Messages.helpHelp),
        .quit: .init("q", .everywhere, "q", Messages.keyQuit, Messages.helpQuit),
    ]

    /// The small letter works in the list of attendees. The capital letter works everywhere, so that a host
    /// who presses it elsewhere learns where the attendees are.
    private static func mark(_ key: Character, _ status: AttendanceStatus, _ meaning: Phrase) -> Declaration {
        let capital = Character(key.uppercased())
        return .init(
            [(.character(key), .people), (.character(capital), .session)], String(key), status.phrase, meaning
        )
    }
}

/// The keys that a host cannot give another meaning, because they work in some view.
package enum DashboardKeys {
    package static let taken: Set<Character> = {
        var keys: Set<Character> = ["j", "k", "g", "G"]
        for command in Command.allCases {
            for case .character(let key) in command.declaration.keys.map(\.key) { keys.insert(key) }
        }
        return keys
    }()
}

extension Dashboard {
    /// Returns the places whose keys work now, the narrowest first.
    var places: [Command.Place] {
        guard session != nil else { return [.everywhere] }
        return switch pane {
        case .attendees: [.people, .session, .everywhere]
        case .audience: [.writings, .otherPanes, .session, .everywhere]
        case .overview, .questions, .journal: [.otherPanes, .session, .everywhere]
        }
    }

    /// Returns the command of a key; nil if the key has no meaning here.
    func command(for key: Key) -> Command? {
        for place in places {
            let found = Command.allCases.first { command in
                command.declaration.keys.contains { $0.key == key && $0.place == place }
            }
            if let found { return found }
        }
        return nil
    }

    /// Returns the commands that the help lists now: first the commands of the pane, then the commands of the
    /// session, then the others.
    var helpedCommands: [Command] {
        let places = places
        // The first key is the one that the label names.
        func rank(_ command: Command) -> Int? {
            command.declaration.keys.first.flatMap { places.firstIndex(of: $0.place) }
        }
        // While the connection is live, there is nothing to retry.
        let connection = session?.connection ?? home?.connection
        let isStale = connection?.staleness(at: now) != nil
        let ranked = Command.allCases.compactMap { command in
            let isUseful = command != .retry || isStale
            return isUseful && command.declaration.label != nil ? rank(command).map { (command, $0) } : nil
        }
        return places.indices.flatMap { index in ranked.filter { $0.1 == index }.map(\.0) }
    }

    /// Returns the commands that the palette offers: all that have an effect here, with or without a key.
    var offeredCommands: [Command] {
        guard session == nil else {
            return Command.allCases.filter {
                ![.show, .hide, .answer, .pin, .openVoice, .turnAudience, .palette].contains($0)
            }
                + (pane == .audience ? [.show, .hide, .answer, .pin, .openVoice, .turnAudience] : [])
        }
        return [.retry, .copy, .help, .quit]
    }
}

extension CommandPhrases.Dashboard {
    static let keyHelp = Phrase("help")
    static let keyRetry = Phrase("retry now")
    static let keyQuit = Phrase("quit")
    static let keyPanes = Phrase("panes")
    static let keySearch = Phrase("search")
    static let keyPalette = Phrase("all commands")
    static let keyHome = Phrase("sessions")
    static let keyCode = Phrase("code")
    static let keyQuestion = Phrase("question")
    static let keyTexts = Phrase("answers", context: "command")
    static let keyUndo = Phrase("undo")
    static let keyRedo = Phrase("redo")
    static let keyFilter = Phrase("filter")
    static let keySort = Phrase("sort")
    static let keyPick = Phrase("select")
    static let keyPickAll = Phrase("all")
    static let keyNote = Phrase("note")
    static let keyDetails = Phrase("details")
    static let keyAdd = Phrase("walk-in", context: "command")
    static let keyExtend = Phrase("extend")
    static let keyEnd = Phrase("end", context: "command")
    static let keyAsk = Phrase("ask")
    static let keyOpenPoll = Phrase("open poll")
    static let keyClose = Phrase("close")
    static let keyShare = Phrase("share")
    static let keyCopy = Phrase("copy")
    static let keyShow = Phrase("show")
    static let keyHide = Phrase("hide")
    static let keyAnswered = Phrase("answered")
    static let keyPin = Phrase("pin")

    static let markPresent = Phrase("mark as present")
    static let markLate = Phrase("mark as late")
    static let markAbsent = Phrase("mark as absent")
    static let markExcused = Phrase("mark as excused")
    static let helpNote = Phrase("status with a note or reason")
    static let helpDetails = Phrase("details and history")
    static let helpPick = Phrase("select several attendees")
    static let helpPickAll = Phrase("select all shown, or none")
    static let helpFilter = Phrase("filter attendees by status")
    static let helpSort = Phrase("sort by name, arrival, status")
    static let helpShow = Phrase("show the question or text")
    static let helpHide = Phrase("hide the question or text")
    static let helpAnswered = Phrase("mark the question as answered")
    static let helpPin = Phrase("pin the question")
    static let helpOpenVoice = Phrase("the whole text, with its history")
    static let helpTurnAudience = Phrase("open or close questions")
    static let helpAsk = Phrase("ask a poll now")
    static let helpOpenPoll = Phrase("open a prepared poll")
    static let helpTurnPoll = Phrase("close or reopen the poll")
    static let helpShare = Phrase("share (reveal) or hide results")
    static let helpTexts = Phrase("all written answers")
    static let helpQuestion = Phrase("next, previous question")
    static let helpPreviousQuestion = Phrase("previous question")
    static let helpAdd = Phrase("add a walk-in")
    static let helpExtend = Phrase("extend by 15 minutes")
    static let helpEnd = Phrase("change the end")
    static let helpEndNow = Phrase("end the session now")
    static let helpUndo = Phrase("undo the last change")
    static let helpRedo = Phrase("redo what was undone")
    static let helpOverview = Phrase("overview, people, … journal")
    static let helpAttendees = Phrase("the attendees")
    static let helpQuestions = Phrase("the questions")
    static let helpAudience = Phrase("the audience's questions and texts")
    static let helpJournal = Phrase("the journal")
    static let helpNextPane = Phrase("next pane")
    static let helpPreviousPane = Phrase("previous pane")
    static let helpSearch = Phrase("search the attendees")
    static let helpPalette = Phrase("find any command, person, poll")
    static let helpCode = Phrase("full-screen code (C hides it)")
    static let helpHideCode = Phrase("show or hide the code here")
    static let helpCopy = Phrase("copy the link or selection")
    static let helpHome = Phrase("all sessions")
    static let helpHelp = Phrase("show or hide this help")
    static let helpRetry = Phrase("connect again now")
    static let helpQuit = Phrase("quit")
}
