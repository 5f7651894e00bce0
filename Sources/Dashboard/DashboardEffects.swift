internal import Client
internal import Meetings
internal import Phrases
internal import Synchronization
internal import Wire

/// Performs the actions of a dashboard, such as requests to the server, and reports the results as events.
final class DashboardEffects: Sendable {
    private struct State {
        var home: Task<Void, Never>?
        var room: Task<Void, Never>?
        var reading: Task<Void, Never>?
        var correcting: Task<Void, Never>?
        var texts: Task<Void, Never>?
        var person: Task<Void, Never>?
        var journal: Task<Void, Never>?
        var completing: Task<Void, Never>?
        /// The command that `:` has started last.
        var command: (id: Int, run: CommandRun, task: Task<Void, Never>)?

        var all: [Task<Void, Never>?] {
            [home, room, reading, correcting, texts, person, journal, completing, command?.task]
        }
    }

    /// The maximum number of journal pages that are searched for a correction by this host. Such a correction
    /// is among the newest events.
    private static let mostPages = 20

    private let host: APIClient
    private let language: Language
    private let commands: LineCommands
    private let send: @Sendable (DashboardEvent) -> Void
    private let state = Mutex(State())

    init(
        host: APIClient, language: Language, commands: LineCommands,
        send: @escaping @Sendable (DashboardEvent) -> Void
    ) {
        self.host = host
        self.language = language
        self.commands = commands
        self.send = send
    }

    func cancel() {
        state.withLock { state in for task in state.all { task?.cancel() } }
    }

    /// Cancels everything, and waits until a command and the programs that it has started have ended.
    func end() async {
        cancel()
        let command = state.withLock { $0.command }
        command?.run.stop()
        await command?.task.value
    }

    func tookOutput(of id: Int) { command(id)?.run.taken() }

    func run(_ actions: [DashboardAction]) {
        for action in actions {
            switch action {
            case .watchHome:
                let task = Task { [host, send] in
                    for await update in RoomClient(host, rooms: [.home]).updates() { send(.home(update)) }
                }
                state.withLock { state in
                    state.home?.cancel()
                    state.home = task
                }
            case .watch(let id):
                let task = Task { [host, send] in
                    for await update in RoomClient(host, rooms: [.session(id)]).updates() {
                        send(.room(id, update))
                    }
                }
                leaveRoom { $0.room = task }
            case .unwatch: leaveRoom { $0.room = nil }
            case .readPeople(let id):
                let task = Task { await self.readPeople(of: id) }
                state.withLock { state in
                    state.reading?.cancel()
                    state.reading = task
                }
            case .readTexts(let question):
                let task = Task { await self.readTexts(of: question) }
                state.withLock { state in
                    state.texts?.cancel()
                    state.texts = task
                }
            case .readPerson(let session, let meeting, let person):
                let task = Task { await self.readPerson(person, of: session, in: meeting) }
                state.withLock { state in
                    state.person?.cancel()
                    state.person = task
                }
            case .readPrevious(let session, let meeting):
                // Without an answer, the screen does not show the earlier session.
                Task { [host, send] in
                    let all = (try? await host.sessions(of: meeting)) ?? []
                    let now = all.first { $0.id == session }
                    let earlier = all.filter { $0.startsAt < now?.startsAt ?? $0.startsAt }
                    send(.previous(session, earlier.max { $0.startsAt < $1.startsAt }))
                }
            case .readJournal(let session, let since, let newest):
                let task = Task { await self.readJournal(of: session, since: since, upTo: newest) }
                state.withLock { $0.journal = task }
            case .correct(let session, let correction, let sequence):
                let task = Task { await self.correct(session, correction, after: sequence) }
                state.withLock { $0.correcting = task }
            case .add(let session, let person, let sequence):
                let task = Task { await self.add(person, to: session, after: sequence) }
                state.withLock { $0.correcting = task }
            case .edit(let session, let change, let version, let sequence):
                let task = Task { await self.edit(session, change, seen: .version(version), after: sequence) }
                state.withLock { $0.correcting = task }
            case .revert(let session, let mark, let redoes):
                let task = Task { await self.revert(session, mark, redoes: redoes) }
                state.withLock { $0.correcting = task }
            case .moderate(let session, let moderation, let sequence):
                let task = Task { await self.moderate(session, moderation, after: sequence) }
                state.withLock { $0.correcting = task }
            case .ask(let session, let question, let choices):
                let task = Task { await self.ask(session, question, choices) }
                state.withLock { $0.correcting = task }
            case .change(let session, let change, let version):
                let task = Task { await self.change(session, change, seen: .version(version)) }
                state.withLock { $0.correcting = task }
            case .turnAudience(let session, let open):
                let task = Task { await self.turnAudience(session, open: open) }
                state.withLock { $0.correcting = task }
            case .complete(let line, let context):
                let task = Task { [commands, send] in
                    let found = await commands.complete(line, context)
                    if !Task.isCancelled { send(.completed(line, found)) }
                }
                state.withLock { state in
                    state.completing?.cancel()
                    state.completing = task
                }
            case .runLine(let line, let context, let id): start(line, context, id)
            case .answerLine(let text, let id): command(id)?.run.answer(text)
            case .stopLine(let id):
                let command = command(id)
                command?.run.stop()
                command?.task.cancel()
            case .copy, .quit, .fail: break
            }
        }
    }

