internal import Glibc
internal import Meetings
internal import Wire

/// The meetings, accounts and people that the worst requests need, created over the API.
final class AbuseStage {
    struct Place: Sendable {
        let meeting: String
        let session: String
        let code: String
        let meetingCode: String
        let joinCode: String
    }

    struct Guest: Sendable {
        let id: String
        let receipt: String
    }

    static let password = "correct horse battery"
    static let form = "abuse"
    static let shared = #""allowOverlap":true"#

    let plan: BenchPlan
    let server: BenchServer
    private let connection: AbuseConnection
    let operatorToken: String
    /// The token of each owner.
    private(set) var owners: [String] = []
    private(set) var accounts: [String] = []
    /// The token that the stage's own requests carry for `.owner`. The limit on an account's changes counts
    /// them, so they come from other accounts than those of the measured requests.
    private(set) var host = ""
    private var number = 0
    private let now = Instant(milliseconds: Int64(time(nil)) * 1000)

    /// A meeting with one running session of `plan.attendees`, 50 questions and responses.
    private(set) var hall = Place(meeting: "", session: "", code: "", meetingCode: "", joinCode: "")
    /// A meeting with `plan.meetingSessions` sessions, and as large a roster as they can expect.
    private(set) var series: Place
    /// A meeting with a roster of `plan.roster` people and five sessions that expect them.
    private(set) var school: Place
    /// A meeting with a running session of as many attendees as a roster may have, and the token of its host.
    private(set) var crowd: (place: Place, host: String)
    /// A meeting whose running session has as many question sets, questions and texts as a session may have.
    private(set) var library = Place(meeting: "", session: "", code: "", meetingCode: "", joinCode: "")
    /// The ids of the hall's questions, and of one person of the school's roster.
    private(set) var questions: [String] = []
    /// The ids of the hall's questions from the audience.
    private(set) var audienceQuestions: [String] = []
    /// The receipts of guests who take part in groups of interest, and the people whom the first one can ask.
    private(set) var searching: [String] = []
    private(set) var candidates: [String] = []
    /// The receipts of guests who can report the first candidate, who is not one of them.
    private(set) var reporters: [String] = []

    init(_ plan: BenchPlan, _ server: BenchServer, operatorToken: String) {
        (self.plan, self.server, self.operatorToken) = (plan, server, operatorToken)
        connection = AbuseConnection(port: server.port)
        (series, school, crowd) = (hall, hall, (hall, ""))
    }

    // MARK: Requests

    /// Sends a request, and returns the JSON of its answer.
    /// - Throws: `BenchError.meeting` unless the request succeeds.
    @discardableResult
    func call(_ request: AbuseRequest) throws(BenchError) -> JSONNode {
        let answer = connection.send(request.bytes(port: server.port, owner: host))
        guard (200..<300).contains(answer.status) else {
            let said = String(decoding: answer.body.prefix(300), as: UTF8.self)
            throw .meeting("\(request.method) \(request.path): \(answer.status) \(said)")
        }
        do throws(JSONFault) {
            return try JSONDocument(answer.body.isEmpty ? Array("{}".utf8) : answer.body).root
        } catch { throw .meeting("\(request.path): \(error.reason)") }
    }

    @discardableResult
    func post(_ path: String, _ json: String, as caller: AbuseRequest.Caller = .owner)
        throws(BenchError) -> JSONNode
    {
        try call(AbuseRequest(method: "POST", path: path, caller: caller, body: Array(json.utf8)))
    }

    /// Returns the bytes of a file.
    func file(_ path: String) throws(BenchError) -> [UInt8] {
        let answer = connection.send(
            AbuseRequest(method: "GET", path: path).bytes(port: server.port, owner: host))
        guard answer.status == 200 else { throw .meeting("GET \(path): \(answer.status)") }
        return answer.body
    }

    /// Returns a number that no other call returned.
    func next() -> Int {
        number += 1
        return number
    }

    func moment(_ minutes: Int) -> String { (now + .minutes(minutes)).rfc3339 }

    /// The times of a session, as members of a JSON object.
    func times(_ from: Int, _ to: Int) -> String {
        #""startsAt":"\#(moment(from))","endsAt":"\#(moment(to))""#
    }

    // MARK: People and meetings

    func account() throws(BenchError) -> (email: String, id: String) {
        let email = "abuse\(next())@bench.example"
        let made = try post(
            "/api/v1/accounts", #"{"email":"\#(email)","password":"\#(Self.password)","name":"A"}"#,
            as: .nobody)
        return (email, made["id"]?.string ?? "")
    }

