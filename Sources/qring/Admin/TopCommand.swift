import Client
import CommandLine
import FrontDoor
import HostCommands
import Outbound
import Phrases
import Server
import Terminal
import Wire

private typealias Messages = CommandPhrases.Top

/// The command `qring admin top`, which shows what a running server does, from its metrics.
let topCommand = CommandDeclaration(
    "admin top", Messages.summary,
    examples: [
        .init("admin top", Messages.exampleHere),
        .init("admin top --url http://10.0.0.5:9100/metrics --every 10s", Messages.exampleThere),
        .init("admin top --json", Messages.exampleOnce),
    ],
    options: [
        .value("url", "URL", Messages.url), .value("every", "TIME", Messages.every), .json(of: TopBody.self),
    ], notes: Messages.notes, handlesSignals: true, hasServer: false
) { call throws(CommandFailure) in
    let every = try call.duration("every") ?? .seconds(2)
    guard (.seconds(1) ... .seconds(60)).contains(every) else {
        throw .usage(.notReadable("--every", call.arguments.value("every") ?? "", expected: "1s, 10s, 60s"))
    }
    guard let url = call.arguments.value("url") ?? call.metricsURL else { throw .failed(Messages.noAddress) }
    let source = MetricsSource(url: url, transport: HTTPTransport(environment: call.environment))
    guard call.console.outIsTerminal, call.console.inIsTerminal, !call.wantsJSON else {
        return try await Interruption.cancelling(call.console) { () async throws(CommandFailure) in
            let first = try await source.read()
            do { try await Task.sleep(for: every) } catch { return .interrupted }
            let activity = ServerActivity(try await source.read(), since: first)
            if call.wantsJSON {
                call.json(TopBody(activity))
            } else {
                let lines = activity.lines(call)
                let width = lines.map { DisplayWidth.of($0.name) }.max() ?? 0
                for line in lines {
                    let gap = width + 2 - DisplayWidth.of(line.name)
                    call.out(line.name + String(repeating: " ", count: gap) + line.value)
                }
            }
            return .success
        }
    }
    var screen = TopScreen(source, every: every, call)
    return try await screen.run()
}

extension Invocation {
    /// The address of the metrics of the server with these settings; nil for a server on a Unix socket
    /// without a listener for metrics.
    var metricsURL: String? {
        let written = setting("metrics-listen") ?? setting("listen") ?? ServerSettings(dataFolder: "").listen
        guard let address = ListenAddress(written), address.path == nil else { return nil }
        let host = ["0.0.0.0": "127.0.0.1", "::": "::1"][address.host] ?? address.host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(address.port)/metrics"
    }
}

/// Reads the metrics of one server.
private struct MetricsSource: Sendable {
    /// The most samples that are read.
    private static let mostSamples = 10_000

    let url: String
    let transport: HTTPTransport

    func read() async throws(CommandFailure) -> MetricsReading {
        let answer: OutboundResponse
        do throws(TransportError) {
            answer = try await transport.send(OutboundRequest("GET", url, timeout: .seconds(5)))
        } catch {
            throw .failed(Messages.noAnswer, ["url": url], next: "qring admin top --url URL")
        }
        guard answer.status != 403, answer.status != 404 else {
            throw .failed(Messages.notHere, ["url": url], next: "qring admin top --url URL")
        }
        let reading = MetricsReading(
            String(decoding: answer.body, as: UTF8.self), most: Self.mostSamples, at: .now)
        guard answer.status == 200, reading.info["version"] != nil else {
            throw .failed(Messages.notMetrics, ["url": url])
        }
        return reading
    }
}

/// The samples of one answer of `/metrics`.
private struct MetricsReading: Sendable {
    let at: ContinuousClock.Instant
    /// The values by name and labels, as they are written: `qring_not_ready{cause="disk"}`.
    private(set) var values: [Substring: Double] = [:]

