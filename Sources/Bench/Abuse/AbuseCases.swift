internal import Meetings
internal import Wire

/// The worst request of one route at the documented limits, or the reason why the route needs none.
struct AbuseCase: Sendable {
    typealias Make = @Sendable (AbuseStage) throws(BenchError) -> [AbuseRequest]

    /// The method and the path as in the server's description, for example `GET /api/v1/meetings/{id}`.
    let route: String
    /// What the worst request is, or why the route has none. English, as the documents.
    let worst: String
    /// Makes the requests before the measured time; nil if the route needs no request.
    let make: Make?
    /// Whether the requests are sent again and again. Otherwise each request is sent once.
    let repeats: Bool

    /// Makes a case whose one request is sent again and again.
    static func same(_ route: String, _ worst: String, _ make: @escaping Make) -> AbuseCase {
        AbuseCase(route: route, worst: worst, make: make, repeats: true)
    }

    /// Makes a case whose requests are different, and each is sent once.
    static func each(_ route: String, _ worst: String, _ make: @escaping Make) -> AbuseCase {
        AbuseCase(route: route, worst: worst, make: make, repeats: false)
    }

    /// Makes a case for a route that needs no request.
    static func none(_ route: String, because reason: String) -> AbuseCase {
        AbuseCase(route: route, worst: reason, make: nil, repeats: false)
    }
}

/// The table of worst requests, in the order in which they are sent. Requests that delete a part of the stage
/// come last. The benchmark compares the table with the server's own description.
enum AbuseCases {
    static func get(_ path: String, _ caller: AbuseRequest.Caller = .owner) -> [AbuseRequest] {
        [AbuseRequest(method: "GET", path: path, caller: caller)]
    }

    /// Requests for the largest pictures of a code. The server stores the pictures that it has drawn.
    private static func pictures(_ path: String) -> [AbuseRequest] {
        (1024...2048).reversed().flatMap { get("\(path)?size=\($0)") }
    }

    static func send(
        _ method: String, _ path: String, _ json: String, _ caller: AbuseRequest.Caller = .owner
    ) -> AbuseRequest {
        AbuseRequest(method: method, path: path, caller: caller, body: Array(json.utf8))
    }

    static func many(
        _ stage: AbuseStage, _ most: Int = .max, _ make: (Int) throws(BenchError) -> AbuseRequest
    ) throws(BenchError) -> [AbuseRequest] {
        var requests: [AbuseRequest] = []
        for number in 0..<min(most, stage.plan.requests) { requests.append(try make(number)) }
        return requests
    }

    /// The most requests for codes of one case. An address gets 60 on each channel without a pause.
    private static let mostCodeRequests = 25

