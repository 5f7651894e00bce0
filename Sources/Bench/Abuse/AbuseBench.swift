internal import Dispatch
internal import Foundation
internal import Glibc
internal import Synchronization
internal import Threads
internal import Wire

/// Sends the worst request of each route while people check in, one route after the other.
extension Scene {
    /// The counters of the server at one moment.
    private struct Counters {
        let at = MonotonicTime.now
        let writer: Double
        let processor: UInt64
        let written: Double

        init(_ server: BenchServer) {
            writer = server.metrics["qring_journal_busy_seconds_total"]
            processor = server.processorTime
            written = server.writtenBytes
        }
    }

    /// The growth of the counters in a second without worst requests.
    private struct Idle {
        let writer: Double
        let processor: Double
        let written: Double

        init(from before: Counters, to after: Counters) {
            let seconds = max(1e-9, (after.at - before.at).seconds)
            writer = (after.writer - before.writer) / seconds
            processor = (after.processor - before.processor).seconds / seconds
            written = (after.written - before.written) / seconds
        }
    }

    /// The time of one route's requests.
    private struct Window {
        var cost: RouteCost
        let begins: UInt64
        let ends: UInt64
    }

    func abuse(_ report: BenchReport) throws(BenchError) -> BenchReport {
        let (plan, server, requests, stop) = (plan, server, requests, stop)
        let stage = AbuseStage(plan, server, operatorToken: meeting.token)
        try compareWithDescription()
        try stage.prepare { code, count throws(BenchError) in
            try admit(0..<count, to: code)
        }
        let end = StopFlag()
        let taken = TakenOutcome()
        let thread = WatcherThread {
            do throws(BenchError) {
                var load = try RequestLoad(
                    port: server.port, connections: plan.connections, stop: stop,
                    request: requests.bytes(for:))
                let interval = 1_000_000_000 / UInt64(plan.rate)
                taken.set(load.run(RequestLoad.Bound(interval: interval, end: end)))
                return nil
            } catch { return error }
        }
        let result: Result<[Window], BenchError>
        do throws(BenchError) { result = .success(try measure(stage)) } catch { result = .failure(error) }
        end.set()
        thread.wait()
        if let failure = thread.failure { throw failure }
        return complete(report, try result.get(), taken.value)
    }

    /// Compares the table of worst requests with the server's own description.
    private func compareWithDescription() throws(BenchError) {
        let body = PlainHTTP.get("/openapi.json", port: server.port)?.body ?? []
        var described: Set<String> = []
        do throws(JSONFault) {
            for (path, methods) in try JSONDocument(body).root["paths"]?.members ?? [] {
                for (method, _) in methods.members { described.insert("\(method.uppercased()) \(path)") }
            }
        } catch { throw .meeting("/openapi.json") }
        let listed = AbuseCases.all.map(\.route)
        let wrong = described.symmetricDifference(listed)
        guard wrong.isEmpty, listed.count == described.count else { throw .unlisted(wrong.sorted()) }
    }

    private func measure(_ stage: AbuseStage) throws(BenchError) -> [Window] {
        let before = Counters(server)
        usleep(UInt32(max(0.2, plan.seconds) * 1_000_000))
        let after = Counters(server)
        let idle = Idle(from: before, to: after)
        var alone = RouteCost(.none(RouteCost.alone, because: "check-ins alone"))
        alone.statuses = [:]
        var windows = [Window(cost: alone, begins: before.at, ends: after.at)]
        for found in AbuseCases.all {
            if stop.isSet { throw .stopped }
            windows.append(try measure(found, stage, idle))
        }
        return windows
    }

    private func measure(
        _ found: AbuseCase, _ stage: AbuseStage, _ idle: Idle
    ) throws(BenchError) -> Window {
        var cost = RouteCost(found)
        guard let make = found.make else { return Window(cost: cost, begins: 0, ends: 0) }
        let requests = try make(stage)
        server.forgetPeakMemory()
        let (memory, before) = (server.memory, Counters(server))
        let answers = send(requests, repeats: found.repeats, by: stage.owners)
        let after = Counters(server)
        let seconds = (after.at - before.at).seconds
        let count = Double(max(1, answers.count))
        func each(_ growth: Double, _ alone: Double, _ scale: Double) -> Double {
            Figures.rounded(max(0, growth - alone * seconds) * scale / count, to: 3)
        }
        cost.writerMs = each(after.writer - before.writer, idle.writer, 1000)
        cost.cpuMs = each((after.processor - before.processor).seconds, idle.processor, 1000)
        cost.writtenKB = each(after.written - before.written, idle.written, 1 / 1024)
        cost.memoryMB = Figures.rounded(Double(max(0, server.peakMemory - memory)) / 1_048_576, to: 1)
        cost.latency = LatencySummary(nanoseconds: answers.map(\.nanoseconds))
        cost.statuses = Dictionary(answers.map { (String($0.status), 1) }, uniquingKeysWith: +)
        // Work after the answer belongs to the request too.
        usleep(UInt32(min(0.15, plan.seconds) * 1_000_000))
        return Window(cost: cost, begins: before.at, ends: MonotonicTime.now)
    }

