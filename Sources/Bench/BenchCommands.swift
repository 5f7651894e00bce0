package import CommandLine
import Dispatch
import HostCommands
import Phrases
import Synchronization

/// The commands `qring bench …`. Each command starts its own server, measures it and prints the results.
package enum BenchCommands {
    private typealias Messages = CommandPhrases.Bench

    package static var all: [CommandDeclaration] {
        [
            command(
                .checkIn, Messages.checkIn,
                [.init("bench check-in --connections 512", Messages.checkInExample)],
                [
                    seconds, connections, watchers(Messages.noWatchers),
                    .flag("elsewhere", Messages.elsewhere),
                    .value("against", "PORT", Messages.against),
                    .value("database", "URL", Messages.database), .value("nodes", "N", Messages.nodes),
                ]),
            command(
                .fanOut, Messages.fanOut, [.init("bench fan-out --watchers 2000", Messages.fanOutExample)],
                [seconds, connections, watchers(Messages.watchers), .value("rate", "N", Messages.rate)]
                    + socketIO),
            command(
                .storm, Messages.storm,
                [.init("bench storm --check-ins 10000 --json", Messages.stormExample)],
                [
                    .value("check-ins", "N", Messages.checkIns),
                    .value("seconds", "N", Messages.stormSeconds), connections,
                    watchers(Messages.watchers),
                ]),
            command(
                .idle, Messages.idle, [.init("bench idle --watchers 5000", Messages.idleExample)],
                [seconds, watchers(Messages.idleWatchers)] + socketIO),
            command(
                .hall, Messages.hall, [.init("bench hall --attendees 500", Messages.hallExample)],
                [
                    .value("attendees", "N", Messages.hallAttendees),
                    .value("rate", "N", Messages.hallRate), connections, watchers(Messages.watchers),
                ]),
            command(
                .responses, Messages.responses,
                [.init("bench responses --connections 64", Messages.responsesExample)],
                [.value("check-ins", "N", Messages.responders), connections, floors]),
            command(
                .read, Messages.read, [.init("bench read --attendees 60000", Messages.readExample)],
                [
                    .value("seconds", "N", Messages.readSeconds),
                    .value("attendees", "N", Messages.readAttendees),
                    .value("searched", "N", Messages.searched), connections, floors,
                ]),
            command(
                .abuse, Messages.abuse,
                [
                    .init(
                        "bench abuse --attendees 100000 --roster 20000 --sessions 2000 --file-kb 1024",
                        Messages.abuseExample)
                ],
                [
                    .value("attendees", "N", Messages.attendees), .value("roster", "N", Messages.roster),
                    .value("sessions", "N", Messages.sessions), .value("file-kb", "N", Messages.fileKB),
                    .value("abusers", "N", Messages.abusers),
                    .value("requests", "N", Messages.requests), .value("rate", "N", Messages.abuseRate),
                    .value("seconds", "N", Messages.abuseSeconds), .value("limit", "MS", Messages.limit),
                    connections,
                ]),
        ]
    }

    private static let connections = CommandDeclaration.Option.value("connections", "N", Messages.connections)

    private static let floors = CommandDeclaration.Option.flag("floors", Messages.floors)

    private static let seconds = CommandDeclaration.Option.value("seconds", "N", Messages.seconds)

    private static let socketIO: [CommandDeclaration.Option] = [
        .flag("socket-io", Messages.socketIO), .value("most-ratio", "N", Messages.mostRatio),
    ]

    private static func watchers(_ meaning: Phrase) -> CommandDeclaration.Option {
        .value("watchers", "N", meaning)
    }

    private static func command(
        _ kind: BenchPlan.Kind, _ summary: Phrase, _ examples: [CommandDeclaration.Example],
        _ options: [CommandDeclaration.Option]
    ) -> CommandDeclaration {
        return CommandDeclaration(
            "bench \(kind.rawValue)", summary, examples: examples,
            options: options + [
                .value("data", "DIR", Messages.data),
                .oneOf("log", ["silent", "text", "json"], Messages.log), .json(fields: BenchReport.fields),
            ], notes: Messages.notes, hasServer: false
        ) { call throws(CommandFailure) in
            let plan = try BenchPlan(kind, call)
            let report: BenchReport
            do throws(BenchError) { report = try await Benchmark.run(plan) } catch { throw failure(error) }
            if call.wantsJSON { call.json(report) } else { call.out(BenchTable.text(report, call)) }
            // Print the figures first. If the server has refused requests, the command fails, so that a
            // script does not trust the figures.
            if let unexpected = report.unexpected?.min(by: { $0.key < $1.key }) {
                throw .failed(
                    Messages.unexpected, ["route": unexpected.key, "status": String(unexpected.value)])
            }
            if let slow = report.tooSlow, let first = slow.first {
                throw .failed(
                    Messages.tooSlow,
                    ["count": String(slow.count), "limit": String(plan.limitMs), "route": first])
            }
            if plan.mustReachFloors, let missed = report.missed, !missed.isEmpty {
                throw .failed(Messages.missed, ["figures": missed.joined(separator: "; ")])
            }
            if let other = report.socketIO, other.ratio > plan.mostRatio {
                throw .failed(
                    Messages.socketIOTooCostly,
                    ["ratio": Figures.text(other.ratio, 2), "limit": Figures.text(plan.mostRatio, 2)])
            }
            guard report.refused == 0 else {
                throw .failed(
                    Messages.refused,
                    ["count": String(report.refused), "status": String(report.firstRefusal ?? 0)])
            }
            return .success
        }
    }

    private static func failure(_ error: BenchError) -> CommandFailure {
        switch error {
        case .stopped: .ended(.interrupted)
        case .folder(let path, let reason):
            .failed(CommandPhrases.Fail.fileUnwritable, ["path": path, "reason": reason])
        case .server(let reason): .failed(CommandPhrases.Serve.cannotStart, ["reason": reason])
        case .meeting(let reason): .failed(Messages.noMeeting, ["reason": reason])
        case .system(let call, let reason): .failed(Messages.system, ["call": call, "reason": reason])
        case .unlisted(let routes):
            .failed(Messages.unlisted, ["routes": routes.joined(separator: ", ")])
        case .crowd(let joined, let count):
            .failed(Messages.noCrowd, ["joined": String(joined), "count": String(count)])
        }
    }
}

