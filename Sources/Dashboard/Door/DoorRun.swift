package import Client
internal import Meetings
internal import RecordText
package import Terminal
internal import Wire

/// Runs the screen of a door: passes it one event after another, performs its actions, and draws it.
package struct DoorRun: Sendable {
    package typealias State = DoorState

    package enum End: Sendable {
        case left
        case interrupted
    }

    private enum Input: Sendable {
        case screen(ScreenEvent, at: ContinuousClock.Instant)
        case door(DoorState.Event)
    }

    private let host: APIClient
    private let screen: Screen
    private let look: Look
    private let sentence: @Sendable (APIError) -> String

    /// How often the door reads the counts of all doors.
    private static let refreshing = Duration.seconds(5)

    /// - Parameter sentence: returns what an error says to a person.
    package init(
        host: APIClient, screen: Screen, look: Look, sentence: @escaping @Sendable (APIError) -> String
    ) {
        self.host = host
        self.screen = screen
        self.look = look
        self.sentence = sentence
    }

    /// Shows the door until the user leaves it or a signal ends the program. The door's own size is replaced
    /// by the terminal's.
    package func run(_ door: DoorState) async -> End {
        var door = door
        let session = door.session.id
        let (inputs, send) = AsyncStream<Input>.makeStream()
        let readers = [
            Task { for await event in screen.events { send.yield(.screen(event, at: .now)) } },
            Task { await tick { send.yield(.door($0)) } },
            Task { [number = door.door] in
                await refresh(session, number) { send.yield(.door($0)) }
            },
        ]
        defer { for reader in readers { reader.cancel() } }
        if let size = TerminalSize.now { _ = door.take(.resized(size)) }
        screen.show(DoorLayout(door, look).grid, isUrgent: true)
        for await input in inputs {
            let actions: [DoorState.Action]
            switch input {
            case .screen(.ended, _): return .interrupted
            case .screen(.key(let key), let moment): actions = door.take(.key(key, at: moment))
            case .screen(.resized(let size), _): actions = door.take(.resized(size))
            case .screen: actions = []
            case .door(let event): actions = door.take(event)
            }
            for action in actions {
                switch action {
                case .leave: return .left
                case .ring: screen.ring()
                case .send(let guest): perform(send) { await admit(guest, session) }
                case .undo(let sequence): perform(send) { await undo(sequence, session) }
                case .search(let text): perform(send) { await find(text, session) }
                case .pause(let number):
                    perform(send) {
                        try? await Task.sleep(for: DoorState.searchPause)
                        return .paused(number)
                    }
                }
            }
            screen.show(DoorLayout(door, look).grid, isUrgent: true)
        }
        return .left
    }

    private func perform(
        _ send: AsyncStream<Input>.Continuation, _ work: @escaping @Sendable () async -> DoorState.Event
    ) {
        Task { send.yield(.door(await work())) }
    }
}

extension DoorRun {
    private func admit(_ guest: NewGuest, _ session: SessionID) async -> DoorState.Event {
        do throws(APIError) {
            return .answered(try await host.admit(guest, to: session))
        } catch {
            let isRefusal = if case .problem = error { true } else { false }
            return .failed(sentence(error), isLost: !isRefusal)
        }
    }

    private func undo(_ sequence: Int64, _ session: SessionID) async -> DoorState.Event {
        do throws(APIError) {
            try await host.undoAdmission(sequence, in: session)
            return .undone(sequence: sequence)
        } catch { return .undoFailed(sentence(error)) }
    }

    private func find(_ text: String, _ session: SessionID) async -> DoorState.Event {
        do throws(APIError) {
            return .found(try await host.peopleAtDoor(text, of: session), by: text)
        } catch { return .searchFailed(sentence(error), by: text) }
    }

    /// Reports the time at every full second.
    private func tick(_ send: (DoorState.Event) -> Void) async {
        while true {
            let rest = 1000 - SystemTime.now.milliseconds % 1000
            do { try await Task.sleep(for: .milliseconds(rest)) } catch { return }
            send(.tick(SystemTime.now))
        }
    }

    /// Reads the counts now and then, because the other doors change them, too.
    private func refresh(_ session: SessionID, _ door: Int, _ send: (DoorState.Event) -> Void) async {
        while !Task.isCancelled {
            send(.refreshed(try? await host.door(door, of: session)))
            do { try await Task.sleep(for: Self.refreshing) } catch { return }
        }
    }
}
