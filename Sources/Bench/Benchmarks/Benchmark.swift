internal import Glibc
internal import Threads

/// Runs one benchmark, from the start of the server to its end.
package enum Benchmark {
    /// Runs a benchmark. It ends at most about twenty seconds after the plan's time, and leaves no process
    /// and no file behind. Refused requests are counted, not thrown.
    /// - Throws: `stopped` if the task is cancelled.
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
                    case .abuse: try scene.abuse(report)
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
    /// An upper limit for the check-ins per second of any server. The warm-up and all rounds take their
    /// people from the same sequence, so the sessions must have room for all of them.
    private static let mostPerSecond = 25_000.0

    fileprivate var sessions: Int {
        switch kind {
        case .checkIn: Int(seconds * 2.5 * Self.mostPerSecond) / CheckInRequests.mostInSession + 1
        // Ten minutes of check-ins for each session.
        case .abuse: 6
        default: 1
        }
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

    /// The time, the processor times of the server and the generator, and the server's metrics, at one
    /// moment.
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

    /// Adds the figures that every benchmark has for `items` between two moments.
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