extension BenchPlan {
    init(_ kind: Kind, _ call: Invocation) throws(CommandFailure) {
        self.init(kind)
        if let written = call.arguments.value("seconds") {
            let least = kind == .abuse ? 0.01 : 0.2
            guard let number = Double(written), (least...60).contains(number) else {
                throw .usage(.notReadable("--seconds", written, expected: "\(least)…60"))
            }
            seconds = number
        }
        attendees = try call.integer("attendees", 1...(kind == .hall ? 5_000 : 100_000)) ?? attendees
        roster = try call.integer("roster", 1...20_000) ?? roster
        meetingSessions = try call.integer("sessions", 2...2_000) ?? meetingSessions
        fileBytes = try call.integer("file-kb", 8...1024).map { $0 * 1024 } ?? fileBytes
        abusers = try call.integer("abusers", 1...32) ?? abusers
        requests = try call.integer("requests", 1...1000) ?? requests
        limitMs = try call.integer("limit", 1...60_000) ?? limitMs
        connections = try call.integer("connections", 1...1024) ?? connections
        watchers = try call.integer("watchers", (kind == .checkIn ? 0 : 1)...10_000) ?? watchers
        checkIns = try call.integer("check-ins", 1...50_000) ?? checkIns
        rate = try call.integer("rate", 1...1000) ?? rate
        searched = try call.integer("searched", 1...100_000) ?? searched
        mustReachFloors = call.arguments.has("floors")
        database = call.arguments.value("database")
        nodes = try call.integer("nodes", 1...8) ?? nodes
        if nodes > 1, database == nil {
            throw .usage(.missing("--database"))
        }
        watchesElsewhere = call.arguments.has("elsewhere")
        comparesSocketIO = call.arguments.has("socket-io")
        if let written = call.arguments.value("most-ratio") {
            guard let number = Double(written), (1...1000).contains(number) else {
                throw .usage(.notReadable("--most-ratio", written, expected: "1…1000"))
            }
            mostRatio = number
        }
        against = try call.integer("against", 1...65_535).map { UInt16($0) }
        folder = call.arguments.value("data") ?? folder
        log = call.arguments.value("log") ?? log
    }
}

