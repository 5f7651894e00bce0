internal import Wire

extension AbuseCases {
    /// The routes for groups of interest. In the hall, the guests of `AbuseStage.searching` take part, each
    /// with the most and the longest keywords.
    static let matching: [AbuseCase] = [
        .same("GET /api/v1/sessions/{id}/matching-settings", "counts of 200 people") {
            get("/api/v1/sessions/\($0.hall.session)/matching-settings")
        },
        .same("GET /api/v1/sessions/{id}/matching", "200 people with 8 keywords each") {
            get("\(path($0))", .bearer($0.searching[0]))
        },
        .same("PUT /api/v1/sessions/{id}/matching/me", "other keywords, with 200 people") { stage in
            (0..<2).map {
                AbuseRequest(
                    method: "PUT", path: "\(path(stage))/me", caller: .bearer(stage.searching[0]),
                    body: AbuseTexts.profile(1000 + $0))
            }
        },
        .same("DELETE /api/v1/sessions/{id}/matching/me", "an attendee who does not take part") {
            stage throws(BenchError) in
            [
                AbuseRequest(
                    method: "DELETE", path: "\(path(stage))/me", caller: .bearer(try stage.guest().receipt))
            ]
        },
        .each("POST /api/v1/sessions/{id}/matching/requests", "a request, up to the limit of a minute") {
            stage throws(BenchError) in
            try many(stage, stage.candidates.count) { number throws(BenchError) in
                send(
                    "POST", "\(path(stage))/requests", #"{"to":"\#(stage.candidates[number])"}"#,
                    .bearer(stage.searching[0]))
            }
        },
        .none(
            "PATCH /api/v1/sessions/{id}/matching/requests/{requestId}",
            because: "Each request is answered once, and an attendee gets few."),
        .none(
            "PUT /api/v1/sessions/{id}/matching/match",
            because: "It replaces a line of text in one row of two people who meet."),
        .same("DELETE /api/v1/sessions/{id}/matching/match", "no meeting to end") { stage in
            [
                AbuseRequest(
                    method: "DELETE", path: "\(path(stage))/match", caller: .bearer(stage.searching[0]))
            ]
        },
        .each("POST /api/v1/sessions/{id}/matching/blocks", "a block, up to the limit") {
            stage throws(BenchError) in
            try many(stage, stage.candidates.count) { number throws(BenchError) in
                send(
                    "POST", "\(path(stage))/blocks", #"{"person":"\#(stage.candidates[number])"}"#,
                    .bearer(stage.searching[0]))
            }
        },
        .same("DELETE /api/v1/sessions/{id}/matching/blocks", "no block to end") { stage in
            [
                AbuseRequest(
                    method: "DELETE", path: "\(path(stage))/blocks", caller: .bearer(stage.searching[1]))
            ]
        },
        .each("POST /api/v1/sessions/{id}/matching/reports", "the longest report") {
            stage throws(BenchError) in
            try many(stage, 100) { number throws(BenchError) in
                send(
                    "POST", "\(path(stage))/reports",
                    #"{"person":"\#(stage.candidates[0])","text":"\#(String(repeating: "가", count: 300))"}"#,
                    .bearer(stage.reporters[number]))
            }
        },
        .same("GET /api/v1/sessions/{id}/matching/reports", "100 reports") {
            get("\(path($0))/reports")
        },
        .same("PATCH /api/v1/sessions/{id}/matching/reports/{reportId}", "a report, closed and opened again")
        {
            stage throws(BenchError) in
            let page = try stage.call(AbuseRequest(method: "GET", path: "\(path(stage))/reports"))
            let report = page["items"]?.elements.first?["id"]?.string ?? "none"
            return ["true", "false"].map {
                send("PATCH", "\(path(stage))/reports/\(report)", #"{"closed":\#($0)}"#)
            }
        },
        .same("GET /me/{id}/groups", "the page with 50 people") { stage throws(BenchError) in
            let cookie = "qring_receipt_\(stage.hall.session)=\(stage.searching[0])"
            return get("/me/\(stage.hall.session)/groups", .cookie(cookie))
        },
        .each("POST /me/{id}/groups", "an opt-in by the form") { stage throws(BenchError) in
            try many(stage) { _ throws(BenchError) in
                let guest = try stage.guest()
                return form(
                    "/me/\(stage.hall.session)/groups",
                    "receipt=\(guest.receipt)&do=join&nickname=Owl&keywords=chess",
                    .cookie(cookie(of: guest, stage)))
            }
        },
        // The last one, because it may leave the groups closed.
        .same("PATCH /api/v1/sessions/{id}/matching-settings", "groups that are closed and opened again") {
            stage in
            ["false", "true"].map {
                send(
                    "PATCH", "/api/v1/sessions/\(stage.hall.session)/matching-settings", #"{"open":\#($0)}"#)
            }
        },
    ]

    private static func path(_ stage: AbuseStage) -> String {
        "/api/v1/sessions/\(stage.hall.session)/matching"
    }
}

extension AbuseTexts {
    /// A profile with the most and the longest keywords. Half of them are everybody's.
    static func profile(_ number: Int) -> [UInt8] {
        let keywords = (0..<8).map { index -> String in
            let own = index < 4 ? "\(index)" : "\(number)-\(index)"
            return "\"\(own)\(String(repeating: "가", count: 30 - own.count))\""
        }
        return Array(
            #"{"nickname":"Guest \#(number)","keywords":[\#(keywords.joined(separator: ","))]}"#.utf8)
    }

    /// Returns the number of the profile whose own keyword this is; nil for a keyword of everybody.
    static func numberOfProfile(_ keyword: String) -> Int? {
        let parts = keyword.split(separator: "-", maxSplits: 1)
        return parts.count == 2 ? Int(parts[0]) : nil
    }
}
