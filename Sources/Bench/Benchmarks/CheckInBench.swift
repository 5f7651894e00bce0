internal import Meetings
internal import Threads

/// Measures durable check-ins by code. Each request is one person: the server reads the session once, runs
/// one command, and responds after the commit.
extension Scene {
    /// The number of rounds if another service or SQLite is measured too.
    private static let rounds = 5

    /// The pairs of meetings, with and without web hooks, that people check in to. The first warms up.
    static let pairsOfHooked = 1 + rounds
    /// The people of each of these meetings: fewer than `Webhook.mostWaiting`, because no receiver takes the
    /// events.
    private static let peopleOfHooked = 4_500

    func checkIn(_ report: BenchReport) throws(BenchError) -> BenchReport {
        if plan.webhooks != nil { return try checkInToHooked(report) }
        if plan.watchers == 0 { return try checkIn(report, besides: nil) }
        return try withCrowd(pause: watcherPause) { board throws(BenchError) in
            try checkIn(report, besides: board)
        }
    }

    /// The pause of the watchers, in microseconds. Their times are not measured. A poll of 10,000 sockets
    /// once a millisecond would take half a processor from the server.
    private var watcherPause: UInt32 { plan.watchesElsewhere ? 500_000 : 20_000 }

    /// Checks people in, outside the measured part.
    /// - Parameters:
    ///   - people: their numbers.
    ///   - code: the session's check-in code.
    func admit(_ people: Range<Int>, named name: String = "Attendee", to code: String) throws(BenchError) {
        let requests = CheckInRequests(codes: [code], named: name, port: server.port)
        let first = people.lowerBound
        var load = try RequestLoad(port: server.port, connections: plan.connections, stop: stop) {
            requests.bytes(for: first + $0)
        }
        let outcome = load.run(RequestLoad.Bound(count: people.count))
        if stop.isSet { throw .stopped }
        guard outcome.refused == 0 else {
            throw .meeting("\(outcome.refused) of \(people.count) check-ins")
        }
    }

    private func checkIn(_ report: BenchReport, besides crowd: CrowdBoard?) throws(BenchError) -> BenchReport
    {
        var report = report
        var load = try RequestLoad(
            ports: ([server] + others).map(\.port), connections: plan.connections, stop: stop,
            request: requests.bytes(for:))
        var other: RequestLoad?
        if let port = plan.against ?? sqlite?.server.port {
            other = try RequestLoad(
                port: port, connections: plan.connections,
                stop: stop,
                request: requests(into: sqlite?.meeting ?? meeting, port: port).bytes(for:))
        }
        var theirs: [RequestLoad.Outcome] = []
        var ours: [RequestLoad.Outcome] = []
        let warmUp = load.run(.seconds(plan.seconds / 5))
        _ = other?.run(.seconds(plan.seconds / 5))

        let rounds = other == nil ? 1 : Self.rounds
        let before = Usage(server)
        for _ in 0..<rounds {
            ours.append(load.run(.seconds(plan.seconds / Double(rounds))))
            if let outcome = other?.run(.seconds(plan.seconds / Double(rounds))) { theirs.append(outcome) }
        }
        let latencies = ours.flatMap(\.latencies)
        complete(&report, items: latencies.count, from: before, to: Usage(server))
        // Omit the generator's processor time, because it includes the requests to the other service.
        if !theirs.isEmpty { report.generatorCPUMicroseconds = nil }
        let seconds = ours.reduce(0) { $0 + Double($1.lastAnswerAt - $1.startedAt) / 1e9 }
        report.seconds = Figures.rounded(seconds, to: 3)
        report.perSecond = (Double(latencies.count) / max(1e-9, seconds)).rounded()
        report.latency = LatencySummary(nanoseconds: latencies)
        report.refused = ours.reduce(warmUp.refused + (crowd?.counts.lost ?? 0)) { $0 + $1.refused }
        report.firstRefusal = warmUp.firstRefusal ?? ours.compactMap(\.firstRefusal).first
        report.memoryMB = Figures.rounded(Double(server.memory) / 1_048_576, to: 1)
        if !theirs.isEmpty {
            let comparison = comparison(ours, theirs)
            if sqlite == nil { report.against = comparison } else { report.sqlite = comparison }
        }
        return report
    }

    /// Checks people in to meetings with web hooks and to meetings without them, in turn. No receiver can be
    /// reached, so this is the price of storing the events.
    private func checkInToHooked(_ report: BenchReport) throws(BenchError) -> BenchReport {
        var report = report
        func run(_ session: (id: SessionID, code: String)) throws(BenchError) -> RequestLoad.Outcome {
            let requests = CheckInRequests(codes: [session.code], port: server.port)
            var load = try RequestLoad(
                port: server.port, connections: plan.connections, stop: stop, request: requests.bytes(for:))
            return load.run(RequestLoad.Bound(count: Self.peopleOfHooked))
        }
        var (hooked, others): ([RequestLoad.Outcome], [RequestLoad.Outcome]) = ([], [])
        var before = Usage(server)
        for pair in 0..<Self.pairsOfHooked {
            let sessions = meeting.sessions[(2 * pair)...]
            // The first pair warms up.
            if pair == 1 {
                (hooked, others) = ([], [])
                before = Usage(server)
            }
            // Neither kind of meeting is always the first.
            for place in pair.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let outcome = try run(sessions[sessions.startIndex + place])
                if place == 0 { hooked.append(outcome) } else { others.append(outcome) }
            }
        }
        if stop.isSet { throw .stopped }
        let latencies = hooked.flatMap(\.latencies)
        complete(&report, items: latencies.count * 2, from: before, to: Usage(server))
        report.perSecond = hooked.map(\.rate).sorted()[hooked.count / 2].rounded()
        report.latency = LatencySummary(nanoseconds: latencies)
        report.refused = (hooked + others).reduce(0) { $0 + $1.refused }
        report.firstRefusal = (hooked + others).compactMap(\.firstRefusal).first
        report.checkIns = comparison(hooked, others)
        return report
    }

    func comparison(_ ours: [RequestLoad.Outcome], _ theirs: [RequestLoad.Outcome])
        -> BenchReport.Comparison
    {
        let ratios = zip(ours, theirs).map { Figures.rounded($0.rate / max(1e-9, $1.rate), to: 3) }
        let seconds = theirs.reduce(0) { $0 + Double($1.lastAnswerAt - $1.startedAt) / 1e9 }
        let latencies = theirs.flatMap(\.latencies)
        return BenchReport.Comparison(
            perSecond: (Double(latencies.count) / max(1e-9, seconds)).rounded(),
            latency: LatencySummary(nanoseconds: latencies),
            refused: theirs.reduce(0) { $0 + $1.refused }, ratio: ratios.sorted()[ratios.count / 2],
            rounds: ratios)
    }
}

extension RequestLoad.Bound {
    static func seconds(_ seconds: Double) -> RequestLoad.Bound {
        RequestLoad.Bound(until: MonotonicTime.now + .nanoseconds(ofSeconds: seconds))
    }
}