    private func start(_ line: String, _ context: LineCommands.Context, _ id: Int) {
        let run = CommandRun { [send] in send(.command(id: id, $0)) }
        let task = Task { [commands] in run.end(code: await commands.run(line, context, run)) }
        state.withLock { $0.command = (id, run, task) }
    }

    private func command(_ id: Int) -> (id: Int, run: CommandRun, task: Task<Void, Never>)? {
        state.withLock { $0.command?.id == id ? $0.command : nil }
    }

    private func leaveRoom(_ change: (inout sending State) -> Void) {
        state.withLock { state in
            for task in [state.room, state.reading, state.person, state.journal] { task?.cancel() }
            change(&state)
        }
    }

    private func readPeople(of id: SessionID) async {
        var cursor: String?
        do throws(APIError) {
            repeat {
                let page = try await host.attendeePage(of: id, after: cursor)
                if Task.isCancelled { return }
                cursor = page.nextCursor
                send(.people(id, page.items, isLast: cursor == nil))
            } while cursor != nil
        } catch {
            if !Task.isCancelled { send(.failed(said(error))) }
        }
    }

    private func readTexts(of question: QuestionID) async {
        var cursor: String?
        do throws(APIError) {
            repeat {
                let page = try await host.textAnswers(to: question, after: cursor)
                if Task.isCancelled { return }
                cursor = page.nextCursor
                send(.texts(question, page.items, isLast: cursor == nil))
            } while cursor != nil
        } catch {
            if !Task.isCancelled { send(.failed(said(error))) }
        }
    }

    /// The number of earlier sessions that the history of a person covers.
    private static let mostRounds = 12

    /// Reads the person's totals, and then the person's attendance of the meeting's earlier sessions.
    private func readPerson(_ person: AttendeeBody, of session: SessionID, in meeting: MeetingID) async {
        do throws(APIError) {
            send(.totals(person.id, try await host.attendee(person.id).body.totals))
            let sessions = try await host.sessions(of: meeting).sorted { $0.startsAt > $1.startsAt }
            let now = sessions.first { $0.id == session }?.startsAt
            let earlier = sessions.filter { $0.id != session && $0.startsAt < now ?? $0.startsAt }
            // The search finds the attendee by the value that identifies attendees.
            let key = person.email ?? person.number ?? person.name
            for body in earlier.prefix(Self.mostRounds) {
                let found = try await host.attendees(of: body.id, matching: key).first {
                    ($0.email ?? $0.number ?? $0.name) == key
                }
                if Task.isCancelled { return }
                send(.rounds(person.id, [.init(session: body, attendee: found)], isLast: false))
            }
            send(.rounds(person.id, [], isLast: true))
        } catch {
            if !Task.isCancelled { send(.failed(said(error))) }
        }
    }

    private func readJournal(of session: SessionID, since: Int64, upTo newest: Int64) async {
        do throws(APIError) {
            let page = try await host.journal(of: session, since: since)
            // If there are more events than one page has, the rest is read later.
            let isWhole = page.nextCursor == nil
            send(.journal(session, page.items, upTo: isWhole ? newest : page.items.last?.sequence ?? newest))
        } catch {
            // The journal is read again when the next event arrives.
            if !Task.isCancelled { send(.journal(session, [], upTo: newest)) }
        }
    }

    /// Corrects the attendees one after the other. A failure does not stop the corrections after it.
    private func correct(_ session: SessionID, _ correction: Correction, after sequence: Int64) async {
        var (changed, failure): ([AttendeeBody], APIError?) = ([], nil)
        for target in correction.attendees {
            do throws(APIError) {
                changed.append(
                    try await host.correct(target.id, correction.change, seen: .version(target.version)))
            } catch {
                failure = error
            }
        }
        if !changed.isEmpty {
            let ids = Set(changed.map(\.id))
            let found = await events(in: session, after: sequence) {
                $0.kind == .corrected && $0.attendeeId.map(ids.contains) == true
            }
            // An attendee's newest correction is the one that this host has made.
            var newest: [AttendeeID: Int64] = [:]
            for event in found { if let id = event.attendeeId { newest[id] = event.sequence } }
            send(.corrected(session, correction, changed, sequences: newest.values.sorted()))
        }
        if let failure { send(.failed(said(failure))) }
    }