    init(_ text: String, most: Int, at: ContinuousClock.Instant) {
        self.at = at
        for line in text.split(separator: "\n").prefix(most) where line.first != "#" {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]),
                value.isFinite, abs(value) < 1e15
            else { continue }
            values[line[..<space]] = value
        }
    }

    /// The labels of `qring_build_info`.
    var info: [String: String] {
        let text = values.keys.first { $0.hasPrefix("qring_build_info{") } ?? ""
        let pairs = text.matches(of: #/(\w+)="([^"]*)"/#).map { (String($0.1), String($0.2)) }
        return Dictionary(pairs) { first, _ in first }
    }

    subscript(name: String) -> Double? { values["qring_\(name)"[...]] }

    /// Returns the samples of a metric with one label, by the label's value.
    func labelled(_ name: String) -> [String: Double] {
        let start = "qring_\(name){"
        var found: [String: Double] = [:]
        for (sample, value) in values where sample.hasPrefix(start) {
            guard let match = sample.firstMatch(of: #/="([^"]*)"/#) else { continue }
            found[String(match.1)] = value
        }
        return found
    }
}

/// What a server did between two readings, and its state at the later one.
private struct ServerActivity: Sendable {
    let now: MetricsReading
    private let before: MetricsReading
    private let seconds: Double

    init(_ now: MetricsReading, since before: MetricsReading) {
        (self.now, self.before) = (now, before)
        seconds = max(0.001, (now.at - before.at) / .seconds(1))
    }

    /// Returns how much a counter grew in a second.
    func rate(_ name: String) -> Double { now[name].map { grown($0, from: before[name]) } ?? 0 }

    func rates(_ name: String) -> [String: Double] {
        let old = before.labelled(name)
        return now.labelled(name).reduce(into: [:]) { $0[$1.key] = grown($1.value, from: old[$1.key]) }
    }

    /// A restart begins a counter again from zero.
    private func grown(_ value: Double, from old: Double?) -> Double {
        let old = old ?? 0
        return (value < old ? value : value - old) / seconds
    }

    /// Returns the smallest bound of a histogram that `share` of the new values do not exceed, in seconds;
    /// infinite if it is beyond the last bound, nil if there is no new value.
    func quantile(_ share: Double, of name: String) -> Double? {
        let buckets = rates("\(name)_bucket").map { (Double($0.key) ?? .infinity, $0.value) }.sorted {
            $0.0 < $1.0
        }
        guard let total = buckets.last?.1, total > 0 else { return nil }
        return buckets.first { $0.1 >= share * total }?.0
    }

    /// The causes for which the server is not ready.
    var notReady: [String] { now.labelled("not_ready").filter { $0.value > 0 }.map(\.key).sorted() }

    /// The codes of the problems that were answered, the most frequent first.
    var problems: [(code: String, rate: Double)] {
        rates("http_problems_total").filter { $0.value > 0 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }
}

/// A line of the screen.
private struct TopLine {
    let name: String
    let value: String
    /// The newest number of the line's chart; nil for a line without one.
    var drawn: Double?
    var isBad = false
}

extension ServerActivity {
    /// Returns what the screen shows, from the top.
    func lines(_ call: Invocation) -> [TopLine] {
        func per(_ rate: Double) -> String {
            call.text(Messages.perSecond, ["count": Self.written(rate)])
        }
        func time(_ seconds: Double?) -> String {
            guard let seconds else { return "–" }
            guard seconds < 1e6 else { return call.text(Messages.beyond) }
            return seconds < 1
                ? "≤ \(Self.written(seconds * 1000)) ms"
                : "≤ \(DurationText.write(.seconds(seconds), in: call.language))"
        }
        func line(
            _ name: Phrase, _ value: String, drawn: Double? = nil, isBad: Bool = false
        ) -> TopLine {
            TopLine(name: call.text(name), value: value, drawn: drawn, isBad: isBad)
        }
        func whole(_ name: String) -> String { Self.written(now[name] ?? 0) }
        let requests = rates("http_requests_total")
        let failed = requests["5xx"] ?? 0
        let mails = now.labelled("mails")
        let oldest = now["mails_oldest_waiting_seconds"] ?? 0
        let state =
            notReady.isEmpty
            ? call.text(Messages.ready)
            : call.text(
                Messages.notReady, ["causes": notReady.map(TerminalEscaping.safe).joined(separator: ", ")])
        let all = requests.values.reduce(0, +)
        var lines = [
            line(Messages.state, state, isBad: !notReady.isEmpty),
            line(Messages.checkIns, per(rate("check_ins_total")), drawn: rate("check_ins_total")),
            line(Messages.responses, per(rate("responses_total")), drawn: rate("responses_total")),
            line(Messages.requests, per(all), drawn: all),
            line(Messages.failures, per(failed), isBad: failed > 0),
            line(
                Messages.answers,
                "\(time(quantile(0.5, of: "http_request_seconds"))) · "
                    + time(quantile(0.99, of: "http_request_seconds"))),
            line(
                Messages.connections, "\(whole("http_connections")) · \(whole("websocket_connections"))"),
            line(Messages.rooms, "\(whole("rooms")) · \(whole("room_watchers"))"),
            line(
                Messages.frames, per(rate("websocket_frames_sent_total")),
                drawn: rate("websocket_frames_sent_total")),
            line(
                Messages.commits, per(rate("journal_commits_total")), drawn: rate("journal_commits_total")),
            line(
                Messages.commitTime,
                "\(time(quantile(0.5, of: "journal_commit_seconds"))) · "
                    + time(quantile(0.99, of: "journal_commit_seconds"))),
        ]
        if let free = now["disk_free_bytes"] {
            lines.append(line(Messages.disk, "\(Int(free / 1e6)) MB", isBad: free < 1e9))
        }
        if !mails.isEmpty {
            lines.append(
                line(
                    Messages.mails,
                    "\(Self.written(mails["waiting"] ?? 0)) · \(Self.written(mails["refused"] ?? 0))"))
            lines.append(
                line(
                    Messages.oldest,
                    oldest > 0 ? DurationText.write(.seconds(oldest), in: call.language) : "–",
                    isBad: oldest > 1800))
        }
        if let silence = now["node_silence_seconds"] {
            let trip = now["database_round_trip_seconds"] ?? 0
            lines.append(
                line(
                    Messages.nodes,
                    "\(whole("nodes")) · \(DurationText.write(.seconds(silence), in: call.language)) · "
                        + DurationText.write(.seconds(trip), in: call.language),
                    isBad: silence > 3))
        }
        return lines
            + problems.map { TopLine(name: TerminalEscaping.safe($0.code), value: per($0.rate)) }
    }

    /// Writes a number with one digit behind the point if it is below ten and not whole.
    static func written(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return "–" }
        let tenths = Int((number * 10).rounded())
        return number < 10 && tenths % 10 != 0
            ? "\(tenths / 10).\(tenths % 10)" : "\(Int(number.rounded()))"
    }
}

/// Shows the activity on the whole screen, until Q, Esc or a signal.
private struct TopScreen {
    private enum Input: Sendable {
        case screen(ScreenEvent)
        case read(Result<MetricsReading, CommandFailure>)
        case screenEnded
    }

    private let source: MetricsSource
    private let every: Duration
    private let call: Invocation
    private var size = Size(columns: 80, rows: 24)
    private var last: MetricsReading?
    private var activity: ServerActivity?
    private var failure: CommandFailure?
    /// The drawn numbers of the last readings by line, the newest last.
    private var courses: [String: [Double]] = [:]
    /// The most numbers that are stored for a line.
    private static let longestCourse = 500

    init(_ source: MetricsSource, every: Duration, _ call: Invocation) {
        (self.source, self.every, self.call) = (source, every, call)
    }

    mutating func run() async throws(CommandFailure) -> ExitCode {
        let screen = try await call.openScreen()
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        let keys = Task {
            for await event in screen.events { continuation.yield(.screen(event)) }
            continuation.yield(.screenEnded)
        }
        let readings = Task { [source, every] in
            while !Task.isCancelled {
                do throws(CommandFailure) {
                    continuation.yield(.read(.success(try await source.read())))
                } catch { continuation.yield(.read(.failure(error))) }
                try? await Task.sleep(for: every)
            }
        }
        var code = ExitCode.success
        reading: for await input in inputs {
            var isUrgent = true
            switch input {
            case .screen(.key(.character("q"))), .screen(.key(.escape)): break reading
            case .screen(.ended), .screenEnded:
                code = .interrupted
                break reading
            case .screen(.resized(let size)): self.size = size
            case .screen: continue
            case .read(let result):
                take(result)
                isUrgent = false
            }
            screen.show(grid(screen.settings), isUrgent: isUrgent)
        }
        readings.cancel()
        keys.cancel()
        await screen.close()
        return code
    }

    private mutating func take(_ result: Result<MetricsReading, CommandFailure>) {
        switch result {
        case .failure(let failure): self.failure = failure
        case .success(let reading):
            failure = nil
            defer { last = reading }
            guard let last else { return }
            let activity = ServerActivity(reading, since: last)
            self.activity = activity
            for line in activity.lines(call) {
                guard let number = line.drawn else { continue }
                courses[line.name, default: []] = (courses[line.name, default: []] + [number])
                    .suffix(Self.longestCourse)
            }
        }
    }

    private func grid(_ settings: ScreenSettings) -> Grid {
        var grid = Grid(size)
        let ascii = !settings.isUTF8
        let stale = failure != nil
        let info = last?.info ?? [:]
        let title = ["QRing", info["version"], info["commit"]].compactMap { $0 }.joined(separator: " ")
        let end = grid.put(
            TerminalEscaping.safe(title), column: 1, row: 0, Style(bold: true), ascii: ascii)
        grid.put(TerminalEscaping.safe(source.url), column: end + 2, row: 0, Style(dim: true), ascii: ascii)
        if let failure {
            var text = failure.sentence(in: call.language)
            if let last {
                let age = DurationText.write(
                    .seconds(((.now - last.at) / .seconds(1)).rounded()), in: call.language)
                text = call.text(Messages.stale, ["time": age]) + " " + text
            }
            grid.put(TerminalEscaping.safe(text), column: 1, row: 1, Style(.red, bold: true), ascii: ascii)
        } else if activity == nil {
            grid.put(call.text(Messages.waiting), column: 1, row: 1, Style(dim: true), ascii: ascii)
        }
        let lines = activity?.lines(call) ?? []
        let names = min(28, (lines.map { DisplayWidth.of($0.name) }.max() ?? 0) + 2)
        for (row, line) in lines.prefix(max(0, size.rows - 4)).enumerated() {
            let style = line.isBad ? Style(.red, bold: true) : Style(dim: stale)
            grid.put(line.name, column: 1, row: row + 3, Style(dim: true), limit: names - 1, ascii: ascii)
            let end = grid.put(line.value, column: 1 + names, row: row + 3, style, ascii: ascii)
            let start = max(end + 2, names + 22)
            guard let course = courses[line.name], line.drawn != nil, start < size.columns - 4 else {
                continue
            }
            let counts = course.suffix(size.columns - 1 - start).map { Int(($0 * 10).rounded()) }
            let drawn = Sparkline.rows(counts, rows: 1, plain: ascii).first ?? ""
            grid.put(drawn, column: start, row: row + 3, Style(.blue, dim: stale), ascii: ascii)
        }
        grid.put(
            call.text(Messages.footer), column: 1, row: size.rows - 1, Style(dim: true), ascii: ascii)
        return grid
    }
}

/// The output of `qring admin top --json`.
private struct TopBody: Codable, Sendable {
    let version: String
    let notReady: [String]
    let checkInsPerSecond: Double
    let responsesPerSecond: Double
    let requestsPerSecond: Double
    let failuresPerSecond: Double
    let connections: Int
    let websockets: Int
    let rooms: Int
    let watchers: Int
    let framesPerSecond: Double
    let commitsPerSecond: Double
    let problemsPerSecond: [String: Double]

    init(_ activity: ServerActivity) {
        func whole(_ name: String) -> Int { Int(exactly: activity.now[name]?.rounded() ?? 0) ?? 0 }
        let requests = activity.rates("http_requests_total")
        version = activity.now.info["version"] ?? ""
        notReady = activity.notReady
        checkInsPerSecond = activity.rate("check_ins_total")
        responsesPerSecond = activity.rate("responses_total")
        requestsPerSecond = requests.values.reduce(0, +)
        failuresPerSecond = requests["5xx"] ?? 0
        connections = whole("http_connections")
        websockets = whole("websocket_connections")
        rooms = whole("rooms")
        watchers = whole("room_watchers")
        framesPerSecond = activity.rate("websocket_frames_sent_total")
        commitsPerSecond = activity.rate("journal_commits_total")
        problemsPerSecond = Dictionary(activity.problems.map { ($0.code, $0.rate) }) { first, _ in first }
    }
}

extension CommandPhrases {
    enum Top {
        static let summary = Phrase("show what a running server does, on one screen")
        static let exampleHere = Phrase("follow the server of this machine")
        static let exampleThere = Phrase("follow another server's listener for metrics")
        static let exampleOnce = Phrase("measure for two seconds, and print the result")
        static let url = Phrase("the address of the metrics (default: from the server's settings)")
        static let every = Phrase("the time between two readings, 1s…60s (default 2s)")
        static let notes = Phrase(
            "The numbers come from /metrics, which answers this machine only, unless metrics-listen is set. "
                + "Behind a proxy on this machine, set it. Times are upper bounds: half and 99 % of the "
                + "answers took no longer.")
        static let noAddress = Phrase(
            "This server listens on a Unix socket. Set metrics-listen, or give --url.")
        static let noAnswer = Phrase("No server answers at {url}.")
        static let notHere = Phrase(
            "The server at {url} does not show its metrics here. Behind a proxy on this machine, set "
                + "metrics-listen.")
        static let notMetrics = Phrase("{url} does not answer with the metrics of a server.")
        static let stale = Phrase("Last reading {time} ago.")
        static let waiting = Phrase("Measuring…")
        static let footer = Phrase("q quit")
        static let perSecond = Phrase("{count}/s")
        static let beyond = Phrase("longer")
        static let ready = Phrase("ready")
        static let notReady = Phrase("not ready: {causes}")
        static let state = Phrase("State", context: "top")
        static let checkIns = Phrase("Check-ins", context: "top")
        static let responses = Phrase("Responses", context: "top")
        static let requests = Phrase("Requests", context: "top")
        static let failures = Phrase("Failed requests")
        static let answers = Phrase("Response time: half · 99 %")
        static let connections = Phrase("HTTP · websockets")
        static let rooms = Phrase("Rooms · watchers")
        static let frames = Phrase("Frames sent")
        static let commits = Phrase("Commits", context: "top")
        static let commitTime = Phrase("Commits: half · 99 %")
        static let disk = Phrase("Free space")
        static let mails = Phrase("Mails: waiting · refused")
        static let oldest = Phrase("Oldest waiting mail")
        static let nodes = Phrase("Servers · silence · round trip")
    }
}
