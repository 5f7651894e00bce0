internal import Glibc
internal import Threads

/// Runs a benchmark, from the start of the server to its end.
package enum Benchmark {
    /// Runs the plan and returns the measurements. This takes the plan's time and at most about twenty
    /// seconds more. No process and no file remains afterwards. If the task is cancelled, the run ends early
    /// with `stopped`. Failed requests are counted and not thrown.
    package static func run(_ plan: BenchPlan) async throws(BenchError) -> BenchReport {
        let stop = StopFlag()
        let result: Result<BenchReport, BenchError> = await withTaskCancellationHandler {
            do throws(BenchError) { return .success(try await run(plan, stop)) } catch {
                return .failure(error)
            }
        } onCancel: {
            stop.set()
        }
        if stop.isSet { throw .stopped }
        return try result.get()
    }

    private static func run(_ plan: BenchPlan, _ stop: StopFlag) async throws(BenchError) -> BenchReport {
        LoopbackSocket.raiseLimit()
        signal(SIGPIPE, SIG_IGN)
        let report = BenchReport(plan, on: MachineLine(folder: plan.folder))
        let server = try await onThread("server") { () throws(BenchError) in
            try BenchServer(in: plan.folder, log: plan.log, stop: stop)
        }
        let result: Result<BenchReport, BenchError>
        do throws(BenchError) {
            let meeting = try await BenchMeeting.make(at: server, sessions: plan.sessions)
            let scene = Scene(plan: plan, server: server, meeting: meeting, stop: stop)
            result = .success(
                try await onThread("load") { () throws(BenchError) in
                    switch plan.kind {
                    case .checkIn: try scene.checkIn(report)
                    case .fanOut: try scene.fanOut(report)
                    case .storm: try scene.storm(report)
                    case .idle: try scene.idle(report)
                    }
                })
        } catch {
            result = .failure(error)
        }
        try await onThread("end") { server.stop() }
        return try result.get()
    }
}

extension BenchPlan {
    /// More check-ins per second than any of the servers can handle. The warm-up and the rounds of both
    /// services take their attendees from the same sequence.
    private static let mostPerSecond = 25_000.0

    fileprivate var sessions: Int {
        kind == .checkIn ? Int(seconds * 2.5 * Self.mostPerSecond) / CheckInRequests.mostInSession + 1 : 1
    }
}

/// The surroundings of a benchmark: its plan, its server and its meeting.
struct Scene: Sendable {
    let plan: BenchPlan
    let server: BenchServer
    let meeting: BenchMeeting
    let stop: StopFlag

    var requests: CheckInRequests { CheckInRequests(codes: meeting.sessions.map(\.code), port: server.port) }
    var room: String { "session:\(meeting.sessions[0].id)" }

    /// The processor time and the other readings before or after a measurement.
    struct Usage {
        let at: UInt64
        let server: UInt64
        let generator: UInt64
        let metrics: MetricsReading

        init(_ server: BenchServer) {
            metrics = server.metrics
            at = MonotonicTime.now
            self.server = server.processorTime
            generator = MonotonicTime.processorTime(of: getpid())
        }
    }

    /// Fills in the properties that every benchmark reports for `items` between two readings.
    func complete(_ report: inout BenchReport, items: Int, from before: Usage, to after: Usage) {
        report.items = items
        report.seconds = Figures.rounded((after.at - before.at).seconds, to: 3)
        report.serverCPUMicroseconds = Figures.rounded(
            Double(after.server - before.server) / 1000 / Double(max(1, items)), to: 2)
        report.generatorCPUMicroseconds = Figures.rounded(
            Double(after.generator - before.generator) / 1000 / Double(max(1, items)), to: 2)
        report.commits = CommitSummary(from: before.metrics, to: after.metrics)
    }
}
