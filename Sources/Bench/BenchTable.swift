internal import CommandLine
internal import Phrases
internal import Terminal

/// Formats a report as text: first a line about the machine, then one line for each figure.
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
        return report.machine.text + "\n\n" + table.text(width: nil)
    }
}
