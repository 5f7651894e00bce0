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
    }

    /// The maximum number of journal pages that are searched for a correction by this host. Such a correction
    /// is among the newest events.
    private static let mostPages = 20

    private let host: APIClient
    private let language: Language
    private let send: @Sendable (DashboardEvent) -> Void
    private let state = Mutex(State())

    init(host: APIClient, language: Language, send: @escaping @Sendable (DashboardEvent) -> Void) {
        self.host = host
        self.language = language
        self.send = send
    }

    func cancel() {
        state.withLock { state in
            for task in [state.home, state.room, state.reading, state.correcting] { task?.cancel() }
        }
    }

    func run(_ actions: [DashboardAction]) {
        for action in actions {
            switch action {
            case .watchHome:
                let task = Task { [host, send] in
                    for await update in RoomClient(host, rooms: [.home]).updates() { send(.home(update)) }
                }
                state.withLock { $0.home = task }
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
            case .mark(let session, let id, let status, let version, let sequence):
                let task = Task {
                    await self.mark(session, id, status, seen: .version(version), after: sequence)
                }
                state.withLock { $0.correcting = task }
            case .undo(let session, let sequence, let id):
                let task = Task { await self.undo(session, sequence, id) }
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
            case .quit, .fail: break
            }
        }
    }

    private func leaveRoom(_ change: (inout sending State) -> Void) {
        state.withLock { state in
            state.room?.cancel()
            state.reading?.cancel()
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

    private func mark(
        _ session: SessionID, _ id: AttendeeID, _ status: AttendanceStatus, seen: Seen, after sequence: Int64
    ) async {
        do throws(APIError) {
            var change = AttendeeChange()
            change.status = status
            let after = try await host.correct(id, change, seen: seen)
            let made = try await newest(in: session, after: sequence) {
                $0.attendeeId == id && $0.kind == .corrected
            }
            send(.marked(session, after, sequence: made))
        } catch {
            send(.failed(said(error)))
        }
    }

    /// Returns the journal's sequence number of the newest event that matches; nil if none was found.
    private func newest(
        in session: SessionID, after sequence: Int64, where matches: (EventBody) -> Bool
    ) async throws(APIError) -> Int64? {
        var (since, found): (Int64, Int64?) = (sequence, nil)
        for _ in 0..<Self.mostPages {
            let page = try await host.journal(of: session, since: since)
            found = page.items.last(where: matches)?.sequence ?? found
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
                made = try await newest(in: session, after: sequence) {
                    $0.kind == .moderated && $0.data.question == id
                }
            case .text(let question, let id, let status):
                _ = try await host.moderateText(id, answering: question, to: status)
                // The journal does not say which text it was. An undo is refused if the text has changed.
                made = try await newest(in: session, after: sequence) {
                    $0.kind == .moderated && $0.data.question == nil
                        && $0.data.changes?.contains { $0.to == status.rawValue } == true
                }
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

    private func undo(_ session: SessionID, _ sequence: Int64, _ id: AttendeeID?) async {
        do throws(APIError) {
            _ = try await host.undo(sequence, in: session, note: nil)
            let person: AttendeeBody? = if let id { try? await host.attendee(id).body } else { nil }
            send(.undone(session, sequence, person))
        } catch {
            send(.failed(said(error)))
        }
    }

    private func said(_ error: APIError) -> String {
        switch error {
        case .problem(let problem): problem.detail.isEmpty ? problem.title : problem.detail
        case .unreachable(let url, let detail):
            CommandPhrases.Fail.unreachable.text(in: language, ["url": url, "detail": detail])
        case .timedOut(let url): CommandPhrases.Fail.timedOut.text(in: language, ["url": url])
        case .notQRing(let url, let status):
            CommandPhrases.Fail.notQRing.text(in: language, ["url": url, "status": String(status)])
        case .cancelled: ""
        }
    }
}
