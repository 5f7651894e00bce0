package import FrontDoor
package import HTTPServer
package import Journal
import Meetings
package import Secrets
import SocketIO
import Synchronization
package import WebSockets

/// The running server. Its door accepts connections on one port and gives them to the HTTP server or the
/// websocket server. Both use one storage.
package final class QRingServer: Sendable {
    package enum StartError: Error, Sendable, CustomStringConvertible {
        case badAddress(String)
        case badPublicURL(String)
        case badCertificate
        case logFile(String, reason: String)
        case secret(SecretsError)
        case door(FrontDoorError)
        case http(HTTPServerError)
        case websockets(WebSocketError)
        case storage(JournalError)

        package var description: String {
            switch self {
            case .badAddress(let text):
                "\(text) is no address to listen on; give one such as 127.0.0.1:8080, [::]:8080 or "
                    + "unix:/run/qring/qring.sock"
            case .badPublicURL(let text):
                "\(text) is no public URL; give one without a path, such as https://qring.example.org"
            case .badCertificate:
                "the certificate and its key do not fit together; give both in PEM, and the key without a "
                    + "password"
            case .logFile(let path, let reason): "the log's file \(path): \(reason)"
            case .secret(let error): "the server's secret: \(error)"
            case .door(let error): "\(error)"
            case .http(let error): "HTTP: \(error)"
            case .websockets(let error): "websockets: \(error)"
            case .storage(let error): "the storage: \(error)"
            }
        }
    }

    let services: Services
    private let door: FrontDoor
    private let files = StaticFiles()
    private let http: HTTPServer
    private let sockets: WebSocketServer
    let rooms: RoomConnections
    private let codeClockFile: CodeClockFile
    private let watch: StorageWatch
    let rewrites: FileRewrites
    let couriers: [MailCourier]
    private let mailings: MailingPass
    private let alerts: AlertPass
    private let absences: AbsencePass
    private let webhooks: WebhookCouriers
    private let moments: WebhookMoments
    private let metrics: MetricsListener?
    private let tls: TLSListener?
    private let operatorSocket: OperatorSocket?
    /// Where the deletion of a session's names continues in the next pass.
    private let placesOfNames = Mutex<[SessionID: AttendeeID]>([:])
    private let ticker = Mutex<Task<Void, Never>?>(nil)

    package var port: UInt16 { door.port }
    package var address: PublicAddress { services.addresses.own }
    /// The address with TLS; nil if there is none.
    package var secureURL: String? { tls?.url }

    /// Binds the port and opens the storage. The server accepts no connection before `open`.
    ///
    /// Every object is created before its callers: first the door and the websocket channels, then the rooms,
    /// then the handlers, then the servers that call the handlers. The storage gets its listener last.
    package init(settings: ServerSettings, storage: Storage, clock: any ServerClock = SystemClock())
        throws(StartError)
    {
        guard let listen = ListenAddress(settings.listen) else { throw .badAddress(settings.listen) }
        let keys: Keys
        do throws(SecretsError) {
            try Secrets.start()
            keys = try Keys(folder: settings.dataFolder, clock: clock)
        } catch { throw .secret(error) }
        // This must come before the first libwebsockets context. If the limit is above ten million, the
        // library falls back to a few thousand descriptors.
        _ = DescriptorLimit.raise()

        do throws(FrontDoorError) {
            door = try FrontDoor(
                listen: listen, inherited: settings.inheritedSocket, settings: Self.doorSettings(settings))
        } catch { throw .door(error) }
        let given = settings.publicURL.flatMap { PublicAddress(url: $0) }
        if let text = settings.publicURL, given == nil { throw .badPublicURL(text) }
        let addresses = PublicAddresses(
            given: given, listening: PublicAddress(listening: listen, port: door.port))
        let codeClockFile = CodeClockFile(folder: settings.dataFolder)
        let codeClock = CodeClock(clock, nodes: storage.nodeStatus, notBefore: codeClockFile.read())
        self.codeClockFile = codeClockFile
        let channels: WebSocketChannels
        do throws(WebSocketError) {
            channels = try WebSocketChannels(
                loops: settings.loops, settings: Self.socketSettings(storage))
        } catch { throw .websockets(error) }
        let live = LiveRooms(
            storage: storage, output: channels, clock: clock, keys: keys,
            codes: {
                Services.code(
                    of: $0, at: codeClock.now, address: addresses.address(for: $0.id), keys: keys)
            })
        let logFile: LogFile? = if let path = settings.logFile { try LogFile(path) } else { nil }
        services = Services(
            settings: settings, storage: storage, keys: keys, passwords: PasswordHasher(), clock: clock,
            codeClock: codeClock, addresses: addresses, live: live,
            engine: EngineServer(channels), metrics: Metrics(),
            network: NetworkCounters(door: door, http: HTTPCounters(), sockets: channels),
            log: RequestLog(settings.logFormat, clock: clock, file: logFile, sink: settings.logSink))
        rooms = RoomConnections(services: services)
        watch = StorageWatch(storage, services.log)
        rewrites = FileRewrites(storage, services.metrics, services.log)
        let process = ID<MailDelivery>.makeTimeless()
        couriers = OutgoingMail.Channel.ofServices.map { [services] in
            MailCourier(services, $0, process: process)
        }
        mailings = MailingPass(services)
        alerts = AlertPass(services)
        absences = AbsencePass(services)
        webhooks = WebhookCouriers(services, process: process)
        moments = WebhookMoments(services)
        do throws(WebSocketError) {
            sockets = try WebSocketServer(channels, handler: rooms)
        } catch { throw .websockets(error) }
        let responder = Responder(
            services: services,
            routes: settings.offlineDoor == nil ? RouteTable.all : RouteTable.ofOfflineDoors, files: files)
        do throws(HTTPServerError) {
            http = try HTTPServer(counters: services.network.http, responder: responder)
        } catch { throw .http(error) }
        tls =
            if let given = settings.tls {
                try TLSListener(given, responder, Self.doorSettings(settings))
            } else { nil }
        if let text = settings.metricsListen {
            metrics = try MetricsListener(text, services: services)
        } else {
            metrics = nil
        }
        operatorSocket = try OperatorSocket(services: services)
        let listener = CommitListener(
            live: live, connections: rooms, metrics: services.metrics,
            joinCodes: services.joinCodes, couriers: couriers, webhooks: webhooks,
            mailings: mailings,
            matching: MatchingFrames(rooms))
        do throws(JournalError) {
            try storage.open(rooms: live) {
                listener.committed($0)
            } skipped: { [log = services.log] failure in
                log.note("a step of a long change was left out, because it cannot be stored: \(failure)")
            } receiving: { [limits = services.limits] in
                limits.receive($0, at: clock.now)
            }
        } catch { throw .storage(error) }
    }

    private static func doorSettings(_ settings: ServerSettings) -> DoorSettings {
        var door = DoorSettings()
        door.connectionsPerAddress = settings.connectionsPerAddress
        door.unlimited = settings.trustedProxies
        door.grammar = UpgradeGrammar(others: [
            .eventStream(RoomConnections.streamPath),
            .webSocket(RoomConnections.socketIOPath, subprotocol: nil, allowsQuery: true),
        ])
        return door
    }

    private static func socketSettings(_ storage: Storage) -> WebSocketSettings {
        var sockets = WebSocketSettings()
        sockets.eventsPath = RoomConnections.streamPath
        // A home has no positions.
        sockets.eventID = { $0 == 0 ? nil : "\(storage.epoch):\($0)" }
        EngineServer.prepare(&sockets, path: RoomConnections.socketIOPath)
        // A client of Socket.IO that joins with a string also gets the room's counts.
        sockets.mostSubscriptions = 2 * RoomConnections.mostRooms
        sockets.packet = { text, position in
            // The counts are packets already; frames are JSON.
            guard text.first == UInt8(ascii: "{") else { return Array(text) }
            let offset = position == 0 ? "" : ",\"\(storage.epoch):\(position)\""
            return Array("42[\"frame\",".utf8) + text + Array("\(offset)]".utf8)
        }
        return sockets
    }

    package func open() {
        noteLosses()
        http.start()
        door.open(
            onHTTP: { [http, proxies = services.settings.trustedProxies] in
                // A connection from a trusted proxy is closed after its response. Otherwise the proxy could
                // send an upgrade on the same connection, but the door examines only the first bytes of a
                // connection.
                http.adopt($0, peer: $1.address, keepsAlive: !proxies.contains($1.address), holding: $2)
            },
            onUpgrade: { [sockets] in sockets.adopt($0, peer: $1.address, holding: $2) },
            onTurnedAway: { [http] in http.turnAway($0) })
        metrics?.open()
        tls?.open()
        operatorSocket?.open()
        ticker.withLock { $0 = tick() }
        let listen = services.settings.listen
        let isUnix = listen.hasPrefix("unix:")
        services.log.note(
            "listening on \(isUnix ? listen : "port \(port)"), reached at \(address.url)")
        if isUnix, !services.settings.trustedProxies.contains(PeerAddress.unix) {
            services.log.note(
                "the proxy of \(listen) is not trusted, so that all clients share one limit of connections "
                    + "and of failures: give --trusted-proxy unix")
        }
        files.prepare()
        services.backups?.noteStart()
        if let metrics { services.log.note("metrics on port \(metrics.port)") }
        if !services.settings.trustedProxies.isEmpty, services.settings.publicURL == nil {
            services.log.note("codes that rooms show may name an address behind the proxy: give --public-url")
        } else if address.isLoopback {
            services.log.note(
                "only this machine can reach that address: phones cannot scan its codes; see --listen and "
                    + "--public-url"
            )
        }
    }

    private func noteLosses() {
        for loss in services.storage.losses() {
            let copy = loss.copy ?? "-"
            if let foreign = loss.inForeignLog {
                services.log.note(
                    "journal.db-wal did not belong to this database and was not used: it had \(foreign) "
                        + "commits of another database or of another copy")
            }
            guard loss.commits > 0 else {
                services.log.note("the files as they were found are in \(copy); see qring admin verify")
                continue
            }
            services.log.note(
                "acknowledged changes are missing: \(loss.commits) commits, made after "
                    + "\(loss.since?.rfc3339 ?? "an unknown time"), the last at "
                    + "\(loss.until); the files as they were found are in \(copy); see qring admin verify")
        }
    }

    /// Runs `pass` once a second until the server stops. The task does not own the server, so that a
    /// server that its owner drops is deleted.
    private func tick() -> Task<Void, Never> {
        Task { [weak self, clock = services.clock, codeClock = services.codeClock] in
            var before = clock.now
            var isFirst = true
            while !Task.isCancelled {
                // The ticks follow the clock of codes, so that a new code is shown when its time begins.
                let rest = 1000 - codeClock.now.milliseconds % 1000
                // While the clock of codes is slow, its next second begins soon after a tick.
                let pause = (20..<200).contains(rest) ? rest + 1000 : rest
                // The sleep throws when the server stops. Then the loop ends, so that it starts no work on a
                // closed storage.
                do { try await Task.sleep(for: .milliseconds(pause)) } catch { return }
                guard let self else { return }
                let now = clock.now
                await pass(from: before, to: now, isFirst: isFirst)
                (before, isFirst) = (now, false)
            }
        }
    }

    /// Applies all changes that the clock alone makes between two moments.
    /// - Parameter isFirst: whether the server has just started, perhaps long after a period has ended, or
    ///   with shorter periods.
    func pass(from before: Instant, to now: Instant, isFirst: Bool = false) async {
        services.codeClock.compare(with: services.storage.nodeStatus)
        services.live.tick(from: before, to: now)
        rooms.endExpired(at: now)
        // Watchers must not see an old state without knowing it, and rights may have ended elsewhere.
        if services.storage.nodeStatus?.isCutOff == true { rooms.endAll() }
        services.storage.takeOverJobs()
        // If the database files were moved or damaged, nothing can be written. Then a later pass does the
        // following work.
        guard watch.isSound() else { return }
        // An error is ignored here, because the next write reports the failure.
        try? await services.storage.retryAfterFailure()
        codeClockFile.write(services.codeClock.now)
        for courier in couriers { courier.tick(at: now) }
        mailings.tick(at: now)
        alerts.tick(at: now)
        absences.tick(at: now)
        webhooks.tick(at: now)
        moments.tick(at: now)
        await rewrites.tick(at: now)
        services.backups?.tick(isRewriting: rewrites.isRunning)
        do {
            try await services.storage.forgetStoredResponses(at: now)
            try await services.storage.forgetJobReports(at: now)
        } catch {
            services.log.noteRetry("expired answers and jobs could not be deleted", after: error)
        }
        // Once a minute is enough, because this data is stored for a day or a month.
        if isFirst || before.milliseconds / 60_000 != now.milliseconds / 60_000 {
            await forget()
            await forgetNames()
        }
    }

    /// The most transactions by which one pass deletes names. The clock's other work waits for them.
    private static let mostSlicesOfNames = 50

    /// Deletes the names of sessions whose retention is over, in a limited number of slices. A failure in one
    /// session does not stop the others.
    private func forgetNames() async {
        let (lifetime, now) = (services.settings.retention.names, services.clock.now)
        var left = Self.mostSlicesOfNames
        do {
            let due = try await services.storage.read { rows throws(JournalError) in
                try rows.sessionsWithNames(
                    endedBefore: lifetime.map { now - $0 }, closedBefore: now, limit: Self.mostSlicesOfNames)
            }
            for session in due where left > 0 {
                do {
                    try await forgetNames(of: session, after: lifetime, &left)
                } catch {
                    services.log.noteRetry("the names of an ended session could not be deleted", after: error)
                }
            }
        } catch {
            services.log.noteRetry("sessions with expired names could not be read", after: error)
        }
    }

    private func forgetNames(of session: SessionID, after lifetime: Duration?, _ left: inout Int) async throws
    {
        var place = placesOfNames.withLock { $0.removeValue(forKey: session) }
        while left > 0 {
            left -= 1
            let command = ForgetNames(of: session, after: place, lifetime: lifetime)
            guard case .more(let next) = try await services.storage.perform(command) else { return }
            place = next
        }
        if let place { placesOfNames.withLock { $0[session] = place } }
    }

    /// The most sessions that one pass deletes.
    private static let mostExpiredSessions = 100

    /// Deletes the copies of removed and merged attendees whose correction can no longer be undone, and all
    /// data whose retention is over. Each command is a short transaction of its own, so that check-ins pass
    /// between them.
    private func forget() async {
        let (retention, now) = (services.settings.retention, services.clock.now)
        do {
            while try await services.storage.perform(ForgetRemoved()) {}
            var place: ForgetEvidence.Place?
            repeat {
                place = try await services.storage.perform(
                    ForgetEvidence(from: place, after: retention.evidence))
            } while place != nil
            // The query comes first, so that an idle server does not commit.
            while try await services.storage.read({ rows throws(JournalError) in
                try rows.hasAccountCode(sentBefore: now - AccountCode.day)
            }), try await services.storage.perform(ForgetAccountCodes(limit: 500)) > 0 {}
            // One courier deletes the ended mails of all channels.
            try await couriers.first?.forget()
            while try await services.storage.read({ rows throws(JournalError) in
                if try rows.hasDelivery(endedBefore: now - Webhook.logTime) { return true }
                return try !rows.webhooksToErase(limit: 1).isEmpty
            }), try await services.storage.perform(ForgetWebhooks()) {}
            var groups: ForgetMatching.Place?
            repeat {
                groups = try await services.storage.perform(ForgetMatching(from: groups))
            } while groups != nil
            // The query comes first, so that a server without devices does not commit.
            if try await !services.storage.read({ rows throws(JournalError) in
                try rows.sessionsWithDevices(after: nil, limit: 1)
            }).isEmpty {
                var last: SessionID?
                repeat {
                    last = try await services.storage.perform(ForgetDevices(after: last))
                } while last != nil
            }
            try await services.storage.forgetActions(before: now - retention.actions)
            var deleted = 0
            while deleted < Self.mostExpiredSessions,
                try await services.storage.deleteSession(endedBefore: now - retention.sessions)
            {
                deleted += 1
            }
            if deleted > 0 {
                services.log.note("sessions deleted because their retention is over: \(deleted)")
            }
            if let path = services.settings.logFile {
                await withTaskExecutorPreference(services.background) {
                    RotatedLogs(of: path).delete(writtenBefore: now - retention.logs)
                }
            }
        } catch {
            services.log.noteRetry("expired records could not be deleted", after: error)
        }
    }

    /// Opens the log file again, after a rotation has moved the old file away.
    package func reopenLog() { services.log.reopen() }

    /// Logs a message for the operator.
    package func note(_ text: String) { services.log.note(text) }

    /// A copy of the listening socket for the process that continues this one's work; nil if it is closed.
    package func duplicateListener() -> CInt? { door.duplicateListener() }

    /// The time in which a client that has connected must send its request while the server stops.
    private static let lastRequests = Duration.milliseconds(300)

    /// Stops the server. It accepts no more connections, asks the websocket clients to reconnect, waits for
    /// the running requests, and closes the storage.
    package func drain() async {
        services.log.note("stopping: no more connections")
        services.backups?.interrupt()
        services.engine.stop()
        await door.stopAccepting(within: Self.lastRequests)
        door.close()
        let ticker = ticker.withLock { $0 }
        ticker?.cancel()
        async let sockets: Void = sockets.drain(within: services.settings.drainTime)
        await http.drain(within: services.settings.drainTime)
        await sockets
        await metrics?.close()
        await tls?.close(within: services.settings.drainTime)
        await operatorSocket?.close()
        // The tick may have begun work. This work must end before the storage closes.
        await ticker?.value
        await mailings.drain()
        await alerts.drain()
        await absences.drain()
        await moments.drain()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [webhooks, drainTime = services.settings.drainTime] in
                await webhooks.drain(within: drainTime)
            }
            for courier in couriers {
                group.addTask { [drainTime = services.settings.drainTime] in
                    await courier.drain(within: drainTime)
                }
            }
        }
        // A backup reads the log, which the storage empties.
        await services.backups?.drain()
        await services.storage.close()
        await rewrites.finish()
        services.log.note("stopped")
    }

    /// Ends the threads of a server that was opened and not drained, without waiting for its requests. The
    /// door's thread holds the servers that it gives connections to, and their handlers hold the door's
    /// counters, so nothing else would end it. A drained server has no threads any more. The storage stays
    /// open until its creator closes it.
    deinit {
        ticker.withLock { $0?.cancel() }
        door.close()
    }
}