    private func add(_ person: AttendeeChange, to session: SessionID, after sequence: Int64) async {
        do throws(APIError) {
            let added = try await host.addAttendee(person, to: session)
            let made = await events(in: session, after: sequence) {
                $0.attendeeId == added.id && $0.kind == .added
            }
            send(.added(session, added, sequence: made.last?.sequence))
        } catch {
            send(.failed(said(error)))
        }
    }

    private func edit(_ session: SessionID, _ change: SessionChange, seen: Seen, after sequence: Int64) async
    {
        do throws(APIError) {
            let body = try await host.edit(session, change, seen: seen)
            let made = await events(in: session, after: sequence) { $0.kind == .edited }
            send(.edited(session, body, sequence: made.last?.sequence))
        } catch {
            send(
                error.code == .sessionOverlap ? .overlaps(session, said(error)) : .failed(said(error)))
        }
    }

    /// Undoes the events of a mark, the newest first.
    private func revert(_ session: SessionID, _ mark: SessionState.Mark, redoes: Bool) async {
        var (made, people): ([Int64], [AttendeeBody]) = ([], [])
        var failure: APIError?
        for sequence in mark.sequences.reversed() {
            do throws(APIError) {
                let undone = try await host.undo(sequence, in: session, note: nil)
                made.append(undone.event.sequence)
                if let person = undone.attendee { people.append(person) }
            } catch {
                failure = error
            }
        }
        if !made.isEmpty { send(.reverted(session, mark, redoes: redoes, made: made, people)) }
        if let failure { send(.failed(said(failure))) }
    }

    /// Returns the events of the journal after a sequence number that match, in order. Returns those found so
    /// far if a request fails, because the change itself has succeeded.
    private func events(
        in session: SessionID, after sequence: Int64, where matches: (EventBody) -> Bool
    ) async -> [EventBody] {
        var (since, found): (Int64, [EventBody]) = (sequence, [])
        for _ in 0..<Self.mostPages {
            guard let page = try? await host.journal(of: session, since: since) else { return found }
            found += page.items.filter(matches)
            guard let last = page.items.last, page.nextCursor != nil else { return found }
            since = last.sequence
        }
        return found
    }

    private func moderate(_ session: SessionID, _ moderation: Moderation, after sequence: Int64) async {
        do throws(APIError) {
            let made: Int64?
            switch moderation.change {
            case .question(let id, let change, let version):
                _ = try await host.moderate(id, in: session, change, seen: .version(version))
                made = await events(in: session, after: sequence) {
                    $0.kind == .moderated && $0.data.question == id
                }.last?.sequence
            case .text(let question, let id, let status):
                _ = try await host.moderateText(id, answering: question, to: status)
                // The journal does not say which text it was. An undo is refused if the text has changed.
                made = await events(in: session, after: sequence) {
                    $0.kind == .moderated && $0.data.question == nil
                        && $0.data.changes?.contains { $0.to == status.rawValue } == true
                }.last?.sequence
            }
            send(.moderated(session, moderation, sequence: made))
        } catch {
            send(.failed(said(error)))
        }
    }

    private func ask(_ session: SessionID, _ question: String, _ choices: [String]) async {
        do throws(APIError) {
            var draft = QuestionDraft(choices.isEmpty ? .shortAnswer : .multipleChoice, question)
            if !choices.isEmpty { draft.choices = choices.map { QuestionDraft.Choice($0) } }
            let poll = try await host.createPoll(in: session, NewPoll(questions: [draft], open: true))
            send(.asked(session, set: poll.set))
        } catch {
            send(.failed(said(error)))
        }
    }

    private func change(_ session: SessionID, _ change: SetSwitch, seen: Seen) async {
        do throws(APIError) {
            let edit =
                switch change.change {
                case .open(let isOpen): SetChange(open: isOpen)
                case .shared(let isShared): SetChange(shared: isShared)
                }
            _ = try await host.editSet(change.set, of: session, edit, seen: seen)
            send(.changedSet(session, change))
        } catch {
            send(.failed(said(error)))
        }
    }

    private func turnAudience(_ session: SessionID, open: Bool) async {
        do throws(APIError) {
            _ = try await host.editAudience(of: session, AudienceChange(open: open), seen: .anything)
            send(.turnedAudience(session, open: open))
        } catch {
            send(.failed(said(error)))
        }
    }

    private func said(_ error: APIError) -> String {
        switch error {
        case .problem(let problem): problem.detail.isEmpty ? problem.title : problem.detail
        case .unreachable(let url, let detail):
            CommandPhrases.Fail.unreachable.text(
                in: language,
                ["url": url, "detail": CommandPhrases.Fail.reason(detail, in: language)])
        case .timedOut(let url): CommandPhrases.Fail.timedOut.text(in: language, ["url": url])
        case .notQRing(let url, let status):
            CommandPhrases.Fail.notQRing.text(in: language, ["url": url, "status": String(status)])
        case .cancelled: ""
        }
    }
}
