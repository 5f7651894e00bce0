internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    mutating func take(_ event: DashboardEvent) -> [DashboardAction] {
        switch event {
        case .tick(let instant):
            now = instant + ahead
            if let notice, notice.until <= now { self.notice = nil }
            return []
        case .screen(let event): return take(event)
        case .pressed(let target): return press(target)
        case .home(let update): return take(home: update)
        case .room(let id, let update): return id == session?.id ? take(room: update) : []
        case .opened(let body): return open(body)
        case .people(let id, let page, let isLast):
            if id == session?.id { session?.people.read(page, isLast: isLast) }
            return []
        case .marked(let id, let person, let sequence):
            isBusy = false
            guard id == session?.id else { return [] }
            session?.people.put(person)
            if let sequence {
                session?.marks.append(
                    SessionState.Mark(attendee: person.id, name: person.name, sequence: sequence))
            }
            sayStatus(Messages.marked, person)
            return []
        case .undone(let id, let sequence, let person):
            isBusy = false
            guard id == session?.id else { return [] }
            session?.marks.removeAll { $0.sequence == sequence }
            guard let person else {
                say(Messages.undoneBare)
                return []
            }
            session?.people.put(person)
            sayStatus(Messages.undone, person)
            return []
        case .moderated(let id, let moderation, let sequence):
            isBusy = false
            guard id == session?.id else { return [] }
            if let sequence {
                session?.marks.append(
                    SessionState.Mark(attendee: nil, name: moderation.text, sequence: sequence))
            }
            say(moderation.said, ["text": TerminalEscaping.safe(moderation.text)])
            return []
        case .asked(let id, let set):
            isBusy = false
            guard id == session?.id else { return [] }
            poll = nil
            pane = .questions
            session?.showSoon(set)
            say(Messages.asked)
            return []
        case .changedSet(let id, let change):
            isBusy = false
            guard id == session?.id else { return [] }
            say(change.said, ["name": TerminalEscaping.safe(change.heading)])
            return []
        case .failed(let text):
            isBusy = false
            say(Phrase("{text}", "{text}"), ["text": text], trouble: true)
            return []
        }
    }

    /// Returns a placeholder for the status. The layout replaces it with a word in the user's language.
    func statusKey(_ status: AttendanceStatus) -> String { "\u{1}\(status.rawValue)" }

    private mutating func sayStatus(_ phrase: Phrase, _ person: AttendeeBody) {
        say(phrase, ["name": TerminalEscaping.safe(person.name), "status": statusKey(person.status)])
    }

    private mutating func take(_ event: ScreenEvent) -> [DashboardAction] {
        switch event {
        case .key(let key): return take(key)
        case .resized(let size):
            self.size = size
            return []
        case .scrolled(let up, _, _):
            // Do not scroll a list that is covered.
            if cover == nil { move(by: up ? -3 : 3) }
            return []
        // The layout has found no target at this position. A click still closes a view that covers the
        // screen.
        case .pressed:
            cover = nil
            return []
        case .ended: return [.quit]
        }
    }

    private mutating func learnClock(_ joined: Joined) {
        let machine = now - ahead
        ahead = joined.now.since(machine)
        now = joined.now
    }

    private mutating func take(home update: RoomUpdate) -> [DashboardAction] {
        if case .joined(let joined) = update { learnClock(joined) }
        home?.take(update, now: now)
        if case .ended(let end) = update, end != .stopped { return [.fail(end)] }
        if let home, home.isKnown,
            home.selected == nil || !home.sessions.contains(where: { $0.id == home.selected })
        {
            self.home?.selected = home.order(at: now).first?.id
        }
        return []
    }

    private mutating func take(room update: RoomUpdate) -> [DashboardAction] {
        if case .joined(let joined) = update { learnClock(joined) }
        if case .ended(let end) = update, end != .stopped {
            guard home != nil, case .closed(let code, _) = end, CloseCode(rawValue: code) == .roomGone else {
                return [.fail(end)]
            }
            say(CommandPhrases.Fail.sessionDeleted, trouble: true)
            return goHome()
        }
        guard let id = session?.id, session?.take(update, now: now) == true else { return [] }
        session?.people.beginReading()
        return [.readPeople(id)]
    }

    mutating func open(_ body: SessionBody) -> [DashboardAction] {
        session = SessionState(body)
        pane = .overview
        cover = nil
        poll = nil
        isTyping = false
        return [.watch(body.id)]
    }

    mutating func goHome() -> [DashboardAction] {
        guard let id = session?.id else { return [] }
        session = nil
        cover = nil
        poll = nil
        isTyping = false
        guard home == nil else { return [.unwatch] }
        // The dashboard began with a session, so request the home view now and select this session there.
        home = HomeState()
        home?.selected = id
        return [.unwatch, .watchHome]
    }

    private mutating func press(_ target: Target) -> [DashboardAction] {
        guard cover == nil else {
            cover = nil
            return []
        }
        switch target {
        case .pane(let chosen): pane = chosen
        case .attendee(let id): session?.selected = id
        case .voice(let id): session?.voice = id
        case .code: cover = .code
        case .nextQuestion: turnQuestion(by: 1)
        case .session(let id):
            if home?.selected == id, let body = home?.sessions.first(where: { $0.id == id }) {
                return open(body)
            }
            home?.selected = id
        }
        return []
    }
}

extension CommandPhrases.Dashboard {
    static let marked = Phrase("{name}: {status}. Press u to undo.", "{name}: {status}. 되돌리려면 u를 누르세요")
    static let undone = Phrase("{name}: {status} again", "{name}: 다시 {status}")
    static let undoneBare = Phrase("Undone", "되돌렸습니다")
}
