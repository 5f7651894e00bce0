import Journal
import Meetings
import Synchronization
import WebSockets

/// The counters for operators, as Prometheus text (exposition format 0.0.4).
final class Metrics: Sendable {
    private struct Requests {
        /// The number of answers by status class: 1xx … 5xx.
        var byClass = [Int](repeating: 0, count: 6)
        var times = Histogram(bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5])
        /// The number of answers with each problem code.
        var problems: [String: Int] = [:]
    }

    /// The queue of mails and of web hooks' deliveries, as read from the database.
    struct Mails {
        let counts: [MailDelivery.State: Int]
        /// The time since the oldest waiting mail was queued; zero if none waits.
        let oldest: Duration
        /// The number of waiting deliveries, at most `Metrics.countedDeliveries`.
        let deliveries: Int
        /// The time since the oldest waiting delivery was queued; zero if none waits.
        let oldestDelivery: Duration

        init(_ rows: any ReadableRows, at now: Instant) throws(JournalError) {
            counts = try rows.mailCounts()
            let first = try rows.mails(in: [.waiting], after: nil, limit: 1).first
            oldest = first.map { now.since($0.queuedAt) } ?? .zero
            deliveries = try rows.waitingDeliveries(limit: Metrics.countedDeliveries)
            oldestDelivery = try rows.oldestWaitingDelivery().map { now.since($0) } ?? .zero
        }
    }

    /// What an attempt to send an event to a web hook led to, or the end of an event without an attempt.
    enum DeliveryResult: String, CaseIterable {
        case sent
        /// The attempt failed, and another one follows.
        case deferred
        /// The web hook is gone, or cannot be used.
        case refused
        /// The last attempt failed, or the event became too old.
        case expired
        /// Nobody wants the event any more.
        case dropped

        init(_ state: MailDelivery.State) {
            switch state {
            case .waiting: self = .deferred
            case .sent: self = .sent
            case .refused: self = .refused
            case .expired: self = .expired
            case .dropped: self = .dropped
            }
        }
    }

    /// A scrape counts this many waiting deliveries and no more, so that a long queue does not slow it down.
    static let countedDeliveries = 10_000

    private let requests = Mutex(Requests())
    private let checkIns = Atomic<Int>(0)
    private let responses = Atomic<Int>(0)
    private let deliveries = Mutex<[DeliveryResult: Int]>([:])
    private let rewrites = Atomic<Int>(0)
    private let rewriteLacksRoom = Atomic<Bool>(false)

    func count(_ commits: [SessionCommit]) {
        let (came, answered) = commits.reduce(into: (0, 0)) {
            $0.0 += $1.checkIns
            $0.1 += $1.responses
        }
        if came > 0 { checkIns.add(came, ordering: .relaxed) }
        if answered > 0 { responses.add(answered, ordering: .relaxed) }
    }

    /// Counts deliveries to web hooks.
    func count(_ result: DeliveryResult, _ number: Int = 1) {
        if number > 0 { deliveries.withLock { $0[result, default: 0] += number } }
    }

    func countRewrite() { rewrites.add(1, ordering: .relaxed) }

    func setRewriteLacksRoom(_ lacksRoom: Bool) { rewriteLacksRoom.store(lacksRoom, ordering: .relaxed) }

    func answered(status: Int, duration: Duration) {
        requests.withLock {
            $0.byClass[min(5, max(1, status / 100))] += 1
            $0.times.add(duration)
        }
    }

    /// Counts an answer that is a problem. `code` is one of `ProblemCode`, so that there are few.
    func refused(_ code: String) { requests.withLock { $0.problems[code, default: 0] += 1 } }

    func text(
        writer: WriterStatistics, losses: [LostCommits], check: FileCheckReport?, nodes: NodeStatus?,
        codes: [CodeBudgets.Report], backups: BackupReport?, now: Instant, rooms: (rooms: Int, watchers: Int),
        mails: Mails?, sockets: WebSocketStatistics, notReady: [(cause: String, applies: Bool)],
        freeBytes: Int?,
        version: String, commit: String?
    ) -> String {
        let requests = requests.withLock { $0 }
        var text = ""
        func metric(_ name: String, _ kind: String, _ help: String, _ samples: [(String, String)]) {
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
            for (labels, value) in samples { text += "\(name)\(labels) \(value)\n" }
        }
        metric(
            "qring_build_info", "gauge", "The running version and its commit.",
            [("{version=\"\(version)\",commit=\"\(commit ?? "")\"}", "1")])
        metric(
            "qring_not_ready", "gauge", "1 if this cause makes /readyz answer 503; otherwise 0.",
            notReady.map { ("{cause=\"\($0.cause)\"}", $0.applies ? "1" : "0") })
        if let freeBytes {
            metric(
                "qring_disk_free_bytes", "gauge", "Free space on the disk of the data folder.",
                [("", String(freeBytes))])
        }
        if let backups {
            metric(
                "qring_backup_age_seconds", "gauge", "Age of the last good backup.",
                backups.newest.map { [("", seconds(now.since($0.at)))] } ?? [])
            metric(
                "qring_backup_bytes", "gauge", "Size of the last good backup.",
                backups.newest.map { [("", String($0.bytes))] } ?? [])
            metric(
                "qring_backup_failures_total", "counter", "Backups that could not be written.",
                [("", String(backups.failures))])
            metric(
                "qring_backup_failing", "gauge", "1 if the last backup could not be written.",
                [("", backups.isFailing ? "1" : "0")])
            metric(
                "qring_backup_waiting", "gauge",
                "1 if a backup waits until more people have answered an anonymous set.",
                [("", backups.isWaiting ? "1" : "0")])
        }
        metric(
            "qring_http_requests_total", "counter", "Requests answered, by status class.",
            (1...5).map { ("{class=\"\($0)xx\"}", String(requests.byClass[$0])) })
        func histogram(_ name: String, _ help: String, _ times: Histogram) {
            let bounds = times.bounds.map { "\($0)" } + ["+Inf"]
            metric(
                name, "histogram", help,
                zip(bounds, times.counts + [times.total]).map { ("_bucket{le=\"\($0)\"}", "\($1)") }
                    + [("_sum", "\(times.seconds)"), ("_count", "\(times.total)")])
        }
        histogram("qring_http_request_seconds", "How long answers took.", requests.times)
        metric(
            "qring_http_problems_total", "counter", "Requests answered with a problem, by its code.",
            requests.problems.sorted { $0.key < $1.key }.map { ("{code=\"\($0)\"}", "\($1)") })
        metric(
            "qring_check_ins_total", "counter", "Check-ins that brought somebody in.",
            [("", String(checkIns.load(ordering: .relaxed)))])
        metric(
            "qring_responses_total", "counter", "Responses stored.",
            [("", String(responses.load(ordering: .relaxed)))])
        func budget(_ name: String, _ kind: String, _ help: String, _ value: (CodeBudgets.Report) -> Int) {
            metric(
                "qring_code_\(name)", kind, help,
                codes.map { ("{channel=\"\($0.channel)\"}", String(value($0))) })
        }
        budget("budget", "gauge", "The most messages with codes in an hour.") { $0.most }
        budget("budget_used", "gauge", "Requests for codes in the present hour.") { $0.used }
        budget(
            "budget_used_unmarked", "gauge", "Codes of this hour for clients without a mark of earlier use."
        ) {
            $0.usedWithoutMark
        }
        budget("requests_refused_total", "counter", "Requests for codes that had to wait.") { $0.refused }
        let delivered = deliveries.withLock { $0 }
        metric(
            "qring_webhook_deliveries_total", "counter",
            "Attempts to send events to web hooks, and events that ended without one, by result.",
            DeliveryResult.allCases.map { ("{result=\"\($0.rawValue)\"}", String(delivered[$0] ?? 0)) })
        if let mails {
            metric(
                "qring_webhook_deliveries_waiting", "gauge",
                "Events that wait for active web hooks; \(Self.countedDeliveries) for more.",
                [("", String(mails.deliveries))])
            metric(
                "qring_webhook_deliveries_oldest_waiting_seconds", "gauge",
                "Time since the oldest event that waits for a web hook was queued; 0 if none waits.",
                [("", seconds(mails.oldestDelivery))])
            metric(
                "qring_mails", "gauge", "Mails and messages in the queue, by state.",
                MailDelivery.State.allCases.map {
                    ("{state=\"\($0.word)\"}", String(mails.counts[$0] ?? 0))
                })
            metric(
                "qring_mails_oldest_waiting_seconds", "gauge",
                "Time since the oldest waiting mail was queued; 0 if none waits.",
                [("", seconds(mails.oldest))])
        }
        metric("qring_rooms", "gauge", "Sessions with a live room.", [("", String(rooms.rooms))])
        metric("qring_room_watchers", "gauge", "Subscriptions to rooms.", [("", String(rooms.watchers))])
        metric(
            "qring_websocket_connections", "gauge", "Open websockets.", [("", String(sockets.connections))])
        metric(
            "qring_websocket_opened_total", "counter", "Websockets opened.", [("", String(sockets.opened))])
        metric(
            "qring_websocket_messages_received_total", "counter", "Messages received from clients.",
            [("", String(sockets.messagesReceived))])
        metric(
            "qring_websocket_frames_sent_total", "counter", "Frames sent.", [("", String(sockets.framesSent))]
        )
        metric(
            "qring_websocket_sent_bytes_total", "counter", "Bytes sent in frames.",
            [("", String(sockets.bytesSent))])
        metric(
            "qring_websocket_fell_behind_total", "counter", "Times a watcher was too slow for a frame.",
            [("", String(sockets.fellBehind))])
        metric(
            "qring_websocket_closed_slow_total", "counter", "Watchers ended for being too slow.",
            [("", String(sockets.closedSlow))])
        if let nodes {
            metric("qring_nodes", "gauge", "Servers that use the database.", [("", String(nodes.others + 1))])
            metric(
                "qring_node_silence_seconds", "gauge", "Time since the database was last asked for commits.",
                [("", seconds(nodes.silence))])
            metric(
                "qring_clock_skew_seconds", "gauge", "This clock minus the database's.",
                [("", seconds(nodes.skew))])
            metric(
                "qring_database_round_trip_seconds", "gauge",
                "The time of the last query for new commits.",
                [("", seconds(nodes.roundTrip))])
        }
        metric("qring_journal_commits_total", "counter", "Batches committed.", [("", String(writer.commits))])
        metric(
            "qring_journal_commands_total", "counter", "Commands in committed batches.",
            [("", String(writer.commands))])
        metric(
            "qring_journal_failures_total", "counter", "Batches that could not be committed.",
            [("", String(writer.failures))])
        metric(
            "qring_journal_failed_commands_total", "counter",
            "Single commands and steps that the database refused.", [("", String(writer.failedCommands))])
        metric(
            "qring_journal_conflicts_total", "counter",
            "Batches that ran again after a conflict with another transaction.",
            [("", String(writer.conflicts))])
        metric(
            "qring_journal_largest_batch", "gauge", "Commands in the largest batch.",
            [("", String(writer.largestBatch))])
        metric(
            "qring_journal_busy_seconds_total", "counter", "Time spent in batches.",
            [("", seconds(writer.busy))])
        metric(
            "qring_journal_commit_seconds_total", "counter",
            "Time spent in commits, as a part of the time spent in batches.",
            [("", seconds(writer.committing))])
        histogram(
            "qring_journal_commit_seconds", "How long the commits of batches took.", writer.commitTimes)
        metric(
            "qring_journal_rewrites_total", "counter", "Rewrites of the database file.",
            [("", String(rewrites.load(ordering: .relaxed)))])
        metric(
            "qring_journal_rewrite_lacks_space", "gauge",
            "1 if the disk has no room for the second copy of the file that a rewrite needs.",
            [("", rewriteLacksRoom.load(ordering: .relaxed) ? "1" : "0")])
        metric(
            "qring_journal_missing_commits", "gauge",
            "Acknowledged commits that are missing, until the operator removes their copies.",
            [("", String(losses.reduce(0) { $0 + $1.commits }))])
        metric(
            "qring_journal_foreign_logs", "gauge",
            "Logs of other databases that were beside this one, until the operator removes their copies.",
            [("", String(losses.count { $0.inForeignLog != nil }))])
        if let check {
            metric(
                "qring_journal_check_done", "gauge",
                "1 if the whole database file was checked since the start; 0 while it is checked.",
                [("", check.state == .running ? "0" : "1")])
            metric(
                "qring_journal_check_damaged", "gauge", "1 if the check of the whole file found damage.",
                [("", check.state == .damaged ? "1" : "0")])
            metric(
                "qring_journal_check_seconds", "gauge", "The time that the check of the whole file took.",
                [("", seconds(check.duration))])
        }
        metric(
            "qring_journal_full", "gauge", "1 if nothing can be saved, because the disk is full.",
            [("", writer.lastFailure?.reason == .full ? "1" : "0")])
        if let since = losses.map({ $0.since ?? $0.until }).min() {
            metric(
                "qring_journal_missing_since_seconds", "gauge",
                "The beginning of the first gap, in seconds since 1970.",
                [("", String(Double(since.milliseconds) / 1000))])
        }
        return text
    }

    private func seconds(_ duration: Duration) -> String {
        String(duration / .seconds(1))
    }
}
