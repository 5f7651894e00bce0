internal import Wire

extension AbuseCases {
    /// The routes that change a meeting, and leave it in place.
    static let hosts: [AbuseCase] = [
        .each("POST /api/v1/meetings", "50 questions of all kinds, with the first session") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/meetings",
                    #"{"name":"Made","session":{\#(stage.times(-5, 60)),\#(AbuseStage.shared),"#
                        + #""questions":[\#(AbuseTexts.questions)]}}"#
                )
            }
        },
        .same("PATCH /api/v1/meetings/{id}", "identifyBy, with 100,000 expected attendees") { stage in
            ["number", "email"].map {
                send("PATCH", "/api/v1/meetings/\(stage.school.meeting)", #"{"identifyBy":"\#($0)"}"#)
            }
        },
        .each("POST /api/v1/meetings/{id}/sessions", "a session that expects a roster of 20,000") {
            stage throws(BenchError) in
            let (place, host) = try stage.expectingMeeting("Grown")
            return try many(stage, 2) { number throws(BenchError) in
                send(
                    "POST", "/api/v1/meetings/\(place.meeting)/sessions",
                    "{\(stage.times(20_000 + number * 100, 20_050 + number * 100)),\(AbuseStage.shared)}",
                    .bearer(host))
            }
        },
        .each(
            "POST /api/v1/meetings/{id}/sessions/repeat",
            "100 sessions that expect a roster; 3 sessions with 50 sets, with the most questions"
        ) {
            stage throws(BenchError) in
            let place = try stage.meeting(
                "Repeated", session: "\(stage.times(1440, 1500)),\(AbuseStage.shared)")
            try stage.call(
                AbuseRequest(
                    method: "PUT", path: "/api/v1/meetings/\(place.meeting)/roster",
                    body: AbuseTexts.roster(min(stage.plan.roster, 900), version: 0)))
            return [
                send(
                    "POST", "/api/v1/meetings/\(place.meeting)/sessions/repeat",
                    #"{"rule":"days","every":1,"count":100,\#(AbuseStage.shared)}"#,
                    .bearer(stage.host)),
                send(
                    "POST", "/api/v1/meetings/\(stage.library.meeting)/sessions/repeat",
                    #"{"rule":"days","every":1,"count":3,\#(AbuseStage.shared)}"#,
                    .bearer(stage.host)),
            ]
        },
        .each(
            "PUT /api/v1/meetings/{id}/roster",
            "20,000 changed people, expected by five sessions: JSON, CSV of 100 columns, a dry run"
        ) {
            stage throws(BenchError) in
            let people = stage.plan.roster
            let bodies = [
                ("application/json", AbuseTexts.roster(people, version: 1)),
                ("text/csv", AbuseTexts.table(people, version: 2)),
            ]
            var requests: [AbuseRequest] = []
            for (type, body) in bodies {
                let (place, host) = try stage.schoolMeeting("Replaced")
                let path = "/api/v1/meetings/\(place.meeting)/roster"
                for query in ["", "?dryRun=true"] {
                    // The host has spent most units for changes, and no account may do two of these at once.
                    let owner = try stage.newOwner(of: place.meeting, invitedBy: host)
                    requests.append(
                        AbuseRequest(
                            method: "PUT", path: path + query, caller: .bearer(owner), type: type, body: body)
                    )
                }
            }
            return requests
        },
        .same("GET /api/v1/jobs/{id}", "the job of a series of 100 sessions") { stage throws(BenchError) in
            let (id, owner) = try job(stage)
            return get("/api/v1/jobs/\(id)", owner)
        },
        .each("POST /api/v1/meetings/{id}/roster", "one person, expected by five sessions") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/meetings/\(stage.school.meeting)/roster",
                    #"{"name":"\#(AbuseTexts.name)","email":"x\#(stage.next())@bench.example"}"#)
            }
        },
        .each("POST /api/v1/meetings/{id}/roster/keep", "everybody of a session of 20,000") { stage in
            [
                send(
                    "POST", "/api/v1/meetings/\(stage.crowd.place.meeting)/roster/keep",
                    #"{"sessionId":"\#(stage.crowd.place.session)"}"#, .bearer(stage.crowd.host))
            ]
        },
        .each("PATCH /api/v1/meetings/{id}/roster/{personId}", "one person, expected by five sessions") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "PATCH", "/api/v1/meetings/\(stage.school.meeting)/roster/\(try stage.person())",
                    #"{"name":"\#(AbuseTexts.name)"}"#)
            }
        },
        .each("DELETE /api/v1/meetings/{id}/roster/{personId}", "one person, erased from five sessions") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                AbuseRequest(
                    method: "DELETE",
                    path: "/api/v1/meetings/\(stage.school.meeting)/roster/\(try stage.person())")
            }
        },
        .each(
            "POST /api/v1/meetings/{id}/roster/{personId}/erase", "one person, erased from five sessions"
        ) {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                AbuseRequest(
                    method: "POST",
                    path: "/api/v1/meetings/\(stage.school.meeting)/roster/\(try stage.person())/erase")
            }
        },
        .same("PATCH /api/v1/sessions/{id}", "a new start, which judges 100,000 attendees again") { stage in
            [1, 2].map {
                send(
                    "PATCH", "/api/v1/sessions/\(stage.hall.session)",
                    #"{"lateAfterMinutes":\#($0),"allowOverlap":true}"#)
            }
        },
        .each("POST /api/v1/sessions/{id}/attendees", "the longest name, into 100,000 attendees") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/sessions/\(stage.hall.session)/attendees",
                    #"{"name":"\#(AbuseTexts.name)"}"#)
            }
        },
        .each("PATCH /api/v1/attendees/{id}", "a correction with the longest name") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "PATCH", "/api/v1/attendees/\(try stage.added())", #"{"name":"\#(AbuseTexts.name)"}"#)
            }
        },
        .each("DELETE /api/v1/attendees/{id}", "an erasure, which nobody can undo") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                AbuseRequest(method: "DELETE", path: "/api/v1/attendees/\(try stage.guest().id)?erase=true")
            }
        },
        .each("POST /api/v1/attendees/{id}/merge", "two records") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/attendees/\(try stage.guest().id)/merge",
                    #"{"into":"\#(try stage.guest().id)"}"#)
            }
        },
        .each("POST /api/v1/sessions/{id}/undo", "the undo of an addition") { stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                let place = try stage.meeting(
                    "Undo", session: "\(stage.times(-5, 60)),\(AbuseStage.shared)")
                let path = "/api/v1/sessions/\(place.session)"
                try stage.post("\(path)/attendees", #"{"name":"Added"}"#)
                // The second event, after the creation of the session.
                return send(
                    "POST", "\(path)/undo", #"{"sequence":2}"#, .bearer(stage.host))
            }
        },
        .each("POST /api/v1/sessions/{id}/redo", "the redo of the last of 100 undone additions") {
            stage throws(BenchError) in
            let place = try stage.meeting("Redo", session: "\(stage.times(-5, 60)),\(AbuseStage.shared)")
            let path = "/api/v1/sessions/\(place.session)"
            for number in 0..<100 { try stage.post("\(path)/attendees", #"{"name":"Added \#(number)"}"#) }
            for _ in 0..<100 { try stage.post("\(path)/undo", "{}") }
            return try many(stage, 5) { _ throws(BenchError) in
                send("POST", "\(path)/redo", "{}", .bearer(stage.host))
            }
        },
        .same("PUT /api/v1/sessions/{id}/questions", "50 questions of all kinds, in a new set") { stage in
            [
                send(
                    "PUT", "/api/v1/sessions/\(stage.hall.session)/questions?set=poll",
                    #"{"questions":[\#(AbuseTexts.questions)]}"#)
            ]
        },
        .each(
            "POST /api/v1/sessions/{id}/questions/copy", "all 50 sets, with the most questions of a session"
        ) {
            stage throws(BenchError) in
            try many(stage, 3) { _ throws(BenchError) in
                let place = try stage.meeting(
                    "Copy", session: "\(stage.times(-5, 60)),\(AbuseStage.shared)")
                return send(
                    "POST", "/api/v1/sessions/\(place.session)/questions/copy",
                    #"{"from":"\#(stage.library.session)"}"#, .bearer(stage.host))
            }
        },
        .same(
            "POST /api/v1/sessions/{id}/questions/import",
            "50 questions in 20 languages; 200,000 wrong values of 1 MB"
        ) {
            stage in
            let path = "/api/v1/sessions/\(stage.hall.session)/questions/import?set=file"
            return [
                AbuseRequest(
                    method: "POST", path: path, body: AbuseTexts.translated(stage.plan.fileBytes)),
                AbuseRequest(method: "POST", path: path, body: AbuseTexts.values(stage.plan.fileBytes)),
            ]
        },
        .same("PATCH /api/v1/sessions/{id}/sets/{set}", "a set that is closed and opened again") { stage in
            [false, true].map {
                send(
                    "PATCH", "/api/v1/sessions/\(stage.hall.session)/sets/feedback", #"{"open":\#($0)}"#)
            }
        },
        .each("POST /api/v1/sessions/{id}/polls", "50 questions of all kinds") { stage throws(BenchError) in
            try many(stage, 10) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/sessions/\(stage.hall.session)/polls",
                    #"{"questions":[\#(AbuseTexts.questions)],"promise":"hidden"}"#)
            }
        },
        .each("DELETE /api/v1/sessions/{id}/sets/{set}", "a poll with 50 questions") {
            stage throws(BenchError) in
            let path = "/api/v1/sessions/\(stage.school.session)"
            return try many(stage, 10) { _ throws(BenchError) in
                let poll =
                    try stage.call(
                        AbuseRequest(
                            method: "POST", path: "\(path)/polls",
                            body: Array(#"{"questions":[\#(AbuseTexts.questions)]}"#.utf8)))["set"]?.string
                    ?? ""
                return AbuseRequest(method: "DELETE", path: "\(path)/sets/\(poll)?confirm=\(poll)")
            }
        },
        .each("POST /api/v1/sessions/{id}/presenter-links", "a link") { stage throws(BenchError) in
            try many(stage, 10) { _ throws(BenchError) in
                AbuseRequest(method: "POST", path: "/api/v1/sessions/\(stage.hall.session)/presenter-links")
            }
        },
        .each("DELETE /api/v1/sessions/{id}/presenter-links/{linkId}", "a link") { stage throws(BenchError) in
            let path = "/api/v1/sessions/\(stage.school.session)/presenter-links"
            return try many(stage, 10) { _ throws(BenchError) in
                let link = try stage.call(AbuseRequest(method: "POST", path: path))["id"]?.string ?? ""
                return AbuseRequest(method: "DELETE", path: "\(path)/\(link)")
            }
        },
        .each("POST /api/v1/meetings/{id}/members", "an invitation") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                send(
                    "POST", "/api/v1/meetings/\(stage.hall.meeting)/members",
                    #"{"email":"i\#(stage.next())@bench.example","role":"host"}"#)
            }
        },
        .each("DELETE /api/v1/meetings/{id}/invitations/{invitationId}", "an invitation") {
            stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                let email = "i\(stage.next())@bench.example"
                let id = try stage.invitation(to: email, in: stage.series.meeting).id
                return AbuseRequest(
                    method: "DELETE", path: "/api/v1/meetings/\(stage.series.meeting)/invitations/\(id)")
            }
        },
        .each("POST /api/v1/me/invitations", "a membership") { stage throws(BenchError) in
            try accepted(stage) { invitation, token in
                send("POST", "/api/v1/me/invitations", #"{"invitation":"\#(invitation.secret)"}"#, token)
            }
        },
        .each("DELETE /api/v1/me/invitations/{invitationId}", "an invitation") { stage throws(BenchError) in
            try accepted(stage) { invitation, token in
                AbuseRequest(method: "DELETE", path: "/api/v1/me/invitations/\(invitation.id)", caller: token)
            }
        },
        .each("PATCH /api/v1/meetings/{id}/members/{accountId}", "an owner with links and invitations") {
            stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                let member = try member(of: stage.hall, stage)
                return send(
                    "PATCH", "/api/v1/meetings/\(stage.hall.meeting)/members/\(member)",
                    #"{"role":"viewer"}"#)
            }
        },
        .each("DELETE /api/v1/meetings/{id}/members/{accountId}", "an owner with links and invitations") {
            stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                let member = try member(of: stage.hall, stage)
                return AbuseRequest(
                    method: "DELETE", path: "/api/v1/meetings/\(stage.hall.meeting)/members/\(member)")
            }
        },
        .same("PUT /api/v1/meetings/{id}/image", "a picture as large as a file may be") {
            stage throws(BenchError) in
            [try image(stage)]
        },
        .same("GET /api/v1/meetings/{id}/image", "a picture as large as a file may be") { stage in
            get("/api/v1/meetings/\(stage.hall.meeting)/image")
        },
        .same("GET /me/{id}/picture", "a picture as large as a file may be") { stage throws(BenchError) in
            let guest = try stage.guest()
            return get("/me/\(stage.hall.session)/picture", .cookie(cookie(of: guest, stage)))
        },
        .each("DELETE /api/v1/meetings/{id}/image", "a picture as large as a file may be") { stage in
            [AbuseRequest(method: "DELETE", path: "/api/v1/meetings/\(stage.hall.meeting)/image")]
        },
    ]

    /// The routes that delete whole sessions, meetings and accounts.
    static let deletions: [AbuseCase] = [
        .each(
            "DELETE /api/v1/sessions/{id}",
            "a session of 100,000 attendees; a session with 50 sets, with the most questions"
        ) { stage in
            [("Hall", stage.hall), ("Library", stage.library)].map { name, place in
                AbuseRequest(method: "DELETE", path: "/api/v1/sessions/\(place.session)?confirm=\(name)")
            }
        },
        .each("DELETE /api/v1/meetings/{id}", "a meeting with 2,000 sessions and a roster") { stage in
            [
                AbuseRequest(
                    method: "DELETE", path: "/api/v1/meetings/\(stage.series.meeting)?confirm=Series")
            ]
        },
        .each("DELETE /api/v1/me", "an account with a meeting of its own") { stage throws(BenchError) in
            try many(stage, 5) { _ throws(BenchError) in
                let account = try stage.account()
                let token = try stage.signIn(account.email).access
                try stage.post(
                    "/api/v1/meetings", #"{"name":"Own","session":{\#(stage.times(-5, 60))}}"#,
                    as: .bearer(token))
                return send(
                    "DELETE", "/api/v1/me?confirm=\(account.email)",
                    #"{"password":"\#(AbuseStage.password)"}"#, .bearer(token))
            }
        },
    ]

    // MARK: What several requests need

    static func form(_ path: String, _ fields: String, _ caller: AbuseRequest.Caller = .nobody)
        -> AbuseRequest
    {
        var request = AbuseRequest(
            method: "POST", path: path, caller: caller, type: "application/x-www-form-urlencoded",
            body: Array(fields.utf8))
        request.headers = ["Origin: http://127.0.0.1"]
        return request
    }

    /// Adds 100 sessions to a new meeting of a new account, which has spent none of its units. Returns the id
    /// of the job, which has ended, and its owner.
    private static func job(_ stage: AbuseStage) throws(BenchError) -> (
        id: String, owner: AbuseRequest.Caller
    ) {
        let owner = AbuseRequest.Caller.bearer(try stage.signIn(try stage.account().email).access)
        let made = try stage.post(
            "/api/v1/meetings",
            #"{"name":"Followed","session":{\#(stage.times(1440, 1500)),\#(AbuseStage.shared)}}"#, as: owner)
        let path = "/api/v1/meetings/\(made["meeting"]?["id"]?.string ?? "")"
        // A series with fewer people fits in one slice.
        try stage.call(
            AbuseRequest(
                method: "PUT", path: "\(path)/roster", caller: owner,
                body: AbuseTexts.roster(min(max(stage.plan.roster, 60), 900), version: 0)))
        var request = send(
            "POST", "\(path)/sessions/repeat",
            #"{"rule":"days","every":1,"count":100,\#(AbuseStage.shared)}"#, owner)
        request.headers = ["Prefer: respond-async"]
        guard let id = try stage.call(request)["job"]?["id"]?.string else { throw .meeting("no job") }
        while try stage.call(get("/api/v1/jobs/\(id)", owner)[0])["state"]?.string == "running" {}
        return (id, owner)
    }

    static func grant(_ stage: AbuseStage) throws(BenchError) -> String {
        try stage.post("/api/v1/grants", #"{"code":"\#(stage.hall.code)"}"#, as: .nobody)["grant"]?.string
            ?? ""
    }

    static func cookie(of guest: AbuseStage.Guest, _ stage: AbuseStage) -> String {
        "qring_receipt_\(stage.hall.session)=\(guest.receipt)"
    }

    /// Returns requests of invited accounts.
    private static func accepted(
        _ stage: AbuseStage,
        _ make: (_ invitation: (id: String, secret: String), _ caller: AbuseRequest.Caller) -> AbuseRequest
    ) throws(BenchError) -> [AbuseRequest] {
        try many(stage, 3) { _ throws(BenchError) in
            let account = try stage.account()
            let invitation = try stage.invitation(to: account.email, in: stage.series.meeting)
            return make(invitation, .bearer(try stage.signIn(account.email).access))
        }
    }

    /// Returns the id of a new owner who gave links and invitations.
    private static func member(of place: AbuseStage.Place, _ stage: AbuseStage) throws(BenchError) -> String {
        let account = try stage.account()
        let token = AbuseRequest.Caller.bearer(try stage.signIn(account.email).access)
        let invitation = try stage.invitation(to: account.email, in: place.meeting)
        try stage.post("/api/v1/me/invitations", #"{"invitation":"\#(invitation.secret)"}"#, as: token)
        try stage.post("/api/v1/sessions/\(place.session)/presenter-links", "", as: token)
        try stage.post(
            "/api/v1/meetings/\(place.meeting)/members",
            #"{"email":"i\#(stage.next())@bench.example","role":"host"}"#, as: token)
        return account.id
    }

    /// Returns the upload of a picture, padded to the size of a file.
    private static func image(_ stage: AbuseStage) throws(BenchError) -> AbuseRequest {
        var bytes = try stage.file("/api/v1/sessions/\(stage.hall.session)/qr.png?size=2048")
        // The server reads a picture's beginning and its last chunk.
        let end = bytes.suffix(12)
        bytes += [UInt8](repeating: 0, count: max(0, stage.plan.fileBytes - bytes.count - 12)) + end
        return AbuseRequest(
            method: "PUT", path: "/api/v1/meetings/\(stage.hall.meeting)/image", type: "image/png",
            body: bytes)
    }
}
