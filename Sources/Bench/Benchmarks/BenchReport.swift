/// The measurements of a benchmark. A property that the benchmark does not measure is nil.
package struct BenchReport: Encodable, Sendable {
    package let benchmark: String
    package let machine: MachineLine
    package let settings: Settings
    /// The number of successful check-ins, of deliveries, or of idle watchers.
    package var items = 0
    package var seconds = 0.0
    package var perSecond: Double?
    package var latency: LatencySummary?
    /// The processor time of the server on all cores, in microseconds per item.
    package var serverCPUMicroseconds: Double?
    package var generatorCPUMicroseconds: Double?
    package var commits: CommitSummary?
    package var bytesPerDelivery: Double?
    /// The time from the last response until the last watcher received the correct count, in milliseconds.
    package var settleMs: Double?
    package var memoryPerWatcherKB: Double?
    package var memoryMB: Double?
    /// The number of failed check-ins, lost watchers and missing deliveries.
    package var refused = 0
    /// The HTTP status of the first failed request, or 0 if its connection was lost.
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

    /// The measurements of another service that received the same requests in the same minute. Changes of the
    /// machine's speed affect both services.
    package struct Comparison: Encodable, Sendable {
        package let perSecond: Double
        package let latency: LatencySummary?
        package let refused: Int
        /// The rate of this server divided by the rate of the other service, as the median of all rounds.
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
