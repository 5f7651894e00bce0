import CommandLine
import Phrases
import Terminal

/// The results of a benchmark. Figures that the benchmark does not measure are nil and do not appear in JSON.
package struct BenchReport: Encodable, Sendable {
    package let benchmark: String
    package let machine: MachineLine
    package let settings: Settings
    /// The number of successful check-ins, of deliveries, of idle watchers, of answers and votes, of
    /// responses, or of reads.
    package var items = 0
    package var seconds = 0.0
    package var perSecond: Double?
    package var latency: LatencySummary?
    /// The server's processor time per item, in microseconds, summed over all cores.
    package var serverCPUMicroseconds: Double?
    package var generatorCPUMicroseconds: Double?
    package var commits: CommitSummary?
    package var bytesPerDelivery: Double?
    /// The frames that each watcher of a hall received in a second.
    package var framesPerSecond: Double?
    /// The time from the last response until the last watcher received the correct count, in milliseconds.
    package var settleMs: Double?
    package var memoryPerWatcherKB: Double?
    package var memoryMB: Double?
    /// The number of requests that were not accepted, of lost watchers, and of missing deliveries or counts.
    package var refused = 0
    /// The HTTP status of the first refusal; 0 for a lost connection.
    package var firstRefusal: Int?
    package var against: Comparison?
    /// The same check-ins on SQLite, in turn with those on PostgreSQL; nil without a database.
    package var sqlite: Comparison?
    /// The figures of clients of Socket.IO; nil if they were not measured.
    package var socketIO: SocketIO?
    /// The check-ins of the people who responded, or those to meetings without web hooks. The ratio is the
    /// rate of responses, or of check-ins to meetings with web hooks, divided by theirs.
    package var checkIns: Comparison?
    /// The costs of each read.
    package var reads: [ReadCost]?
    /// The figures that miss their floor; nil if the benchmark has no floors.
    package var missed: [String]?
    /// The costs of each route's worst request.
    package var routes: [RouteCost]?
    /// The routes during whose requests a check-in took longer than `settings.limitMs`.
    package var tooSlow: [String]?
    /// The routes whose worst request was not accepted, with the status.
    package var unexpected: [String: Int]?

    package struct Settings: Encodable, Sendable {
        package let seconds: Double
        package let connections: Int?
        package let watchers: Int
        package let checkIns: Int?
        package let rate: Int?
        package let log: String
        package let attendees: Int?
        package let searched: Int?
        package let roster: Int?
        package let sessions: Int?
        package let fileBytes: Int?
        package let abusers: Int?
        package let limitMs: Int?
    }

    /// The results of the same requests to another service in the same minute. The machine's changing speed
    /// affects both services.
    package struct Comparison: Encodable, Sendable {
        package let perSecond: Double
        package let latency: LatencySummary?
        package let refused: Int
        /// The median of all rounds: the server's rate divided by the other service's rate.
        package let ratio: Double
        package let rounds: [Double]
    }

    /// The cost of clients of Socket.IO beside the rooms' own clients.
    package struct SocketIO: Encodable, Sendable {
        package let memoryPerWatcherKB: Double?
        package let serverCPUMicroseconds: Double?
        package let bytesPerDelivery: Double?
        /// The memory of a client, or the processor time of a delivery, divided by that of a watcher of
        /// `/rooms`. Of several rounds, the median.
        package let ratio: Double
    }

    /// Returns the cost of a client of Socket.IO divided by the cost of the rooms' own client.
    static func ratio(_ pair: (own: BenchReport, socketIO: BenchReport)) -> Double {
        let (own, socketIO) = pair
        let costs = [own, socketIO].map { $0.memoryPerWatcherKB ?? $0.serverCPUMicroseconds ?? 0 }
        return costs[1] / max(costs[0], 0.001)
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case benchmark, machine, settings, items, seconds, perSecond, latency, serverCPUMicroseconds,
            generatorCPUMicroseconds, commits
        case bytesPerDelivery, framesPerSecond, settleMs, memoryPerWatcherKB, memoryMB, refused, firstRefusal,
            against, sqlite, socketIO, checkIns
        case reads, missed, routes, tooSlow, unexpected
    }

    static let fields = CodingKeys.allCases.map(\.rawValue)

    init(_ plan: BenchPlan, on machine: MachineLine) {
        benchmark = plan.kind.rawValue
        self.machine = machine
        settings = Settings(
            seconds: plan.seconds, connections: plan.kind == .idle ? nil : plan.connections,
            watchers: plan.watchers,
            checkIns: [.storm, .responses].contains(plan.kind) ? plan.checkIns : nil,
            rate: [.fanOut, .hall, .abuse].contains(plan.kind) ? plan.rate : nil, log: plan.log,
            attendees: [.hall, .read, .abuse].contains(plan.kind) ? plan.attendees : nil,
            searched: plan.kind == .read ? plan.searched : nil,
            roster: plan.kind == .abuse ? plan.roster : nil,
            sessions: plan.kind == .abuse ? plan.meetingSessions : plan.database.map { _ in plan.sessions },
            fileBytes: plan.kind == .abuse ? plan.fileBytes : nil,
            abusers: plan.kind == .abuse ? plan.abusers : nil,
            limitMs: plan.kind == .abuse ? plan.limitMs : nil)
    }
}

