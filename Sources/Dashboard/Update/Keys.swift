internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The actions of keys. `HelpPage` describes the same keys to users.
extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    mutating func take(_ key: Key) -> [DashboardAction] {
        if key == .redraw { return [] }
        if isTyping { return type(key) }
        if poll != nil { return writePoll(key) }
        if cover != nil {
            // Every key closes the view that covers the screen.
            cover = nil
            return []
        }
        switch key {
        case .character("q"): return [.quit]
        case .character("?"): cover = .help
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -pageStep)
        case .pageDown: move(by: pageStep)
        case .home, .character("g"): move(by: -.max / 2)
        case .end, .character("G"): move(by: .max / 2)
        default: return session == nil ? takeHome(key) : takeSession(key)
        }
        return []
    }

    private var pageStep: Int { max(1, size.rows / 2) }

    private mutating func takeHome(_ key: Key) -> [DashboardAction] {
        guard key == .enter || key == .right, let home,
            let body = home.sessions.first(where: { $0.id == home.selected })
        else { return [] }
        return open(body)
    }

    private mutating func takeSession(_ key: Key) -> [DashboardAction] {
        switch key {
        case .character("1"): pane = .overview
        case .character("2"): pane = .attendees
        case .character("3"): pane = .questions
        case .character("4"): pane = .audience
        case .character("o"): (poll, notice) = (PollForm(), nil)
        case .character("x"): return turnPoll()
        case .character("r"): return turnSharing()
        case .character("s") where pane == .audience: return moderate(to: .visible)
        case .character("h") where pane == .audience: return moderate(to: .hidden)
        case .character("a") where pane == .audience: return moderate(to: .answered)
        case .character("p") where pane == .audience: return turnPin()
        case .tab: turnPane(by: 1)
        case .backTab: turnPane(by: -1)
        case .character("/"):
            pane = .attendees
            isTyping = true
        case .character("c"): cover = .code
        case .character("n"), .right, .character("]"): turnQuestion(by: 1)
        case .character("N"), .character("b"), .left, .character("["): turnQuestion(by: -1)
        case .character("u"): return undo()
        case .character("h"), .backspace: return goHome()
        case .escape: return escape()
        case .character("f") where pane == .attendees: turnFilter()
        case .character("p") where pane == .attendees, .character("P"): return mark(.present)
        case .character("l") where pane == .attendees, .character("L"): return mark(.late)
        case .character("a") where pane == .attendees, .character("A"): return mark(.absent)
        case .character("e") where pane == .attendees, .character("E"): return mark(.excused)
        case .character("p"): turnQuestion(by: -1)
        default: break
        }
        return []
    }

    /// Goes back by one step: clears the search and the filter, or returns to the overview, or returns to the
    /// home view.
    private mutating func escape() -> [DashboardAction] {
        guard let people = session?.people else { return [] }
        if !people.query.isEmpty || people.filter != nil {
            session?.people.look(for: "", filter: nil)
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

    private mutating func turnFilter() {
        guard let people = session?.people else { return }
        let all: [AttendanceStatus?] = [nil, .awaited, .present, .late, .absent, .excused]
        let index = all.firstIndex(of: people.filter) ?? 0
        session?.people.look(for: people.query, filter: all[(index + 1) % all.count])
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
        if pane == .audience { return moveVoice(by: step) }
        guard pane == .attendees else { return turnQuestion(by: step.signum()) }
        let people = session.people.matches
        guard !people.isEmpty else { return }
        let index = people.firstIndex { $0.id == session.selected }
        let next =
            index.map { min(max($0 + max(-people.count, min(people.count, step)), 0), people.count - 1) }
            ?? (step > 0 ? 0 : people.count - 1)
        self.session?.selected = people[next].id
    }

    private mutating func moveHome(by step: Int) {
        guard let order = home?.order(at: now), !order.isEmpty else { return }
        let index = order.firstIndex { $0.id == home?.selected } ?? 0
        home?.selected =
            order[min(max(index + max(-order.count, min(order.count, step)), 0), order.count - 1)].id
    }

    // MARK: Corrections

    private mutating func mark(_ status: AttendanceStatus) -> [DashboardAction] {
        guard !isBusy, let session else { return [] }
        // Correct only an attendee who is visible on the screen.
        guard pane == .attendees, let id = session.selected,
            let person = session.people.matches.first(where: { $0.id == id })
        else {
            say(Messages.nobodyChosen)
            return []
        }
        let name = TerminalEscaping.safe(person.name)
        guard person.status != status else {
            say(Messages.alreadySo, ["name": name, "status": statusKey(status)])
            return []
        }
        isBusy = true
        say(Messages.marking, ["name": name])
        // Send the version that is on the screen, so that the server rejects the correction if somebody else
        // has changed the attendee.
        return [.mark(session.id, id, status, version: person.version ?? 0, after: session.sequence)]
    }

    private mutating func undo() -> [DashboardAction] {
        guard !isBusy, let session else { return [] }
        guard let mark = session.marks.last else {
            say(Messages.nothingToUndo)
            return []
        }
        isBusy = true
        say(Messages.marking, ["name": TerminalEscaping.safe(mark.name)])
        return [.undo(session.id, mark.sequence, mark.attendee)]
    }
}

extension CommandPhrases.Dashboard {
    static let nothingToUndo = Phrase("Nothing to undo", "되돌릴 것이 없습니다")
    static let alreadySo = Phrase("{name} is already {status}", "{name}: 이미 {status}")
    static let nobodyChosen = Phrase(
        "No attendee is selected. Press 2 for the attendees",
        "선택한 참석자가 없습니다. 2를 눌러 참석자를 보세요")
    static let marking = Phrase("Saving {name}…", "{name} 저장 중…")
}