    /// Requests for codes by mail, each for another address.
    private static func codeRequests(_ kind: String, _ stage: AbuseStage) throws(BenchError)
        -> [AbuseRequest]
    {
        try many(stage, mostCodeRequests) { number throws(BenchError) in
            send("POST", "/api/v1/accounts/\(kind)", #"{"email":"code\#(number)@bench.example"}"#, .nobody)
        }
    }

    /// Answers to the hall's questions, as its form sends them.
    private static func answers(_ stage: AbuseStage) -> String {
        let numbers = stage.questions.enumerated().filter { AbuseTexts.kind(of: $0.offset) == .rating }
        return numbers.map { "q_\($0.element)=7" }.joined(separator: "&")
    }

    static let all: [AbuseCase] =
        operations + reads + pages + accounts + attendees + audience + matching + hosts
        + deletions

    private static let operations: [AbuseCase] = [
        .same("GET /healthz", "answered on the HTTP loop") { _ in get("/healthz", .nobody) },
        .same("GET /readyz", "asks the storage") { _ in get("/readyz", .nobody) },
        .same("GET /metrics", "all counters, by this machine") { _ in get("/metrics", .nobody) },
        .same("GET /openapi.json", "the whole description") { _ in get("/openapi.json", .nobody) },
        .same("GET /asyncapi.json", "the whole description") { _ in get("/asyncapi.json", .nobody) },
        .none(
            "GET /rooms",
            because: "an upgrade; scripts/torture hostile opens 2,000 rooms; "
                + "a join with an unknown position reads one more row"),
        .same("POST /rooms/tickets", "one look-up of a token") { _ in
            [AbuseRequest(method: "POST", path: "/rooms/tickets")]
        },
        .none("GET /rooms/events", because: "a room like one of GET /rooms"),
        .none("GET /socket.io", because: "waits for a room like one of GET /rooms"),
        .none("POST /socket.io", because: "the messages of a room like one of GET /rooms"),
        .none("GET /unsubscribe/{token}", because: "two rows; links are in mails"),
        .none("POST /unsubscribe/{token}", because: "one row; links are in mails"),
        .none("OPTIONS /api/question/{typeID}", because: "a fixed answer without a body"),
        .none("OPTIONS /api/answers/{typeID}", because: "a fixed answer without a body"),
    ]

    private static let reads: [AbuseCase] = [
        .same("GET /api/v1/accounts/availability", "one look-up, limited by address") { _ in
            get("/api/v1/accounts/availability?email=nobody@bench.example", .nobody)
        },
        .same("GET /api/v1/tokens", "all sign-ins of an account") { _ in get("/api/v1/tokens") },
        .same("GET /api/v1/me", "one account") { _ in get("/api/v1/me") },
        .same("GET /api/v1/me/export", "an account with its sign-ins and meetings, 60 times") { _ in
            get("/api/v1/me/export")
        },
        .same("GET /api/v1/me/export.html", "the same as a page") { _ in get("/api/v1/me/export.html") },
        .same("GET /api/v1/actions", "a page of 200 actions") {
            get("/api/v1/actions?limit=200", .bearer($0.operatorToken))
        },
        .same("GET /api/v1/users", "a page of 200 accounts") {
            get("/api/v1/users?limit=200", .bearer($0.operatorToken))
        },
        .same("GET /api/v1/code-budgets", "two counts in memory") {
            get("/api/v1/code-budgets", .bearer($0.operatorToken))
        },
        .same("GET /api/v1/notices", "the notices, from memory") {
            get("/api/v1/notices", .bearer($0.operatorToken))
        },
        .same("GET /api/v1/mails", "a page of 200 mails") {
            get("/api/v1/mails?limit=200", .bearer($0.operatorToken))
        },
        .none("GET /api/v1/users/{accountId}", because: "one account, for operators"),
        .none("POST /api/v1/users", because: "a sign-up, for operators"),
        .none("POST /api/v1/users/{accountId}/suspend", because: "one account, for operators"),
        .none("POST /api/v1/users/{accountId}/resume", because: "one account, for operators"),
        .none("POST /api/v1/users/{accountId}/make-operator", because: "one account, for operators"),
        .none("POST /api/v1/users/{accountId}/reset-password", because: "a sign-up's hash, for operators"),
        .none("DELETE /api/v1/users/{accountId}", because: "DELETE /api/v1/me, for operators"),
        .none("POST /api/v1/mails/{mailId}/retry", because: "one row, for operators"),
        .none("DELETE /api/v1/mails/{mailId}", because: "one row, for operators"),
        .same("GET /api/v1/meetings/{id}/actions", "a page of 200 actions") { stage in
            get("/api/v1/meetings/\(stage.hall.meeting)/actions?limit=200")
        },
        .same("GET /api/v1/meetings/{id}/roster/{personId}/export", "a person of five sessions") {
            stage throws(BenchError) in
            get("/api/v1/meetings/\(stage.school.meeting)/roster/\(try stage.person())/export")
        },
        .same("GET /api/v1/meetings/{id}/roster/{personId}/export.html", "a person of five sessions") {
            stage throws(BenchError) in
            get("/api/v1/meetings/\(stage.school.meeting)/roster/\(try stage.person())/export.html")
        },
        .same("GET /api/v1/check-ins/current/export", "one record, 60 times") { stage throws(BenchError) in
            get("/api/v1/check-ins/current/export", .bearer(try stage.guest().receipt))
        },
        .same("GET /me/{id}/data", "one record, 60 times") { stage throws(BenchError) in
            let guest = try stage.guest()
            return get("/me/\(stage.hall.session)/data", .cookie(cookie(of: guest, stage)))
        },
        .same("GET /me/{id}/data.json", "one record, 60 times") { stage throws(BenchError) in
            let guest = try stage.guest()
            return get("/me/\(stage.hall.session)/data.json", .cookie(cookie(of: guest, stage)))
        },
        .same("GET /api/v1/me/devices", "the devices of an account, ten at most") { _ in
            get("/api/v1/me/devices")
        },
        .each("POST /api/v1/me/devices", "the longest token, refused after ten of them") {
            stage throws(BenchError) in
            let rest = String(repeating: "t", count: 980)
            return try many(stage) { number throws(BenchError) in
                send("POST", "/api/v1/me/devices", #"{"platform":"fcm","token":"\#(number)\#(rest)"}"#)
            }
        },
        .each("DELETE /api/v1/me/devices/{id}", "a device") { stage throws(BenchError) in
            try many(stage, 10) { number throws(BenchError) in
                let guest = AbuseRequest.Caller.bearer(try stage.guest().receipt)
                let device = #"{"platform":"fcm","token":"removed-device-\#(number)"}"#
                let made = try stage.call(send("POST", "/api/v1/me/devices", device, guest))
                let path = "/api/v1/me/devices/\(made["id"]?.string ?? "")"
                return AbuseRequest(method: "DELETE", path: path, caller: guest)
            }
        },
        .same("GET /api/v1/me/invitations", "all invitations of an account") { _ in
            get("/api/v1/me/invitations")
        },
        .same("GET /api/v1/meetings", "a page of 200 meetings") { _ in get("/api/v1/meetings?limit=200") },
        .same("GET /api/v1/meetings/{id}", "a meeting with 2,000 sessions") {
            get("/api/v1/meetings/\($0.series.meeting)")
        },
        .same("GET /api/v1/meetings/{id}/qr.png", "a picture of a new size each time, near 2,048 pixels") {
            pictures("/api/v1/meetings/\($0.hall.meeting)/qr.png")
        },
        .same("GET /api/v1/meetings/{id}/qr.svg", "one code") {
            get("/api/v1/meetings/\($0.hall.meeting)/qr.svg")
        },
        .same("GET /api/v1/meetings/{id}/qr.txt", "one code") {
            get("/api/v1/meetings/\($0.hall.meeting)/qr.txt")
        },
        .same("GET /api/v1/meetings/{id}/sessions", "a search that finds none of 2,000 sessions") {
            get("/api/v1/meetings/\($0.series.meeting)/sessions?limit=200&q=zzzz")
        },
        .same("GET /api/v1/sessions", "200 of 2,000 sessions") { _ in get("/api/v1/sessions?limit=200") },
        .same("GET /api/v1/sessions/nearest", "among 2,000 sessions") { _ in
            get("/api/v1/sessions/nearest")
        },
        .same("POST /api/v1/sessions/overlap", "a time that all 2,000 sessions overlap") { stage in
            [send("POST", "/api/v1/sessions/overlap", "{\(stage.times(-1440 * 2000, 1440 * 2000))}")]
        },
        .same("GET /api/v1/sessions/{id}", "a session of 100,000 attendees") {
            get("/api/v1/sessions/\($0.hall.session)")
        },
        .same("GET /api/v1/sessions/{id}/qr.png", "a picture of a new size each time, near 2,048 pixels") {
            pictures("/api/v1/sessions/\($0.hall.session)/qr.png")
        },
        .same("GET /api/v1/sessions/{id}/qr.svg", "one code") {
            get("/api/v1/sessions/\($0.hall.session)/qr.svg")
        },
        .same("GET /api/v1/sessions/{id}/qr.txt", "one code") {
            get("/api/v1/sessions/\($0.hall.session)/qr.txt")
        },
        .none("GET /api/v1/meetings/{id}/consents", because: "50 texts of 500 characters at most"),
        .none("GET /api/v1/meetings/{id}/webhooks", because: "five web hooks at most"),
        .none("POST /api/v1/meetings/{id}/webhooks", because: "two rows, refused after five of them"),
        .none(
            "DELETE /api/v1/meetings/{id}/webhooks/{webhookId}", because: "500 deliveries at most at once"),
        .none("POST /api/v1/meetings/{id}/webhooks/{webhookId}/rotate", because: "one row"),
        .none(
            "POST /api/v1/meetings/{id}/webhooks/{webhookId}/test",
            because: "one row, refused if 5,000 deliveries wait"),
        .none(
            "POST /api/v1/meetings/{id}/webhooks/{webhookId}/retry",
            because: "an update of 5,000 deliveries at most"),
        .none(
            "GET /api/v1/meetings/{id}/webhooks/{webhookId}/deliveries", because: "a page of 200 deliveries"),
        .same("GET /api/v1/meetings/{id}/absences", "400 people of a roster over 2,000 sessions") {
            get("/api/v1/meetings/\($0.series.meeting)/absences?limit=200&met=true")
        },
        .none("GET /api/v1/meetings/{id}/passes", because: "one key, and a page of 200 signatures"),
        .none(
            "POST /api/v1/meetings/{id}/passes", because: "200 people at a time; a repetition reads only"),
        .none(
            "POST /api/v1/meetings/{id}/passes/renew",
            because: "about 400 passes at a time; one such request of an account at a time"),
        .none("DELETE /api/v1/meetings/{id}/passes/{passId}", because: "one row"),
        .none(
            "POST /api/v1/meetings/{id}/passes/{passId}/renew",
            because: "the passes of a person, 100 at most"),
        .none("POST /api/v1/meetings/{id}/pass-keys", because: "one row, refused after a hundred of them"),
        .none("GET /api/v1/doors", because: "at most 100 sessions of a day, and a role for each"),
        .none(
            "GET /api/v1/sessions/{id}/door", because: "an index entry for each person this door has let in"),
        .none(
            "GET /api/v1/sessions/{id}/door/people",
            because: "at most five searches of the list of attendees, one at a time"),
        .none(
            "POST /api/v1/sessions/{id}/door",
            because: "a signature, and a check-in, a leave or a return by a slot"),
        .none("POST /api/v1/sessions/{id}/door/undo", because: "the newest 200 corrections, as any undo"),
        .none(
            "GET /api/v1/sessions/{id}/satellites",
            because: "50 offline doors, with a count of at most 5,000 held entries each"),
        .none("POST /api/v1/sessions/{id}/satellites", because: "one row, refused after 50 of them"),
        .none("DELETE /api/v1/sessions/{id}/satellites/{satelliteId}", because: "one row"),
        .none(
            "GET /api/v1/sessions/{id}/satellites/doubles",
            because: "a page of at most 200 doubles, with at most 200 entries of each person"),
        .none(
            "POST /api/v1/sessions/{id}/satellites/{satelliteId}/held",
            because: "50 entries at a time, each once"),
        .none("POST /api/v1/satellites", because: "one row, by a code that nobody can guess"),
        .none(
            "GET /api/v1/satellite/snapshot",
            because: "a scan of 20,000 attendees and their passes, one at a time, 60 in 10 minutes"),
        .none(
            "POST /api/v1/satellite/entries",
            because: "300 signatures and as many check-ins by a slot, 50 at a time, 300 a minute"),
        .none("GET /api/v1/offline-door", because: "a constant of the process"),
        .none(
            "POST /api/v1/offline-door/entries",
            because: "a key agreement and 64 KB to decrypt; more only for another offline door of the session"
        ),
        .none("GET /P/{code}", because: "a page without a look-up"),
        .none("GET /door", because: "a page without a look-up"),
        .none("POST /api/v1/sessions/{id}/kiosk-links", because: "a link, as a presenter link"),
        .none("GET /api/v1/sessions/{id}/kiosk", because: "the look-up of a link"),
        .none(
            "POST /api/v1/sessions/{id}/kiosk/people",
            because:
                "at most five searches of the list of attendees, and if nobody is found 25 of the replies, "
                + "90 a minute of a link"
        ),
        .none(
            "POST /api/v1/sessions/{id}/kiosk",
            because: "a signature and two check-ins by a slot, or one by name, 90 a minute of a link"),
        .none("GET /kiosk/{id}", because: "a page with the look-up of a session"),
        .none("GET /api/v1/meetings/{id}/certificates", because: "one key, and a page of 200 signatures"),
        .none(
            "POST /api/v1/meetings/{id}/certificates",
            because: "a scan as large as the export of the series; 200 certificates at a time"),
        .none("DELETE /api/v1/meetings/{id}/certificates/{certificateId}", because: "two rows"),
        .none(
            "GET /api/v1/meetings/{id}/certificates/{certificateId}/badge", because: "two signatures"),
        .none(
            "POST /api/v1/meetings/{id}/certificate-mails",
            because: "200 certificates at a time, within the account's mails of a day"),
        .none("GET /api/v1/certificates/{code}", because: "a signature and two look-ups"),
        .none("GET /.well-known/qring-keys.json", because: "a thousand keys at most, of the operator"),
        .none("GET /A/{code}", because: "a signature and two look-ups"),
        .none("GET /api/v1/sessions/{id}/reply-settings", because: "one row"),
        .none(
            "PATCH /api/v1/sessions/{id}/reply-settings",
            because: "100 people get a seat at a time, each with a record, an event and a mail"),
        .none("GET /api/v1/sessions/{id}/reply-qr.svg", because: "the size of one code, as the others"),
        .none("GET /api/v1/sessions/{id}/replies", because: "a page of 200 rows by an index"),
        .none(
            "GET /api/v1/sessions/{id}/replies.csv",
            because: "20,000 rows at most, a thousand at a time, one at a time of an account"),
        .none(
            "POST /api/v1/sessions/{id}/replies/{replyId}/decision",
            because: "one reply, and the people who get its seats, 100 at most"),
        .none(
            "DELETE /api/v1/sessions/{id}/replies/{replyId}",
            because: "one reply, and the people who get its seats, 100 at most"),
        .none(
            "POST /api/v1/sessions/{id}/reply-mails",
            because: "100 people at a time, within the account's mails of a day"),
        .none("GET /R/{code}", because: "two rows"),
        .none(
            "POST /R/{code}",
            because:
                "one reply, 300 in an hour of an address, and one mail; a code of the budget only for "
                + "a stranger's address"
        ),
        .none("GET /R/own/{token}", because: "a signature and five rows"),
        .none("POST /R/own/{token}", because: "50 changes of a reply at most"),
        .same("GET /api/v1/sessions/{id}/presenter-links", "20 links") {
            get("/api/v1/sessions/\($0.hall.session)/presenter-links")
        },
        .same("GET /api/v1/sessions/{id}/attendees", "a search that finds none of 100,000 attendees") {
            get("/api/v1/sessions/\($0.hall.session)/attendees?limit=200&q=zzzz")
        },
        .same("GET /api/v1/sessions/{id}/arrivals", "arrivals of 100,000 attendees") {
            get("/api/v1/sessions/\($0.hall.session)/arrivals")
        },
        .none(
            "GET /api/v1/sessions/{id}/presence",
            because: "a read of the checked-in attendees, as the review"),
        .none("POST /api/v1/attendees/{id}/leave", because: "one event, 99 for an attendee at most"),
        .none("POST /api/v1/attendees/{id}/return", because: "one event, 99 for an attendee at most"),
        .none(
            "POST /api/v1/check-ins/current/leave", because: "one event, 99 for an attendee at most"),
        .none(
            "POST /api/v1/check-ins/current/return", because: "one event, 99 for an attendee at most"),
        .same("GET /api/v1/sessions/{id}/journal", "a page of 200 of 100,000 events") {
            get("/api/v1/sessions/\($0.hall.session)/journal?limit=200")
        },
        .same("GET /api/v1/sessions/{id}/review", "a review of 100,000 attendees") {
            get("/api/v1/sessions/\($0.hall.session)/review")
        },
        .same("GET /api/v1/sessions/{id}/questions", "50 questions") {
            get("/api/v1/sessions/\($0.hall.session)/questions")
        },
        .same("GET /api/v1/sessions/{id}/sets", "50 sets, with the most questions of a session") {
            get("/api/v1/sessions/\($0.library.session)/sets")
        },
        .same(
            "GET /api/v1/sessions/{id}/results",
            "the tallies of 50 questions, and the texts of 5,000 responses"
        ) {
            get("/api/v1/sessions/\($0.hall.session)/results")
        },
        .same("GET /api/v1/questions/{id}/answers", "a page of 200 texts") {
            get("/api/v1/questions/\($0.questions[7])/answers?limit=200")
        },
        .same("GET /api/v1/sessions/{id}/results.csv", "all responses") {
            get("/api/v1/sessions/\($0.hall.session)/results.csv")
        },
        .same("GET /api/v1/sessions/{id}/results.json", "all responses") {
            get("/api/v1/sessions/\($0.hall.session)/results.json")
        },
        .same("GET /api/v1/sessions/{id}/questions/export", "50 questions") {
            get("/api/v1/sessions/\($0.hall.session)/questions/export")
        },
        .same("GET /api/v1/sessions/{id}/attendance.csv", "100,000 lines") {
            get("/api/v1/sessions/\($0.hall.session)/attendance.csv")
        },
        .same("GET /api/v1/sessions/{id}/sheet.html", "100,000 lines") {
            get("/api/v1/sessions/\($0.hall.session)/sheet.html")
        },
        .same("GET /api/v1/sessions/{id}/preview.html", "50 questions") {
            get("/api/v1/sessions/\($0.hall.session)/preview.html")
        },
        .same("GET /api/v1/meetings/{id}/calendar.ics", "2,000 sessions") {
            get("/api/v1/meetings/\($0.series.meeting)/calendar.ics")
        },
        .same("GET /api/v1/meetings/{id}/poster.html", "one page") {
            get("/api/v1/meetings/\($0.hall.meeting)/poster.html")
        },
        .same("GET /api/v1/meetings/{id}/poster.pdf", "one page, drawn") {
            get("/api/v1/meetings/\($0.hall.meeting)/poster.pdf")
        },
        .same("GET /api/v1/meetings/{id}/members", "100 members and invitations") {
            get("/api/v1/meetings/\($0.hall.meeting)/members")
        },
        .same("GET /api/v1/meetings/{id}/roster", "absences in a row of a roster over 2,000 sessions") {
            get("/api/v1/meetings/\($0.series.meeting)/roster?limit=200&absentInARow=20")
        },
        .same("GET /api/v1/attendees/{id}", "one attendee") { stage throws(BenchError) in
            get("/api/v1/attendees/\(try stage.added())")
        },
        .same("GET /api/question/{typeID}", "a form of 50 questions") { _ in
            get("/api/question/\(AbuseStage.form)", .nobody)
        },
    ]

    private static let pages: [AbuseCase] = [
        .same("GET /", "one page") { _ in get("/", .nobody) },
        .each("POST /", "a wrong join code, limited by address") { stage throws(BenchError) in
            [form("/", "joinCode=\(stage.hall.joinCode)")]
        },
        .each("GET /{code}", "a wrong join code, limited by address") { stage throws(BenchError) in
            get("/\(stage.hall.joinCode)", .nobody)
        },
        .same("GET /C/{code}", "the form of a session with 50 questions") {
            get("/C/\($0.hall.code)", .nobody)
        },
        .each("POST /C/{code}", "a check-in by the form") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                let grant = try grant(stage)
                let number = stage.next()
                return form(
                    "/C/\(stage.hall.code)",
                    "grant=\(grant)&name=Form\(number)&email=form\(number)%40bench.example",
                    .cookie("qring_grant=\(grant)"))
            }
        },
        .same("GET /M/{code}", "the running one of 2,000 sessions") {
            get("/M/\($0.series.meetingCode)", .nobody)
        },
        .each("POST /feedback", "answers to 50 questions by the form") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                form("/feedback", "receipt=\(try stage.guest().receipt)&\(answers(stage))")
            }
        },
        .same("GET /form/{typeID}", "a form of 50 questions") { _ in
            get("/form/\(AbuseStage.form)", .nobody)
        },
        .same("POST /form/{typeID}", "answers to 50 questions, as often as possible") { stage in
            var request = form("/form/\(AbuseStage.form)", answers(stage))
            request.headers = []
            return [request]
        },
        .same("GET /me/{id}", "an own page with the results of 50 questions") { stage throws(BenchError) in
            let guest = try stage.guest()
            return get("/me/\(stage.hall.session)", .cookie(cookie(of: guest, stage)))
        },
        .same("GET /me/{id}/calendar.ics", "one session") { stage throws(BenchError) in
            let guest = try stage.guest()
            return get("/me/\(stage.hall.session)/calendar.ics", .cookie(cookie(of: guest, stage)))
        },
        .same("GET /me/{id}/record", "an own record") { stage throws(BenchError) in
            let guest = try stage.guest()
            return get("/me/\(stage.hall.session)/record", .cookie(cookie(of: guest, stage)))
        },
        .each("POST /me/{id}/record", "a rename by the form") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                let guest = try stage.guest()
                return form(
                    "/me/\(stage.hall.session)/record", "receipt=\(guest.receipt)&do=rename&name=Form",
                    .cookie(cookie(of: guest, stage)))
            }
        },
        .same("GET /me/{id}/questions", "a page of 100 questions, with votes") { stage throws(BenchError) in
            let guest = try stage.guest()
            return get("/me/\(stage.hall.session)/questions", .cookie(cookie(of: guest, stage)))
        },
        .each("POST /me/{id}/questions", "a question by the form") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                let guest = try stage.guest()
                return form(
                    "/me/\(stage.hall.session)/questions",
                    "receipt=\(guest.receipt)&do=ask&text=Question+\(stage.next())",
                    .cookie(cookie(of: guest, stage)))
            }
        },
        .same("GET /present/{id}", "one page") { get("/present/\($0.hall.session)", .nobody) },
        .same("GET /host", "one page") { _ in get("/host", .nobody) },
        .same("GET /host/sign-up", "one page") { _ in get("/host/sign-up", .nobody) },
    ]

    private static let accounts: [AbuseCase] = [
        .each("POST /api/v1/accounts", "a password's hash, with the longest name") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/accounts",
                    #"{"email":"n\#(stage.next())@bench.example","password":"\#(AbuseStage.password)","#
                        + #""name":"\#(AbuseTexts.name)"}"#,
                    .nobody)
            }
        },
        .same("POST /api/v1/tokens", "a password's hash") { stage in
            [
                send(
                    "POST", "/api/v1/tokens",
                    #"{"email":"\#(stage.accounts[0])","password":"\#(AbuseStage.password)"}"#, .nobody)
            ]
        },
        .each("POST /api/v1/accounts/verifications", "a code for another address each time") {
            stage throws(BenchError) in
            try codeRequests("verifications", stage)
        },
        .none("PUT /api/v1/accounts/verifications", because: "one look-up; the codes are in mails"),
        .each("POST /api/v1/accounts/password-resets", "a code for another address each time") {
            stage throws(BenchError) in
            try codeRequests("password-resets", stage)
        },
        .none("PUT /api/v1/accounts/password-resets", because: "only a right code costs a hash"),
        .each("POST /api/v1/phone-tokens", "a code to another phone each time") { stage throws(BenchError) in
            try many(stage, mostCodeRequests) { number throws(BenchError) in
                send(
                    "POST", "/api/v1/phone-tokens", #"{"phone":"+8210\#(10_000_000 + number)"}"#, .nobody)
            }
        },
        .none("PUT /api/v1/phone-tokens", because: "one look-up; the codes are on phones"),
        .none("POST /host/phone-sign-in", because: "as PUT /api/v1/phone-tokens"),
        .same("POST /host/sign-in", "a password's hash") { stage in
            var request = send(
                "POST", "/host/sign-in",
                #"{"email":"\#(stage.accounts[0])","password":"\#(AbuseStage.password)"}"#, .nobody)
            request.headers = ["Sec-Fetch-Site: same-origin"]
            return [request]
        },
        .each("POST /api/v1/tokens/refresh", "a new pair of tokens") { stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                let refresh = try stage.signIn(stage.accounts[0]).refresh
                return send(
                    "POST", "/api/v1/tokens/refresh", #"{"refreshToken":"\#(refresh)"}"#, .nobody)
            }
        },
        .each("POST /host/renew", "a new pair of tokens, by the cookie") { stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                let refresh = try stage.signIn(stage.accounts[0]).refresh
                return AbuseRequest(
                    method: "POST", path: "/host/renew", caller: .cookie("qring_refresh=\(refresh)"))
            }
        },
        .each("POST /api/v1/tokens/named", "a token, and a look at up to 50 others") {
            stage throws(BenchError) in
            let caller = AbuseRequest.Caller.bearer(try stage.signIn(stage.accounts[0]).access)
            return try many(stage, 5) { _ throws(BenchError) in
                AbuseRequest(
                    method: "POST", path: "/api/v1/tokens/named", caller: caller,
                    body: Array(#"{"name":"bench","access":"read"}"#.utf8))
            }
        },
        .each("DELETE /api/v1/tokens/current", "the end of a sign-in") { stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                AbuseRequest(
                    method: "DELETE", path: "/api/v1/tokens/current",
                    caller: .bearer(try stage.signIn(stage.accounts[0]).access))
            }
        },
        .each("DELETE /api/v1/tokens/{id}", "the end of a sign-in") { stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                let caller = AbuseRequest.Caller.bearer(try stage.signIn(stage.accounts[0]).access)
                let list = try stage.call(
                    AbuseRequest(method: "GET", path: "/api/v1/tokens", caller: caller))
                let id = list["items"]?.elements.first?["id"]?.string ?? ""
                return AbuseRequest(
                    method: "DELETE", path: "/api/v1/tokens/\(id)", caller: caller)
            }
        },
        .each("POST /host/sign-out", "the end of a sign-in") { stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                AbuseRequest(
                    method: "POST", path: "/host/sign-out",
                    caller: .cookie("qring_token=\(try stage.signIn(stage.accounts[0]).access)"))
            }
        },
        .same("PATCH /api/v1/me", "the longest name, composed") { _ in
            [send("PATCH", "/api/v1/me", #"{"name":"\#(AbuseTexts.name)"}"#)]
        },
        .same("POST /api/v1/invitations", "a signature") { stage in
            [
                send(
                    "POST", "/api/v1/invitations", #"{"email":"new@bench.example"}"#,
                    .bearer(stage.operatorToken))
            ]
        },
    ]

    private static let attendees: [AbuseCase] = [
        .same("POST /api/v1/grants", "an exchange of a right code, as often as possible") { stage in
            [send("POST", "/api/v1/grants", #"{"code":"\#(stage.hall.code)"}"#, .nobody)]
        },
        .each("POST /api/v1/check-ins", "the longest name, into 100,000 attendees") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/check-ins",
                    #"{"code":"\#(stage.hall.code)","name":"\#(AbuseTexts.name)","#
                        + #""email":"w\#(stage.next())@bench.example"}"#,
                    .nobody)
            }
        },
        .same("GET /api/v1/check-ins/current", "one record, in a session with 50 sets") {
            stage throws(BenchError) in
            get("/api/v1/check-ins/current", .bearer(try stage.guest(of: stage.library.code).receipt))
        },
        .same("PATCH /api/v1/check-ins/current", "renames by one attendee, as often as possible") {
            stage throws(BenchError) in
            let receipt = try stage.guest().receipt
            return ["A", "B"].map {
                send(
                    "PATCH", "/api/v1/check-ins/current", #"{"name":"\#($0)\#(AbuseTexts.name.dropLast())"}"#,
                    .bearer(receipt))
            }
        },
        .each("DELETE /api/v1/check-ins/current", "withdrawals, each of which erases a person") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                AbuseRequest(
                    method: "DELETE", path: "/api/v1/check-ins/current",
                    caller: .bearer(try stage.guest().receipt))
            }
        },
        .each("POST /api/v1/sessions/{id}/responses", "answers to 50 questions") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/sessions/\(stage.hall.session)/responses",
                    AbuseTexts.answers(stage.questions), .bearer(try stage.guest().receipt))
            }
        },
        .same("POST /api/answers/{typeID}", "answers to 50 questions, as often as possible") { _ in
            [send("POST", "/api/answers/\(AbuseStage.form)", AbuseTexts.formAnswers(7), .nobody)]
        },
    ]
}
