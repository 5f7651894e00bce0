/// The results of a benchmark. Figures that the benchmark does not measure are nil and do not appear in JSON.
package struct BenchReport: Encodable, Sendable {
    package let benchmark: String
    package let machine: MachineLine
    package let settings: Settings
    /// The number of successful check-ins, of deliveries, or of idle watchers.
    package var items = 0
    package var seconds = 0.0
    package var perSecond: Double?
    package var latency: LatencySummary?
    /// The server's processor time per item, in microseconds, summed over all cores.
    package var serverCPUMicroseconds: Double?
    package var generatorCPUMicroseconds: Double?
    package var commits: CommitSummary?
    package var bytesPerDelivery: Double?
    /// The time from the last response until the last watcher received the correct count, in milliseconds.
    package var settleMs: Double?
    package var memoryPerWatcherKB: Double?
    package var memoryMB: Double?
    /// The number of requests that checked nobody in, of lost watchers, and of missing deliveries.
    package var refused = 0
    /// The HTTP status of the first refusal; 0 for a lost connection.
    package var firstRefusal: Int?
    package var against: Comparison?
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

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case benchmark, machine, settings, items, seconds, perSecond, latency, serverCPUMicroseconds,
            generatorCPUMicroseconds, commits
        case bytesPerDelivery, settleMs, memoryPerWatcherKB, memoryMB, refused, firstRefusal, against
        case routes, tooSlow, unexpected
    }

    static let fields = CodingKeys.allCases.map(\.rawValue)

    init(_ plan: BenchPlan, on machine: MachineLine) {
        benchmark = plan.kind.rawValue
        self.machine = machine
        settings = Settings(
            seconds: plan.seconds, connections: plan.kind == .idle ? nil : plan.connections,
            watchers: plan.watchers,
            checkIns: plan.kind == .storm ? plan.checkIns : nil,
            rate: [.fanOut, .abuse].contains(plan.kind) ? plan.rate : nil, log: plan.log,
            attendees: plan.kind == .abuse ? plan.attendees : nil,
            roster: plan.kind == .abuse ? plan.roster : nil,
            sessions: plan.kind == .abuse ? plan.meetingSessions : nil,
            fileBytes: plan.kind == .abuse ? plan.fileBytes : nil,
            abusers: plan.kind == .abuse ? plan.abusers : nil,
            limitMs: plan.kind == .abuse ? plan.limitMs : nil)
    }
}
