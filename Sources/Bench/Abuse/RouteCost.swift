/// What the worst request of one route costs, and how long check-ins took meanwhile. The cost of a request is
/// the growth of a counter during the requests, without the growth that the check-ins alone cause.
package struct RouteCost: Encodable, Sendable {
    /// The method and the path as in the server's description.
    package let route: String
    /// The worst request, or the reason why there is none.
    package let worst: String
    /// The answers by status; 0 for a lost connection. Nil if the route needs no request.
    package var statuses: [String: Int]?
    package var latency: LatencySummary?
    package var checkIns: LatencySummary?
    /// The writer's time for one request, in milliseconds.
    package var writerMs: Double?
    /// The server's processor time for one request, in milliseconds: readers, handlers and the writer.
    package var cpuMs: Double?
    /// The growth of the server's resident memory at its highest, in megabytes.
    package var memoryMB: Double?
    /// The kilobytes that one request makes the server write to the disk, log and copies included.
    package var writtenKB: Double?

    /// The route of the row for check-ins alone.
    static let alone = "–"

    init(_ found: AbuseCase) { (route, worst) = (found.route, found.worst) }

    /// Returns the costs as the table in docs/costs.md.
    static func table(of costs: [RouteCost]) -> String {
        func cell(_ value: Double?, _ places: Int) -> String { value.map { Figures.text($0, places) } ?? "–" }
        var lines = [
            "| route | answers | writer ms | CPU ms | MB | KB written | p99 ms | check-in max |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for cost in costs {
            let cells = [
                "`\(cost.route)`", (cost.statuses ?? [:]).keys.sorted().joined(separator: " "),
                cell(cost.writerMs, 1), cell(cost.cpuMs, 1), cell(cost.memoryMB, 0),
                cell(cost.writtenKB, 0), cell(cost.latency?.p99Ms, 0), cell(cost.checkIns?.maxMs, 0),
            ]
            lines.append("| \(cells.joined(separator: " | ")) |")
        }
        lines += ["", "| route | worst request |", "|---|---|"]
        for cost in costs { lines.append("| `\(cost.route)` | \(cost.worst) |") }
        return lines.joined(separator: "\n") + "\n"
    }
}
