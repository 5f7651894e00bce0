internal import CommandLine
internal import Phrases
internal import Terminal

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
        add(Messages.memoryPerWatcher, report.memoryPerWatcherKB, 2, "KB")
        add(Messages.memory, report.memoryMB, 1, "MB")
        if let other = report.against {
            add(Messages.otherPerSecond, other.perSecond, 0, "/s")
            add(other.latency, "  ")
            add(Messages.ratio, other.ratio, 2, "")
        }
        add(Messages.refusals, Double(report.refused), 0, "")
        let costs = report.routes.map { "\n" + RouteCost.table(of: $0) } ?? ""
        return report.machine.text + "\n\n" + table.text(width: nil) + costs
    }
}

extension CommandPhrases.Bench {
    static let items = Phrase("Count", "개수")
    static let perSecond = Phrase("Rate", "속도")
    static let latency = Phrase("Latency p50 / p99 / max", "지연 p50 / p99 / 최대")
    static let settle = Phrase("All watchers correct after", "시청자 모두 맞을 때까지")
    static let serverCPU = Phrase("Server CPU per item", "건당 서버 CPU")
    static let generatorCPU = Phrase("Generator CPU per item", "건당 부하 생성기 CPU")
    static let commits = Phrase("Commits × batch size, time (in commit)", "커밋 × 묶음 크기, 시간(커밋 시간)")
    static let bytes = Phrase("Bytes per delivery", "전달당 바이트")
    static let memoryPerWatcher = Phrase("Memory per watcher", "시청자당 메모리")
    static let memory = Phrase("Server memory", "서버 메모리")
    static let otherPerSecond = Phrase("Rate of the other service", "다른 서비스의 속도")
    static let ratio = Phrase("Ratio", "비율")
    static let refusals = Phrase("Refused or lost", "거부 또는 손실")
}