/// Writes a report for people: first a line about the machine, then one line for each figure.
enum BenchTable {
    private typealias Messages = CommandPhrases.Bench

    static func text(_ report: BenchReport, _ call: Invocation) -> String {
        var table = Table([report.benchmark, ""])
        func add(_ name: Phrase, _ value: Double?, _ places: Int, _ unit: String) {
            guard let value else { return }
            table.add([call.text(name), Figures.text(value, places) + (unit.isEmpty ? "" : " \(unit)")])
        }
        func add(_ latency: LatencySummary?, _ prefix: String = "") {
            guard let latency else { return }
            let values = [latency.p50Ms, latency.p99Ms, latency.maxMs].map { Figures.text($0, 2) }.joined(
                separator: " / ")
            table.add([prefix + call.text(Messages.latency), "\(values) ms"])
        }
        add(Messages.items, Double(report.items), 0, "")
        add(Messages.perSecond, report.perSecond, 0, "/s")
        add(report.latency)
        add(Messages.settle, report.settleMs, 1, "ms")
        add(Messages.serverCPU, report.serverCPUMicroseconds, 2, "µs")
        add(Messages.generatorCPU, report.generatorCPUMicroseconds, 2, "µs")
        if let commits = report.commits, commits.commits > 0 {
            table.add([
                call.text(Messages.commits),
                "\(commits.commits) × \(Figures.text(commits.batch, 1)), \(Figures.text(commits.busyMs, 2)) "
                    + "ms (\(Figures.text(commits.commitMs, 2)) ms)",
            ])
        }
        add(Messages.bytes, report.bytesPerDelivery, 0, "B")
        add(Messages.frames, report.framesPerSecond, 1, "/s")
        add(Messages.memoryPerWatcher, report.memoryPerWatcherKB, 2, "KB")
        add(Messages.memory, report.memoryMB, 1, "MB")
        if let other = report.against {
            add(Messages.otherPerSecond, other.perSecond, 0, "/s")
            add(other.latency, "  ")
            add(Messages.ratio, other.ratio, 2, "")
        }
        if let other = report.sqlite {
            add(Messages.sqlitePerSecond, other.perSecond, 0, "/s")
            add(other.latency, "  ")
            add(Messages.ratio, other.ratio, 2, "")
        }
        if let other = report.checkIns {
            add(Messages.checkInsPerSecond, other.perSecond, 0, "/s")
            add(Messages.ratio, other.ratio, 2, "")
        }
        if let other = report.socketIO {
            add(Messages.socketIOMemory, other.memoryPerWatcherKB, 2, "KB")
            add(Messages.socketIOCPU, other.serverCPUMicroseconds, 2, "µs")
            add(Messages.ratio, other.ratio, 2, "")
        }
        add(Messages.refusals, Double(report.refused), 0, "")
        let reads = report.reads.map { "\n" + ReadCost.table(of: $0) } ?? ""
        let costs = report.routes.map { "\n" + RouteCost.table(of: $0) } ?? ""
        return report.machine.text + "\n\n" + table.text(width: nil) + reads + costs
    }
}

extension CommandPhrases.Bench {
    static let items = Phrase("Count")
    static let perSecond = Phrase("Rate")
    static let latency = Phrase("Latency p50 / p99 / max")
    static let settle = Phrase("All watchers correct after")
    static let serverCPU = Phrase("Server CPU per item")
    static let generatorCPU = Phrase("Generator CPU per item")
    static let commits = Phrase("Commits × batch size, time (in commit)")
    static let bytes = Phrase("Bytes per delivery")
    static let frames = Phrase("Frames per watcher")
    static let memoryPerWatcher = Phrase("Memory per watcher")
    static let memory = Phrase("Server memory")
    static let otherPerSecond = Phrase("Rate of the other service")
    static let sqlitePerSecond = Phrase("Rate on SQLite")
    static let checkInsPerSecond = Phrase("Rate of check-ins")
    static let socketIOMemory = Phrase("Memory per Socket.IO client")
    static let socketIOCPU = Phrase("Server CPU per Socket.IO delivery")
    static let ratio = Phrase("Ratio")
    static let refusals = Phrase("Refused or lost")
}