    /// The most changes that one abuser makes by one route. More would meet the limit on an account's
    /// changes, and the later routes would be refused.
    private static let mostChanges = 100

    /// Sends the requests over all connections, and returns the answers without their bodies.
    private func send(_ requests: [AbuseRequest], repeats: Bool, by owners: [String]) -> [AbuseAnswer] {
        let answers = Mutex<[AbuseAnswer]>([])
        let next = Atomic(0)
        let end = MonotonicTime.now + .nanoseconds(ofSeconds: plan.seconds)
        let most = requests.contains { $0.method != "GET" } ? Self.mostChanges : Int.max
        DispatchQueue.concurrentPerform(iterations: owners.count) { abuser in
            let connection = AbuseConnection(port: server.port)
            let bytes = requests.map { $0.bytes(port: server.port, owner: owners[abuser]) }
            var own: [AbuseAnswer] = []
            while !stop.isSet, own.count < most,
                !repeats || own.isEmpty || MonotonicTime.now < end
            {
                let turn = next.add(1, ordering: .relaxed).oldValue
                guard repeats || turn < bytes.count else { break }
                let answer = connection.send(bytes[turn % bytes.count])
                own.append(AbuseAnswer(status: answer.status, body: [], nanoseconds: answer.nanoseconds))
            }
            answers.withLock { $0 += own }
        }
        return answers.withLock { $0 }
    }

    private func complete(
        _ report: BenchReport, _ windows: [Window], _ outcome: RequestLoad.Outcome
    ) -> BenchReport {
        var report = report
        var costs: [RouteCost] = []
        for window in windows {
            var cost = window.cost
            if cost.statuses != nil {
                cost.checkIns = LatencySummary(
                    nanoseconds: zip(outcome.sentAt, outcome.latencies).compactMap { sent, latency in
                        sent <= window.ends && sent + latency >= window.begins ? latency : nil
                    })
            }
            costs.append(cost)
        }
        report.items = outcome.latencies.count
        report.latency = LatencySummary(nanoseconds: outcome.latencies)
        report.seconds = Figures.rounded((outcome.lastAnswerAt - outcome.startedAt).seconds, to: 3)
        report.perSecond = outcome.rate.rounded()
        report.memoryMB = Figures.rounded(Double(server.memory) / 1_048_576, to: 1)
        (report.refused, report.firstRefusal) = (outcome.refused, outcome.firstRefusal)
        report.routes = costs
        report.tooSlow = costs.filter { $0.checkIns.map { $0.maxMs > Double(plan.limitMs) } ?? false }
            .map(\.route)
        report.unexpected = Dictionary(
            uniqueKeysWithValues: costs.compactMap { cost in
                let statuses = (cost.statuses ?? [:]).keys.compactMap { Int($0) }
                // Limits may refuse some of the requests. A route that refused all has not done the work.
                let isAccepted = statuses.contains { (200..<400).contains($0) }
                // A request without an answer gives no figures, which would look like a cheap route.
                return isAccepted || cost.statuses == nil || cost.route == RouteCost.alone
                    ? nil : (cost.route, statuses.first ?? 0)
            })
        return report
    }
}

/// Takes an outcome from the thread of the load.
private final class TakenOutcome: Sendable {
    private let taken = Mutex(RequestLoad.Outcome())

    var value: RequestLoad.Outcome { taken.withLock { $0 } }

    func set(_ outcome: RequestLoad.Outcome) { taken.withLock { $0 = outcome } }
}

extension BenchServer {
    /// The bytes that the process has made the disk write (`write_bytes` in proc(5)).
    fileprivate var writtenBytes: Double { Double(field("write_bytes:", of: "io") ?? 0) }

    /// The highest resident memory in bytes since `forgetPeakMemory` (`VmHWM` in proc(5)).
    fileprivate var peakMemory: Int { (field("VmHWM:", of: "status") ?? 0) * 1024 }

    /// Resets the highest resident memory to the present one (`/proc/pid/clear_refs` in proc(5)).
    fileprivate func forgetPeakMemory() {
        let descriptor = open("/proc/\(process)/clear_refs", O_WRONLY)
        guard descriptor >= 0 else { return }
        _ = write(descriptor, "5", 1)
        close(descriptor)
    }

    private func field(_ name: String, of file: String) -> Int? {
        let text = (try? String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap {
                Int($0)
            }
        }
        return nil
    }
}
