internal import Client
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    mutating func take(_ event: DashboardEvent) -> [DashboardAction] {
        switch event {
        case .tick(let instant):
            now = instant + ahead
            if let notice, notice.until <= now { self.notice = nil }
            return readJournal() + readPrevious()
        case .storageIsFull:
            say(Phrase.Page.storageFull, trouble: true, for: Self.fullStorageShows)
            return []
        case .screen(let event): return take(event)
        case .pressed(let target): return press(target)
        case .home(let update): return take(home: update)
        case .room(let id, let update): return id == session?.id ? take(room: update) : []
        case .opened(let body): return open(body)
        case .people(let id, let page, let isLast):
            if id == session?.id { session?.people.read(page, isLast: isLast) }
            return []
        case .texts(let question, let page, let isLast):
            guard session?.texts?.question == question else { return [] }
            session?.texts?.texts += page
            session?.texts?.isComplete = isLast
            return []
        case .totals(let id, let totals):
            if session?.details?.id == id { session?.details?.totals = totals }
            return []
        case .rounds(let id, let rounds, let isLast):
            guard session?.details?.id == id else { return [] }
            session?.details?.rounds += rounds
            session?.details?.isComplete = isLast
            return []
        case .journal(let id, let page, let sequence):
            if id == session?.id { session?.journal.take(page, upTo: sequence) }
            return []
        case .corrected(let id, let correction, let people, let sequences):
            isBusy = false
            guard id == session?.id, let first = people.first else { return [] }
            form = nil
            session?.picked = []
            for person in people { session?.people.put(person) }
            let name = named(people)
            remember(SessionState.Mark(attendees: people.map(\.id), name: name, sequences: sequences))
            if correction.change.status == nil {
                say(Messages.noted, ["name": TerminalEscaping.safe(name)])
            } else {
                say(
                    Messages.marked, ["name": TerminalEscaping.safe(name), "status": statusKey(first.status)])
            }
            return []
        case .added(let id, let person, let sequence):
            isBusy = false
            guard id == session?.id else { return [] }
            form = nil
            session?.people.put(person)
            session?.selected = person.id
            remember(
                SessionState.Mark(
                    attendees: [person.id], name: person.name, sequences: sequence.map { [$0] } ?? []))
            say(
                Messages.marked,
                ["name": TerminalEscaping.safe(person.name), "status": statusKey(person.status)])
            return []
        case .edited(let id, let body, let sequence):
            isBusy = false
            guard id == session?.id else { return [] }
            form = nil
            let zone = Zone.named(body.timeZone)
            let end = String(body.endsAt.clock(in: zone).prefix(5))
            remember(
                SessionState.Mark(
                    attendees: [], name: Messages.formEnd.text(in: language) + " " + end,
                    sequences: sequence.map { [$0] } ?? []))
            say(Messages.endChanged, ["time": end])
            return []
        case .overlaps(let id, let text):
            isBusy = false
            guard id == session?.id else { return [] }
            form?.allowsOverlap = true
            say(Phrase("{text}"), ["text": text], trouble: true)
            return []
        case .reverted(let id, let mark, let redoes, let made, let people):
            isBusy = false
            guard id == session?.id else { return [] }
            for person in people { session?.people.put(person) }
            // An event of an undoing is undone to redo the change.
            let opposite = SessionState.Mark(attendees: mark.attendees, name: mark.name, sequences: made)
            if redoes {
                session?.undone.removeAll { $0 == mark }
                session?.marks.append(opposite)
            } else {
                session?.marks.removeAll { $0 == mark }
                session?.undone.append(opposite)
            }
            if people.count == 1 {
                say(
                    redoes ? Messages.marked : Messages.undone,
                    ["name": TerminalEscaping.safe(people[0].name), "status": statusKey(people[0].status)])
            } else {
                say(
                    redoes ? Messages.redoneBare : Messages.undoneBare,
                    ["name": TerminalEscaping.safe(mark.name)])
            }
            return []
        case .moderated(let id, let moderation, let sequence):
            isBusy = false
            guard id == session?.id else { return [] }
            remember(
                SessionState.Mark(
                    attendees: [], name: moderation.text, sequences: sequence.map { [$0] } ?? []))
            session?.texts?.take(moderation)
            say(moderation.said, ["text": TerminalEscaping.safe(moderation.text)])
            return []
        case .asked(let id, let set):
            isBusy = false
            guard id == session?.id else { return [] }
            form = nil
            pane = .questions
            session?.showSoon(set)
            say(Messages.asked)
            return []
        case .changedSet(let id, let change):
            isBusy = false
            guard id == session?.id else { return [] }
            say(change.said, ["name": TerminalEscaping.safe(change.heading)])
            return []
        case .turnedAudience(let id, let open):
            isBusy = false
            if id == session?.id { say(open ? Messages.audienceOpened : Messages.audienceClosed) }
            return []
        case .previous(let id, let body):
            if id == session?.id { session?.previous = body }
            return []
        case .completed(let line, let found):
            take(found, for: line)
            return []
        case .command(let id, let event):
            take(event, of: id)
            return []
        case .failed(let text):
            isBusy = false
            say(Phrase("{text}"), ["text": text], trouble: true)
            return []
        }
    }

    /// Returns a placeholder for the status. The layout replaces it with a word in the user's language.
    func statusKey(_ status: AttendanceStatus) -> String { "\u{1}\(status.rawValue)" }

    /// Remembers a change for undo. A new change ends the possibility to redo what was undone before.
    private mutating func remember(_ mark: SessionState.Mark) {
        guard !mark.sequences.isEmpty else { return }
        session?.marks.append(mark)
        session?.undone = []
    }

    /// Requests the newest events of the journal if the screen shows the journal and there are new events.
    private mutating func readJournal() -> [DashboardAction] {
        guard let session, SessionLayout.needsJournal(self), !session.journal.isReading,
            session.sequence > session.journal.readUpTo
        else { return [] }
        self.session?.journal.isReading = true
        let newest = session.sequence
        return [.readJournal(session.id, since: session.journal.start(newest: newest), upTo: newest)]
    }

    /// Requests the session before this one once, if the screen shows it.
    private mutating func readPrevious() -> [DashboardAction] {
        guard let session, !session.hasAskedForPrevious, session.body.round > 1,
            SessionLayout.showsFacts(size)
        else { return [] }
        self.session?.hasAskedForPrevious = true
        return [.readPrevious(session.id, session.body.meetingId)]
    }

    private mutating func take(_ event: ScreenEvent) -> [DashboardAction] {
        switch event {
        case .key(let key): return take(key)
        case .resized(let size):
            self.size = size
            let columns = lineContext.columns
            commandPane?.fit(columns)
            return []
        case .scrolled(let up, _, _):
            // Do not scroll a list that is covered, or what a question is about.
            guard question == nil else { return [] }
            if palette != nil { return writePalette(up ? .up : .down) }
            guard form == nil else { return [] }
            if commandPane != nil {
                scrollPane(by: up ? -3 : 3)
                return []
            }
            switch cover {
            case nil: move(by: up ? -3 : 3)
            case .voice: voiceRow = max(0, min(VoicePage.lastRow(self), voiceRow + (up ? -3 : 3)))
            default: moveText(by: up ? -3 : 3)
            }
            return []
        // The layout has found no target at this position. A click still closes a view that covers the
        // screen.
        case .pressed:
            if question != nil { return answerQuestion(.escape) }
            if palette != nil { palette = nil } else if form == nil, commandPane == nil { cover = nil }
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
        let wasRunning = session?.body.phase == .running
        guard let id = session?.id, let mustRead = session?.take(update, now: now) else { return [] }
        if wasRunning, session?.isOver == true { session?.offersAfterwardsUntil = now + Self.offerShows }
        guard mustRead else { return [] }
        session?.people.beginReading()
        return [.readPeople(id)]
    }

    mutating func open(_ body: SessionBody) -> [DashboardAction] {
        session = SessionState(body)
        pane = .overview
        cover = nil
        (form, palette, question) = (nil, nil, nil)
        isTyping = false
        return [.watch(body.id)]
    }

    mutating func goHome() -> [DashboardAction] {
        guard let id = session?.id else { return [] }
        session = nil
        cover = nil
        (form, palette, question) = (nil, nil, nil)
        isTyping = false
        guard home == nil else { return [.unwatch] }
        // The dashboard began with a session, so request the home view now and select this session there.
        home = HomeState()
        home?.selected = id
        return [.unwatch, .watchHome]
    }

    private mutating func press(_ target: Target) -> [DashboardAction] {
        if question != nil { return answerQuestion(.escape) }
        if case .entry(let row) = target, let entries = palette?.entries, entries.indices.contains(row) {
            palette = nil
            return choose(entries[row].item)
        }
        if palette != nil || form != nil || commandPane != nil {
            palette = nil
            return []
        }
        guard cover == nil else {
            cover = nil
            return []
        }
        switch target {
        case .pane(let chosen): pane = chosen
        case .attendee(let id): session?.selected = id
        case .voice(let id): session?.voice = id
        case .entry: break
        case .code: cover = .code
        case .nextQuestion: turnQuestion(by: 1)
        case .set(let name): session?.showSoon(name)
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
    static let marked = Phrase("{name}: {status}. Press u to undo.")
    static let undone = Phrase("{name}: {status} again")
    static let undoneBare = Phrase("Undone: {name}")
    static let redoneBare = Phrase("Redone: {name}")
    static let noted = Phrase("{name}: note saved. Press u to undo.")
    static let endChanged = Phrase("The session ends at {time}. Press u to undo.")
}
