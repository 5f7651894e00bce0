internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The actions of keys. `Command` names the key of each command.
extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    mutating func take(_ key: Key) -> [DashboardAction] {
        if key == .redraw { return [] }
        if question != nil { return answerQuestion(key) }
        if palette != nil { return writePalette(key) }
        if commandPane != nil { return takeInPane(key) }
        if form != nil { return writeForm(key) }
        if isTyping { return type(key) }
        switch cover {
        case .texts: return takeInTexts(key)
        case .person: return takeInDetails(key)
        case .voice: return takeInVoice(key)
        case .code:
            if command(for: key) == .copy { return run(.copy) }
            // Every other key closes the code.
            cover = nil
            return []
        case nil: break
        }
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -pageStep)
        case .pageDown: move(by: pageStep)
        case .home, .character("g"): move(by: -.max / 2)
        case .end, .character("G"): move(by: .max / 2)
        case .escape: return escape()
        case .enter where session == nil, .right where session == nil: return openSelected()
        default:
            if let command = command(for: key) { return run(command) }
            guard case .character(let character) = key, let line = commands.keys[character] else { return [] }
            return run(line: line, hasPlaceholders: true)
        }
        return []
    }

    var pageStep: Int { max(1, size.rows / 2) }

    private mutating func openSelected() -> [DashboardAction] {
        guard let home, let body = home.sessions.first(where: { $0.id == home.selected }) else { return [] }
        return open(body)
    }

    /// Performs a command, which a key or the palette has chosen.
    mutating func run(_ command: Command) -> [DashboardAction] {
        switch command {
        case .quit: return [.quit]
        case .help: showsHelp.toggle()
        case .palette: openPalette(.everything)
        case .overview: pane = .overview
        case .attendees: pane = .attendees
        case .questions: pane = .questions
        case .audience: pane = .audience
        case .journal: pane = .journal
        case .nextPane: turnPane(by: 1)
        case .previousPane: turnPane(by: -1)
        case .search:
            pane = .attendees
            isTyping = true
        case .code: cover = .code
        case .hideCode: hidesCode.toggle()
        case .copy: return copySelected()
        case .home: return goHome()
        case .retry: return retry()
        case .ask: openForm(.poll)
        case .openPoll: openPalette(.polls)
        case .turnPoll: return turnPoll()
        case .share: return turnSharing()
        case .nextQuestion: turnQuestion(by: 1)
        case .previousQuestion: turnQuestion(by: -1)
        case .texts: return openTexts()
        case .show: return moderate(to: .visible)
        case .hide: return moderate(to: .hidden)
        case .answer: return moderate(to: .answered)
        case .pin: return turnPin()
        case .openVoice: openVoice()
        case .turnAudience: return turnAudience()
        case .filter: turnFilter()
        case .sort: turnOrder()
        case .pick: turnPick()
        case .pickAll: turnPickOfAll()
        case .present: return mark(.present)
        case .late: return mark(.late)
        case .absent: return mark(.absent)
        case .excused: return mark(.excused)
        case .correct: openCorrection()
        case .details: return openDetails()
        case .addAttendee:
            if let session { openForm(.addAttendee(session.body.identifyBy)) }
        case .extend: openForm(.end, prefilled: "+15m")
        case .changeEnd: openForm(.end)
        case .endNow: openForm(.end, prefilled: "now")
        case .undo: return revert(session?.marks.last, redoes: false)
        case .redo: return revert(session?.undone.last, redoes: true)
        }
        return []
    }

    /// Connects to the room again at once, if what the screen shows is stale.
    private mutating func retry() -> [DashboardAction] {
        if let session {
            guard session.connection.canRetry(at: now) else { return saySettled(session.connection) }
            self.session?.connection.retry(at: now)
            // A read of the journal ends with the room.
            self.session?.journal.isReading = false
            return [.watch(session.id)]
        }
        guard let home, home.connection.canRetry(at: now) else { return saySettled(home?.connection) }
        self.home?.connection.retry(at: now)
        return [.watchHome]
    }

    private mutating func saySettled(_ connection: Connection?) -> [DashboardAction] {
        let isLive = if case .live = connection?.state { true } else { false }
        say(isLive ? Messages.isLive : Messages.isConnecting)
        return []
    }

    /// Opens all texts that answer the selected question.
    private mutating func openTexts() -> [DashboardAction] {
        guard let session, let index = session.questionWithTexts() else {
            say(Messages.noTexts)
            return []
        }
        let question = session.tallies[index].questionId
        self.session?.question = index
        self.session?.texts = SessionState.OpenTexts(question: question)
        cover = .texts
        return [.readTexts(question)]
    }

    /// Takes a key while all texts are open. A key without a meaning there closes them.
    private mutating func takeInTexts(_ key: Key) -> [DashboardAction] {
        switch key {
        case .up, .character("k"): moveText(by: -1)
        case .down, .character("j"): moveText(by: 1)
        case .pageUp: moveText(by: -pageStep)
        case .pageDown, .character(" "): moveText(by: pageStep)
        case .home, .character("g"): moveText(by: -.max / 2)
        case .end, .character("G"): moveText(by: .max / 2)
        case .character("s"): return moderateOpenText(to: .visible)
        case .character("h"): return moderateOpenText(to: .hidden)
        case .character("u"): return run(.undo)
        case .character("U"): return run(.redo)
        case .character("y"): return run(.copy)
        default: cover = nil
        }
        return []
    }

    // MARK: Copying

    /// Copies the selected text or attendee, or else the check-in link of the session.
    private mutating func copySelected() -> [DashboardAction] {
        guard let text = copiedText.map(TerminalEscaping.safe), !text.isEmpty else {
            say(Messages.nothingToCopy)
            return []
        }
        say(hasClipboard ? CommandPhrases.Messages.copied : Phrase("{text}"), ["text": text])
        return hasClipboard ? [.copy(text)] : []
    }

    private var copiedText: String? {
        guard let session else { return home?.sessions.first { $0.id == home?.selected }?.checkInUrl }
        if cover == .texts, let open = session.texts {
            return open.texts.indices.contains(open.selected) ? open.texts[open.selected].text : nil
        }
        let selected: String? =
            switch pane {
            case _ where cover == .code: nil
            case .attendees:
                session.selected.flatMap { session.people[$0] }.map { $0.email ?? $0.number ?? $0.name }
            case .audience: chosenText(session)
            case .overview, .questions, .journal: nil
            }
        return selected ?? session.url
    }

    /// Selects another written answer. An answer that is longer than the screen scrolls by lines first.
    mutating func moveText(by step: Int) {
        guard cover == .texts, let texts = session?.texts, !texts.texts.isEmpty else { return }
        let last = texts.texts.count - 1
        let rows = TextsPage.Rows(texts, size, language)
        var (selected, line) = (texts.selected, min(texts.line, rows.lastLine(of: texts.selected)))
        if abs(step) > size.rows {
            selected = step < 0 ? 0 : last
            line = step < 0 ? 0 : rows.lastLine(of: last)
        } else {
            for _ in 0..<abs(step) {
                if step > 0, line < rows.lastLine(of: selected) {
                    line += 1
                } else if step < 0, line > 0 {
                    line -= 1
                } else if step > 0, selected < last {
                    (selected, line) = (selected + 1, 0)
                } else if step < 0, selected > 0 {
                    selected -= 1
                    line = rows.lastLine(of: selected)
                }
            }
        }
        session?.texts?.selected = selected
        session?.texts?.line = line
    }

    /// Goes back by one step: closes the help, clears the selection, or the search and the filter, or returns
    /// to the overview, or returns to the home view.
    private mutating func escape() -> [DashboardAction] {
        if showsHelp {
            showsHelp = false
            return []
        }
        guard let session else { return [] }
        if !session.picked.isEmpty {
            self.session?.picked = []
        } else if !session.people.query.isEmpty || session.people.filter != nil {
            self.session?.people.look(for: "", filter: nil)
        } else if pane != .overview {
            pane = .overview
        } else {
            return goHome()
        }
        return []
    }

    private mutating func type(_ key: Key) -> [DashboardAction] {
        guard let people = session?.people else {
            isTyping = false
            return []
        }
        var query = people.query
        switch key {
        case .enter, .tab: isTyping = false
        case .escape:
            isTyping = false
            query = ""
        case .backspace: if !query.isEmpty { query.removeLast() }
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .character(let character): query = String((query + String(character)).prefix(100))
        default: break
        }
        if query != people.query {
            session?.people.look(for: query, filter: people.filter)
            let first = session?.people.matches.first?.id
            session?.selected = first
        }
        return []
    }

    private mutating func turnPane(by step: Int) {
        let count = Pane.allCases.count
        pane = Pane(rawValue: (pane.rawValue + step + count) % count) ?? .overview
    }

    mutating func turnQuestion(by step: Int) {
        guard let session, !session.tallies.isEmpty else { return }
        let count = session.tallies.count
        self.session?.question = (session.question + step + count) % count
    }

    mutating func move(by step: Int) {
        guard let session else { return moveHome(by: step) }
        switch pane {
        case .audience: moveVoice(by: step)
        case .attendees: movePerson(by: step)
        case .journal:
            let last = max(0, session.journal.rows.count - 1)
            self.session?.journal.firstRow = min(
                max(0, session.journal.firstRow + max(-last, min(last, step))), last)
        case .overview, .questions: turnQuestion(by: step.signum())
        }
    }

    private mutating func moveHome(by step: Int) {
        guard let order = home?.order(at: now), !order.isEmpty else { return }
        let index = order.firstIndex { $0.id == home?.selected } ?? 0
        home?.selected =
            order[min(max(index + max(-order.count, min(order.count, step)), 0), order.count - 1)].id
    }

    // MARK: Undo and redo

    private mutating func revert(_ mark: SessionState.Mark?, redoes: Bool) -> [DashboardAction] {
        guard !isBusy, let session else { return [] }
        guard let mark else {
            say(redoes ? Messages.nothingToRedo : Messages.nothingToUndo)
            return []
        }
        isBusy = true
        say(Messages.marking, ["name": TerminalEscaping.safe(mark.name)])
        return [.revert(session.id, mark, redoes: redoes)]
    }
}

extension CommandPhrases.Dashboard {
    static let isConnecting = Phrase("Connecting. Wait a moment")
    static let isLive = Phrase("Already connected")
    static let noTexts = Phrase("No written answers yet")
    static let nothingToCopy = Phrase("The session has no link now")
    static let nothingToUndo = Phrase("Nothing to undo")
    static let nothingToRedo = Phrase("Nothing to redo")
    static let marking = Phrase("Saving {name}…")
}
