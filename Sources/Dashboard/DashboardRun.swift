package import Client
package import Meetings
internal import Phrases
internal import RecordText
internal import Synchronization
package import Terminal
package import Wire

/// Runs a dashboard: passes it one event after another, performs its actions, and draws it.
package struct DashboardRun: Sendable {
    package enum End: Sendable {
        case quit
        case interrupted
        case room(RoomEnd)
    }

    private enum Input: Sendable {
        case event(DashboardEvent)
        /// The pause is over, so the latest changes must be drawn.
        case draw
    }

    private let host: APIClient
    private let screen: Screen
    private let look: Look
    private let asksFirst: Bool
    private let commands: LineCommands
    private let readEnd: @Sendable (String, SessionBody, Instant) -> Instant?

    /// - Parameters:
    ///   - asksFirst: whether a key that changes all phones asks first.
    ///   - commands: the commands of the command line.
    ///   - readEnd: reads the new end of a session as the host types it, at the given time; returns nil if
    ///     the text is no time.
    package init(
        host: APIClient, screen: Screen, look: Look, asksFirst: Bool, commands: LineCommands,
        readEnd: @escaping @Sendable (String, SessionBody, Instant) -> Instant?
    ) {
        self.host = host
        self.screen = screen
        self.look = look
        self.asksFirst = asksFirst
        self.commands = commands
        self.readEnd = readEnd
    }

    /// The maximum number of drawings per second after updates from the room. After a key press, the
    /// dashboard is drawn immediately.
    private static let drawings = 5
    /// The pause between drawings on a terminal that cannot move its cursor, because each drawing fills a new
    /// page there.
    private static let pause = Duration.seconds(2)

    /// Shows the session until the user quits or a room ends. If `session` is nil, shows the host's sessions.
    package func run(startingWith session: SessionBody?) async -> End {
        let (inputs, send) = AsyncStream<Input>.makeStream()
        var host = host
        // A line on the terminal would destroy the screen.
        host.onFullStorage = { send.yield(.event(.storageIsFull)) }
        let effects = DashboardEffects(host: host, language: look.language, commands: commands) {
            send.yield(.event($0))
        }
        let readers = [
            Task { for await event in screen.events { send.yield(.event(.screen(event))) } },
            Task { await tick(send) },
        ]
        defer {
            for reader in readers { reader.cancel() }
        }
        var dashboard = Dashboard(
            size: TerminalSize.now ?? Size(columns: 80, rows: 24), now: SystemTime.now,
            home: session == nil ? HomeState() : nil, language: look.language,
            hasClipboard: screen.settings.canMove, asksFirst: asksFirst, commands: commands,
            readEnd: readEnd)
        effects.run(session.map { dashboard.open($0) } ?? [.watchHome])
        var layout = DashboardLayout(dashboard, look)
        var drawnAt: ContinuousClock.Instant?
        var isDue = false
        let interval = screen.settings.canMove ? Duration.seconds(1) / Self.drawings : Self.pause
        var end = End.quit
        for await input in inputs {
            var isAtOnce = false
            if case .event(let event) = input {
                if case .screen(.ended) = event {
                    end = .interrupted
                    break
                }
                let actions = dashboard.take(resolved(event, layout))
                for case .fail(let closed) in actions { end = .room(closed) }
                if case .room = end { break }
                if actions.contains(.quit) { break }
                effects.run(actions)
                if case .command(let id, .printed) = event { effects.tookOutput(of: id) }
                for case .copy(let text) in actions { screen.copy(text) }
                if case .screen = event { isAtOnce = true }
                // On a terminal that cannot move its cursor, do not draw again only because the clock has
                // advanced.
                if case .tick = event, !screen.settings.canMove { continue }
            } else {
                isDue = false
            }
            if !isAtOnce, let drawnAt, .now - drawnAt < interval {
                if !isDue {
                    isDue = true
                    let rest = interval - (.now - drawnAt)
                    Task {
                        try? await Task.sleep(for: rest)
                        send.yield(.draw)
                    }
                }
                continue
            }
            let shown = layout.grid
            layout = DashboardLayout(dashboard, look)
            // Do not wake the screen's thread for a picture that it shows already.
            if isAtOnce || drawnAt == nil || layout.grid != shown {
                screen.show(layout.grid, isUrgent: isAtOnce)
            }
            drawnAt = .now
        }
        await effects.end()
        return end
    }

    /// Replaces the position of a mouse click with the target at this position.
    private func resolved(_ event: DashboardEvent, _ layout: DashboardLayout) -> DashboardEvent {
        guard case .screen(.pressed(let column, let row)) = event,
            let target = layout.target(column: column, row: row)
        else {
            return event
        }
        return .pressed(target)
    }

    /// Sends an event at every full second, when the countdowns change.
    private func tick(_ send: AsyncStream<Input>.Continuation) async {
        while true {
            let rest = 1000 - SystemTime.now.milliseconds % 1000
            do { try await Task.sleep(for: .milliseconds(rest)) } catch { return }
            send.yield(.event(.tick(SystemTime.now)))
        }
    }
}
