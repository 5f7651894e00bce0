/// What a benchmark found. What it does not measure is absent.
package struct BenchReport: Encodable, Sendable {
    package let benchmark: String
    package let machine: MachineLine
    package let settings: Settings
    /// Check-ins that brought somebody in, deliveries, or idle watchers.
    package var items = 0
    package var seconds = 0.0
    package var perSecond: Double?
    package var latency: LatencySummary?
    /// Of all cores, in microseconds an item.
    package var serverCPUMicroseconds: Double?
    package var generatorCPUMicroseconds: Double?
    package var commits: CommitSummary?
    package var bytesPerDelivery: Double?
    /// From the last answer until the last watcher had the right count.
    package var settleMs: Double?
    package var memoryPerWatcherKB: Double?
    package var memoryMB: Double?
    /// Requests that brought nobody in, watchers that were lost, and deliveries that never came.
    package var refused = 0
    /// The first refusal's status; 0 for a connection that was lost.
    package var firstRefusal: Int?
    package var against: Comparison?

    package struct Settings: Encodable, Sendable {
        package let seconds: Double
        package let connections: Int?
        package let watchers: Int
        package let checkIns: Int?
        package let rate: Int?
        package let log: String
    }

    /// The same requests to another service in the same minute; the machine's moods are in both.
    package struct Comparison: Encodable, Sendable {
        package let perSecond: Double
        package let latency: LatencySummary?
        package let refused: Int
        /// Our rate over the other's: the median of the rounds.
        package let ratio: Double
        package let rounds: [Double]
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case benchmark, machine, settings, items, seconds, perSecond, latency, serverCPUMicroseconds,
            generatorCPUMicroseconds, commits
        case bytesPerDelivery, settleMs, memoryPerWatcherKB, memoryMB, refused, firstRefusal, against
    }

    static let fields = CodingKeys.allCases.map(\.rawValue)

    init(_ plan: BenchPlan, on machine: MachineLine) {
        benchmark = plan.kind.rawValue
        self.machine = machine
        settings = Settings(
            seconds: plan.seconds, connections: plan.kind == .idle ? nil : plan.connections,
            watchers: plan.watchers,
            checkIns: plan.kind == .storm ? plan.checkIns : nil, rate: plan.kind == .fanOut ? plan.rate : nil,
            log: plan.log)
    }
}