extension CommandPhrases {
    /// The texts of `qring bench`.
    enum Bench {
        static let checkIn = Phrase(
            "measure durable check-ins of different people by code",
            "서로 다른 사람의 코드 체크인을 측정")
        static let checkInExample = Phrase("with many phones at once", "휴대폰 여러 대가 동시에")
        static let fanOut = Phrase(
            "measure the cost of sending each check-in to all watchers of a room",
            "체크인을 룸의 모든 시청자에게 보내는 비용을 측정")
        static let storm = Phrase(
            "measure how soon all watchers have the right count after a rush",
            "체크인이 몰린 뒤 시청자 모두가 올바른 인원을 볼 때까지의 시간을 측정")
        static let fanOutExample = Phrase("one change, sent to 2,000 watchers", "변경 하나를 시청자 2,000명에게 전송")
        static let idleExample = Phrase("the cost of 5,000 idle watchers", "대기 중인 시청자 5,000명의 비용")
        static let stormExample = Phrase("as one JSON object", "JSON 객체 하나로")
        static let idle = Phrase(
            "measure the memory of idle watchers and the delay of an active one",
            "대기 중인 시청자의 메모리와 활동 중인 시청자의 지연을 측정")
        static let hall = Phrase(
            "measure the answers to an open poll and the votes for audience questions",
            "열려 있는 설문의 답변과 청중 질문 추천을 측정")
        static let hallExample = Phrase("a hall in which everybody answers and votes", "모두가 답하고 추천하는 행사장")
        static let hallAttendees = Phrase(
            "attendees who answer the poll and vote three times, 1–5000 (default 500)",
            "설문에 답하고 세 번 추천하는 참석자 수, 1~5000(기본 500)")
        static let hallRate = Phrase("answers and votes per second (default 400)", "초당 답변과 추천 수(기본 400)")
        static let responses = Phrase(
            "measure the responses to three questions beside the check-ins of the same people",
            "질문 3개의 응답을 같은 사람들의 체크인과 함께 측정")
        static let responsesExample = Phrase("as a ratio to check-ins", "체크인 대비 비율로")
        static let responders = Phrase(
            "people who check in and respond, 1–50000 (default 10000)",
            "체크인하고 응답하는 사람 수, 1~50000(기본 10000)")
        static let read = Phrase(
            "measure the server's cost of pages, lists and searches",
            "페이지, 목록, 검색이 서버에 주는 부담을 측정")
        static let readExample = Phrase("with a large session", "규모가 큰 회차로")
        static let readSeconds = Phrase(
            "seconds for each read, 0.2–60 (default 2)", "읽기마다 측정할 시간(초), 0.2~60(기본 2)")
        static let readAttendees = Phrase(
            "attendees of the session whose pages are read, 1–100000 (default 60000)",
            "목록을 읽을 회차의 참석자 수, 1~100000(기본 60000)")
        static let searched = Phrase(
            "attendees of the session that is searched, 1–100000 (default 100000)",
            "검색할 회차의 참석자 수, 1~100000(기본 100000)")
        static let floors = Phrase(
            "fail if a figure misses its floor (docs/benchmarks.md)",
            "기준에 못 미치는 값이 있으면 실패(docs/benchmarks.md)")
        static let missed = Phrase(
            "These figures miss their floor: {figures}.", "기준에 못 미치는 값이 있습니다: {figures}")
        static let abuse = Phrase(
            "measure how long check-ins wait for the worst request of each route",
            "각 경로의 가장 무거운 요청 때문에 체크인이 기다리는 시간을 측정")
        static let abuseExample = Phrase("at the documented limits", "문서에 있는 한도로")
        static let attendees = Phrase(
            "attendees of the largest session (default 1000)",
            "가장 큰 회차의 참석자 수(기본 1000)")
        static let roster = Phrase("people on the roster (default 200)", "명단의 인원(기본 200)")
        static let sessions = Phrase("sessions of a meeting (default 20)", "모임의 회차 수(기본 20)")
        static let fileKB = Phrase(
            "size of an uploaded file in KB, 8–1024 (default 64)",
            "업로드할 파일의 크기(KB), 8~1024(기본 64)")
        static let abusers = Phrase(
            "connections that send the worst requests, each for another account (default 4)",
            "무거운 요청을 보내는 연결 수, 연결마다 다른 계정(기본 4)")
        static let requests = Phrase(
            "requests of each route that needs a new record for each (default 20)",
            "요청마다 새 기록이 필요한 경로의 요청 수(기본 20)")
        static let abuseRate = Phrase("check-ins per second meanwhile (default 500)", "그동안 초당 체크인 수(기본 500)")
        static let abuseSeconds = Phrase(
            "seconds for each route, 0.01–60 (default 0.5)",
            "경로마다 측정할 시간(초), 0.01~60(기본 0.5)")
        static let limit = Phrase(
            "fail if a check-in takes longer than this many milliseconds (default 100)",
            "체크인이 이 시간(밀리초)보다 오래 걸리면 실패(기본 100)")
        static let unexpected = Phrase(
            "{route} did not accept its worst request (status: {status}).",
            "{route} 경로가 시험 요청을 받지 않았습니다(상태: {status}).")
        static let tooSlow = Phrase(
            "A check-in took longer than {limit} ms during {count} {count|route|routes}, first {route}.",
            "경로 {count}개에서 체크인이 {limit}ms보다 오래 걸렸습니다. 첫 경로: {route}")
        static let unlisted = Phrase(
            "the benchmark does not know these routes of the server: {routes}",
            "벤치마크에 없는 서버 경로가 있습니다: {routes}")
        static let seconds = Phrase(
            "how long to measure, in seconds, 0.2–60 (default 5)",
            "측정 시간(초), 0.2~60(기본 5)")
        static let stormSeconds = Phrase(
            "stop sending after this many seconds, 0.2–60 (default 60)",
            "이 시간(초)이 지나면 전송 중단, 0.2~60(기본 60)")
        static let noWatchers = Phrase(
            "number of clients that watch the session during the measurement (default 0)",
            "측정하는 동안 회차를 지켜볼 시청자 수(기본 0)")
        static let database = Phrase(
            "an empty PostgreSQL database, to compare with SQLite; the data of the benchmark stays in it",
            "SQLite와 비교할 빈 PostgreSQL 데이터베이스(측정 데이터는 남음)")
        static let nodes = Phrase(
            "number of servers that share the database and the connections, 1–8 (default 1)",
            "데이터베이스와 연결을 나누어 쓰는 서버 수, 1~8(기본 1)")
        static let elsewhere = Phrase(
            "make the watchers watch another session, into which nobody checks in",
            "시청자가 아무도 체크인하지 않는 다른 회차를 지켜보게 함")
        static let connections = Phrase(
            "HTTP connections, each with one request at a time (default 64)",
            "HTTP 연결 수, 연결마다 한 번에 요청 하나(기본 64)")
        static let watchers = Phrase(
            "number of clients that watch the session (default 2000)",
            "회차를 지켜볼 시청자 수(기본 2000)")
        static let idleWatchers = Phrase(
            "number of clients that watch the session (default 5000)",
            "회차를 지켜볼 시청자 수(기본 5000)")
        static let checkIns = Phrase("number of check-ins (default 10000)", "체크인 수(기본 10000)")
        static let rate = Phrase("check-ins per second (default 20)", "초당 체크인 수(기본 20)")
        static let socketIO = Phrase(
            "measure clients of Socket.IO, too, and print the ratio",
            "Socket.IO 클라이언트도 측정하고 비율을 출력")
        static let mostRatio = Phrase(
            "with --socket-io: fail if a client costs more than this many watchers of a room (default 1.3)",
            "--socket-io와 함께: 클라이언트 비용이 룸 시청자의 이 배수를 넘으면 실패(기본 1.3)")
        static let socketIOTooCostly = Phrase(
            "A client of Socket.IO costs {ratio} times as much as a watcher of a room, more than {limit}.",
            "Socket.IO 클라이언트의 비용이 룸 시청자의 {ratio}배로, 한도 {limit}배를 넘습니다.")
        static let against = Phrase(
            "alternate with another service on this port of this machine, and print the ratio",
            "이 컴퓨터의 이 포트에 있는 다른 서비스와 번갈아 측정하고 비율을 출력")
        static let data = Phrase(
            "folder for the temporary database (default /var/tmp)",
            "임시 데이터베이스를 둘 폴더(기본 /var/tmp)")
        static let log = Phrase("the server's log format (default silent)", "서버의 로그 형식(기본 silent)")
        static let notes = Phrase(
            "The command starts its own server on a temporary database and removes both afterwards. "
                + "Compare figures only within one run on one machine: docs/benchmarks.md.",
            "임시 데이터베이스로 서버를 따로 시작하고, 끝나면 둘 다 지웁니다. 같은 컴퓨터에서 한 번에 측정한 값끼리만 비교하세요: docs/benchmarks.md")
        static let refused = Phrase(
            "{count} {count|request was|requests were} refused or lost (first status: {status}).",
            "요청 {count}건이 거부되거나 손실되었습니다(첫 상태: {status}).")
        static let noMeeting = Phrase(
            "the benchmark could not prepare its meeting: {reason}",
            "벤치마크용 모임을 준비하지 못했습니다: {reason}")
        static let noCrowd = Phrase(
            "only {joined} of {count} clients could watch the session.",
            "시청자 {count}명 중 {joined}명만 접속했습니다.")
        static let system = Phrase(
            "The system call {call} failed: {reason}.",
            "시스템 호출 {call}에 실패했습니다: {reason}")
    }
}

/// The reason why a benchmark could not run. A request that the server refuses is not an error; the report
/// counts it.
package enum BenchError: Error, Sendable, Equatable {
    case folder(String, reason: String)
    /// The benchmark's server did not start. The value is the last line of its log.
    case server(String)
    /// The meeting could not be created.
    case meeting(String)
    /// A system call failed.
    case system(call: String, reason: String)
    /// Some watchers could not join the room.
    case crowd(joined: Int, of: Int)
    /// The server describes routes that the table of worst requests lacks, or the other way round.
    case unlisted([String])
    case stopped
}

/// A flag that is set when the user stops the benchmark. Every loop of a benchmark checks it.
final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Runs blocking work on its own queue, because it must not block a thread of Swift's pool.
func onThread<Value: Sendable>(
    _ name: String, _ work: @escaping @Sendable () throws(BenchError) -> Value
) async throws(BenchError) -> Value {
    let result: Result<Value, BenchError> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "qring.bench.\(name)", qos: .userInitiated).async {
            do throws(BenchError) { continuation.resume(returning: .success(try work())) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}