    func signIn(_ email: String) throws(BenchError) -> (access: String, refresh: String) {
        let tokens = try post(
            "/api/v1/tokens", #"{"email":"\#(email)","password":"\#(Self.password)"}"#, as: .nobody)
        return (tokens["accessToken"]?.string ?? "", tokens["refreshToken"]?.string ?? "")
    }

    func meeting(_ name: String, session: String, more: String = "") throws(BenchError) -> Place {
        let made = try post("/api/v1/meetings", #"{"name":"\#(name)"\#(more),"session":{\#(session)}}"#)
        guard let meeting = made["meeting"], let session = made["session"] else {
            throw .meeting("no meeting")
        }
        func last(_ node: JSONNode, _ name: String) -> String {
            node[name]?.string?.split(separator: "/").last.map(String.init) ?? ""
        }
        return Place(
            meeting: meeting["id"]?.string ?? "", session: session["id"]?.string ?? "",
            code: last(session, "checkInUrl"), meetingCode: last(meeting, "meetingUrl"),
            joinCode: session["joinCode"]?.string ?? "")
    }

    /// Checks a person in.
    /// - Parameter code: the session's; nil for the hall's.
    func guest(of code: String? = nil) throws(BenchError) -> Guest {
        let number = next()
        let made = try post(
            "/api/v1/check-ins",
            """
            {"code":"\(code ?? hall.code)","name":"Guest \(number)","email":"guest\(number)@bench.example"}
            """,
            as: .nobody)
        return Guest(id: made["attendee"]?["id"]?.string ?? "", receipt: made["receipt"]?.string ?? "")
    }

    func added() throws(BenchError) -> String {
        try post("/api/v1/sessions/\(hall.session)/attendees", #"{"name":"Added \#(next())"}"#)["id"]?.string
            ?? ""
    }

    func person() throws(BenchError) -> String {
        try post(
            "/api/v1/meetings/\(school.meeting)/roster",
            #"{"name":"P","email":"x\#(next())@bench.example"}"#)["id"]?.string ?? ""
    }

    func invitation(to email: String, in meeting: String) throws(BenchError) -> (id: String, secret: String) {
        let made = try post(
            "/api/v1/meetings/\(meeting)/members", #"{"email":"\#(email)","role":"owner"}"#)
        return (made["id"]?.string ?? "", made["invitation"]?.string ?? "")
    }

    // MARK: Preparation

    /// Creates everything. `admit` checks a number of people in to a session, by its code.
    func prepare(admit: (_ code: String, _ count: Int) throws(BenchError) -> Void) throws(BenchError) {
        for _ in 0..<plan.abusers {
            let account = try account()
            owners.append(try signIn(account.email).access)
            accounts.append(account.email)
        }
        let keeper = try account().email
        let keeperToken = try signIn(keeper).access
        // Two large meetings are more than one account may add at once, so each has an account of its own.
        host = try signIn(account().email).access
        hall = try meeting(
            "Hall", session: #"\#(times(-5, 120)),\#(Self.shared),"questions":[\#(AbuseTexts.questions)]"#)
        let path = "/api/v1/sessions/\(hall.session)"
        try call(
            AbuseRequest(
                method: "PATCH", path: "\(path)/sets/feedback",
                body: Array(#"{"publishedAs":"\#(Self.form)","shared":true}"#.utf8)))
        questions =
            try call(AbuseRequest(method: "GET", path: "\(path)/questions"))["questions"]?.elements
            .compactMap { $0["id"]?.string } ?? []
        try prepareAudience(path)
        try prepareMatching(path)
        try admit(hall.code, Self.leavingRoom(plan.attendees))
        for turn in 0..<max(12, plan.attendees / 20) {
            try post("/api/answers/\(Self.form)", AbuseTexts.formAnswers(turn), as: .nobody)
        }
        try invite(accounts + [keeper], owners + [keeperToken], to: hall)
        host = try signIn(account().email).access
        crowd = (try meeting("Crowd", session: "\(times(-5, 120)),\(Self.shared)"), host)
        try admit(crowd.place.code, Self.leavingRoom(min(plan.roster, plan.attendees)))
        host = try signIn(account().email).access
        library = try filledMeeting()
        try invite(accounts + [keeper], owners + [keeperToken], to: library)
        host = try signIn(account().email).access
        // Half of the series is over, so that absences in a row are counted over it.
        let days = plan.meetingSessions
        let half = days / 2 * 1440
        series = try meeting("Series", session: "\(times(-half - 30, -half + 30)),\(Self.shared)")
        try replaceRoster(of: series, people: max(1, min(plan.roster, 100_000 / max(1, days))), version: 0)
        var left = days - 1
        while left > 0 {
            let count = min(100, left)
            try post(
                "/api/v1/meetings/\(series.meeting)/sessions/repeat",
                #"{"rule":"days","every":1,"count":\#(count),\#(Self.shared)}"#)
            left -= count
        }
        try invite(accounts + [keeper], owners + [keeperToken], to: series)
        (school, host) = try schoolMeeting("School")
        try invite(accounts + [keeper], owners + [keeperToken], to: school)
        host = keeperToken
    }

    /// Returns a new meeting whose session expects a large roster, and the token of its host, who is a new
    /// account: no account may add several such meetings at once.
    func expectingMeeting(_ name: String) throws(BenchError) -> (Place, host: String) {
        let former = host
        defer { host = former }
        host = try signIn(account().email).access
        let place = try meeting(name, session: "\(times(1440, 1500)),\(Self.shared)")
        try replaceRoster(of: place, people: Self.leavingRoom(plan.roster), version: 0)
        return (place, host)
    }

    /// Returns a new meeting with five sessions that expect a large roster, and the token of its host, who is
    /// a new account.
    func schoolMeeting(_ name: String) throws(BenchError) -> (Place, host: String) {
        let (place, host) = try expectingMeeting(name)
        try post(
            "/api/v1/meetings/\(place.meeting)/sessions/repeat",
            #"{"rule":"days","every":1,"count":4,\#(Self.shared)}"#, as: .bearer(host))
        return (place, host)
    }

    /// Makes a new account an owner of a meeting, and returns its token. The account can still spend all its
    /// units for changes.
    /// - Parameter host: the token of an owner, who invites the account.
    func newOwner(of meeting: String, invitedBy host: String) throws(BenchError) -> String {
        let former = self.host
        defer { self.host = former }
        self.host = host
        let email = try account().email
        let secret = try invitation(to: email, in: meeting).secret
        let token = try signIn(email).access
        try post("/api/v1/me/invitations", #"{"invitation":"\#(secret)"}"#, as: .bearer(token))
        return token
    }

    /// Creates a meeting whose session has 50 sets, with nearly as many bytes and texts as one session may
    /// have. If files are small, the sets are fewer.
    private func filledMeeting() throws(BenchError) -> Place {
        let place = try meeting("Library", session: "\(times(-5, 120)),\(Self.shared)")
        let path = "/api/v1/sessions/\(place.session)/questions"
        let isFull = plan.fileBytes > 500_000
        for bytes in [plan.fileBytes, plan.fileBytes / 3] {
            try call(
                AbuseRequest(
                    method: "POST", path: "\(path)/import?set=long\(next())",
                    body: AbuseTexts.translated(bytes)))
        }
        for number in 0..<(isFull ? 47 : 5) {
            let questions = number < (isFull ? 9 : 1) ? AbuseTexts.choiceQuestions : AbuseTexts.shortQuestion
            try call(
                AbuseRequest(
                    method: "PUT", path: "\(path)?set=set\(next())",
                    body: Array(#"{"questions":[\#(questions)]}"#.utf8)))
        }
        return place
    }

    /// Returns a smaller number, so that the requests can add people without reaching the server's limit.
    private static func leavingRoom(_ count: Int) -> Int { count - min(1000, count / 20) }

    /// Makes accounts owners of a meeting.
    private func invite(_ emails: [String], _ tokens: [String], to place: Place) throws(BenchError) {
        for (email, token) in zip(emails, tokens) {
            let offer = try invitation(to: email, in: place.meeting)
            try post("/api/v1/me/invitations", #"{"invitation":"\#(offer.secret)"}"#, as: .bearer(token))
        }
    }

    private func prepareAudience(_ path: String) throws(BenchError) {
        try call(
            AbuseRequest(
                method: "PATCH", path: "\(path)/audience-settings", body: Array(#"{"open":true}"#.utf8)))
        try call(
            AbuseRequest(
                method: "PUT", path: "/api/v1/meetings/\(hall.meeting)/held-words",
                body: Array(AbuseTexts.words("z").utf8)))
        for number in 0..<200 {
            let asked = try post("\(path)/audience-questions", #"{"text":"Question \#(number)"}"#)
            audienceQuestions.append(asked["id"]?.string ?? "")
        }
    }

    private func prepareMatching(_ path: String) throws(BenchError) {
        try call(
            AbuseRequest(
                method: "PATCH", path: "\(path)/matching-settings", body: Array(#"{"open":true}"#.utf8)))
        for number in 0..<200 {
            let guest = try guest()
            try call(
                AbuseRequest(
                    method: "PUT", path: "\(path)/matching/me", caller: .bearer(guest.receipt),
                    body: AbuseTexts.profile(number)))
            searching.append(guest.receipt)
        }
        let seen = try call(
            AbuseRequest(method: "GET", path: "\(path)/matching", caller: .bearer(searching[0])))
        for candidate in seen["candidates"]?.elements ?? [] {
            candidates.append(candidate["id"]?.string ?? "")
        }
        // Only the first one's own keywords begin with the first one's number.
        let keywords = seen["candidates"]?.elements.first?["keywords"]?.elements ?? []
        let first = keywords.compactMap { $0.string.flatMap(AbuseTexts.numberOfProfile) }.first
        reporters = searching.indices.filter { $0 != first }.map { searching[$0] }
    }

    private func replaceRoster(of place: Place, people: Int, version: Int) throws(BenchError) {
        try call(
            AbuseRequest(
                method: "PUT", path: "/api/v1/meetings/\(place.meeting)/roster",
                body: AbuseTexts.roster(people, version: version)))
    }
}
