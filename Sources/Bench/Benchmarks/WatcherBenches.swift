internal import Glibc
internal import Threads

extension Scene {
    /// The maximum time in seconds that the last frames may need to arrive.
    private static let settleDeadline = 10.0

    /// Sends check-ins at an even rate and counts the deliveries: each watcher receives a frame for each
    /// check-in.
    func fanOut(_ report: BenchReport) throws(BenchError) -> BenchReport {
        try withCrowd { board throws(BenchError) in
            var report = report
            var load = try RequestLoad(
                port: server.port, connections: plan.connections, stop: stop,
                request: requests.bytes(for:))
            let interval = 1_000_000_000 / UInt64(plan.rate)
            let warmUp = load.run(RequestLoad.Bound(count: max(1, plan.rate / 4), interval: interval))
            settle(board)
            board.reset()
            let before = Usage(server)
            let outcome = load.run(
                RequestLoad.Bound(count: max(1, Int(plan.seconds * Double(plan.rate))), interval: interval),
                sent: { board.sent($0, at: $1) })
            settle(board)
            let after = Usage(server)
            let counts = board.counts
            complete(&report, items: counts.deliveries, from: before, to: after)
            report.perSecond = (Double(counts.deliveries) / max(1e-9, (after.at - before.at).seconds))
                .rounded()
            report.bytesPerDelivery = (Double(counts.bytes) / Double(max(1, counts.deliveries))).rounded()
            report.latency = LatencySummary(nanoseconds: counts.latencies)
            report.refused = warmUp.refused + outcome.refused + counts.lost
            report.firstRefusal = warmUp.firstRefusal ?? outcome.firstRefusal
            return report
        }
    }

    /// Sends all check-ins as fast as the server responds, and then waits until the last watcher has received
    /// the correct count.
    func storm(_ report: BenchReport) throws(BenchError) -> BenchReport {
        try withCrowd { board throws(BenchError) in
            var report = report
            var load = try RequestLoad(
                port: server.port, connections: plan.connections, stop: stop,
                request: requests.bytes(for:))
            board.reset(goal: plan.checkIns)
            let before = Usage(server)
            var bound = RequestLoad.Bound.seconds(plan.seconds)
            bound.count = plan.checkIns
            let outcome = load.run(bound)
            let after = Usage(server)
            let end = MonotonicTime.now + .nanoseconds(ofSeconds: Self.settleDeadline)
            let areAllIn = outcome.latencies.count == plan.checkIns
            while areAllIn, board.counts.reached < plan.watchers, MonotonicTime.now < end, !stop.isSet {
                usleep(1000)
            }
            let counts = board.counts
            complete(&report, items: outcome.latencies.count, from: before, to: after)
            report.perSecond = outcome.rate.rounded()
            report.latency = LatencySummary(nanoseconds: outcome.latencies)
            report.refused =
                plan.checkIns - outcome.latencies.count
                + (areAllIn ? plan.watchers - counts.reached : counts.lost)
            report.firstRefusal = outcome.firstRefusal
            report.bytesPerDelivery = (Double(counts.bytes) / Double(max(1, counts.deliveries))).rounded()
            if counts.reached == plan.watchers {
                let settled = max(counts.lastReachedAt, outcome.lastAnswerAt) - outcome.lastAnswerAt
                report.settleMs = Figures.rounded(Double(settled) / 1e6, to: 1)
            }
            return report
        }
    }

    /// Measures the memory of idle watchers, and the response time of one active watcher among them.
    func idle(_ report: BenchReport) throws(BenchError) -> BenchReport {
        // Let one watcher join and leave first, so that the measured memory does not include the room and the
        // program's code.
        try withCrowd(of: 1) { _ throws(BenchError) in }
        let before = server.memory
        return try withCrowd(pause: 500_000) { _ throws(BenchError) in
            // Wait first. Memory that the server used only for joining is counted if the server has not
            // released it by then.
            usleep(UInt32(min(1, plan.seconds) * 500_000))
            var report = report
            report.memoryPerWatcherKB = Figures.rounded(
                Double(server.memory - before) / 1024 / Double(plan.watchers), to: 2)
            report.memoryMB = Figures.rounded(Double(server.memory) / 1_048_576, to: 1)
            let usage = Usage(server)
            let latencies = try EchoWatcher.latencies(
                port: server.port, token: meeting.token,
                until: MonotonicTime.now + .nanoseconds(ofSeconds: plan.seconds),
                interval: 5_000_000, stop: stop)
            complete(&report, items: plan.watchers, from: usage, to: Usage(server))
            (report.serverCPUMicroseconds, report.generatorCPUMicroseconds, report.commits) = (nil, nil, nil)
            report.latency = LatencySummary(nanoseconds: latencies)
            return report
        }
    }

    /// Waits until no deliveries arrive for a while.
    func settle(_ board: CrowdBoard) {
        let end = MonotonicTime.now + .nanoseconds(ofSeconds: Self.settleDeadline)
        var before = -1
        while MonotonicTime.now < end, !stop.isSet, board.counts.frames != before {
            before = board.counts.frames
            usleep(150_000)
        }
    }

    /// Runs `body` while all watchers are in the session's room. The watchers have their own thread.
    func withCrowd<Found: Sendable>(
        of count: Int? = nil, pause: UInt32 = 1000, _ body: (CrowdBoard) throws(BenchError) -> Found
    ) throws(BenchError) -> Found {
        let board = CrowdBoard()
        let end = StopFlag()
        let (room, stop, server, token, count) = (room, stop, server, meeting.token, count ?? plan.watchers)
        let client = plan.client
        let thread = WatcherThread {
            var crowd = Crowd(room: room, client: client, board: board, stop: stop)
            do throws(BenchError) {
                try crowd.gather(count, port: server.port, token: token)
            } catch {
                return error
            }
            crowd.watch(pause: pause, until: end)
            return nil
        }
        defer {
            end.set()
            thread.wait()
        }
        while board.counts.joined < count {
            if let error = thread.failure { throw error }
            if stop.isSet { throw .stopped }
            usleep(1000)
        }
        return try body(board)
    }
}
