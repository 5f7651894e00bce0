/// The values of `/metrics` at one time (Prometheus text format, only samples without labels).
package struct MetricsReading: Sendable {
    private let values: [String: Double]

    package init(_ text: String) {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
        }
        self.values = values
    }

    /// The value of a sample, or 0 if there is no such sample.
    package subscript(name: String) -> Double { values[name] ?? 0 }
}

/// A summary of the journal's batches between two readings.
package struct CommitSummary: Encodable, Sendable {
    package let commits: Int
    /// The average number of commands per batch.
    package let batch: Double
    /// The average time of a whole batch in milliseconds. `commitMs` is the average time of the commit alone.
    package let busyMs: Double
    package let commitMs: Double

    package init(from before: MetricsReading, to after: MetricsReading) {
        func grown(_ name: String) -> Double { after[name] - before[name] }
        let count = grown("qring_journal_commits_total")
        commits = Int(count)
        batch = Figures.rounded(grown("qring_journal_commands_total") / max(1, count), to: 1)
        busyMs = Figures.rounded(grown("qring_journal_busy_seconds_total") * 1000 / max(1, count), to: 3)
        commitMs = Figures.rounded(grown("qring_journal_commit_seconds_total") * 1000 / max(1, count), to: 3)
    }
}

enum Figures {
    /// Rounds a value, so that no printed value has more digits than were measured.
    static func rounded(_ value: Double, to places: Int) -> Double {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        return (value * scale).rounded() / scale
    }

    /// Returns the text of a value with exactly this number of decimal places.
    static func text(_ value: Double, _ places: Int) -> String {
        let rounded = rounded(value, to: places)
        guard places > 0 else { return String(Int(rounded)) }
        let text = String(rounded)
        let digits = text.split(separator: ".").last?.count ?? 0
        return text + String(repeating: "0", count: max(0, places - digits))
    }
}
