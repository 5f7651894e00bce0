import Journal
import Meetings
import Testing

@testable import Server

/// Tests of long commands whose client prefers an early answer (`Prefer: respond-async`).
@Suite struct JobTests {
    private let early = ("Prefer", "respond-async")

    /// A roster that needs more than one slice.
    private let people =
        "{\"people\": ["
        + (0..<300).map { "{\"name\": \"P\($0)\", \"email\": \"p\($0)@example.org\"}" }.joined(separator: ",")
        + "]}"

    private func startImport(_ site: Site, _ cast: Cast) async throws -> Answer {
        try await site.send(
            "PUT", "/api/v1/meetings/\(cast.meeting)/roster", bearer: cast[.host], json: people,
            headers: [early])
    }

    /// Returns the job's answer after its end.
    private func ended(_ path: String, _ site: Site, bearer: String?) async throws -> Answer {
        var answer = try await site.send("GET", path, bearer: bearer)
        try await eventually("the job ends") {
            answer = try await site.send("GET", path, bearer: bearer)
            return answer.string("state") != "running"
        }
        return answer
    }

    @Test func `a long import is answered early, and only its account sees the job, for an hour`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let started = try await startImport(site, cast)
            #expect(started.status == 202, "\(started.text)")
            let path = try #require(started[header: "location"])
            #expect(path == "/api/v1/jobs/\(started.string("job.id") ?? "")")
            #expect(started[header: "preference-applied"] == "respond-async")
            #expect(started[header: "retry-after"] == "1")
            #expect(started.string("job.state") == "running" && started.string("job.kind") == "roster")
            #expect(started.int("job.done") == 0 && started.int("job.total") == 601)
            #expect(started.json("job.result") == nil && started.json("job.status") == nil)

            let answer = try await ended(path, site, bearer: cast[.host])
            #expect(answer.status == 200 && answer.string("state") == "done", "\(answer.text)")
            #expect(answer[header: "retry-after"] == nil)
            #expect(answer.int("done") == 601 && answer.int("status") == 200)
            #expect(answer.string("location") == "/api/v1/meetings/\(cast.meeting)/roster")
            #expect(answer.int("result.roster.added") == 300 && answer.int("result.roster.people") == 300)
            for other in [Holder.owner, .viewer, .stranger] {
                let refused = try await site.send("GET", path, bearer: cast[other])
                #expect((refused.status, refused.string("code")) == (404, "not_found"), "\(other)")
            }
            try await eventually("the account's turn is over") { site.services.heavyWork.count == 0 }

            // The server deletes the job by its own clock, and hides an expired one before that.
            await site.pass(to: at(60) - .milliseconds(1))
            #expect(try await site.send("GET", path, bearer: cast[.host]).status == 200)
            site.clock.set(at(60))
            #expect(try await site.send("GET", path, bearer: cast[.host]).status == 404)
            await site.pass(to: at(61))
            let left = try await site.storage.read { rows throws(JournalError) in
                try rows.hasJobReport(endedBy: at(1000))
            }
            #expect(!left)
        }
    }

    @Test func `a short change is answered at once, and so is a long one without the preference`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let short = try await site.send(
                "PUT", "/api/v1/meetings/\(cast.meeting)/roster", bearer: cast[.host],
                json: #"{"people": [{"name": "Kim"}]}"#, headers: [early])
            #expect(short.status == 200 && short.int("added") == 1)
            #expect(short[header: "preference-applied"] == nil && short[header: "location"] == nil)
            let waiting = try await site.send(
                "PUT", "/api/v1/meetings/\(cast.meeting)/roster", bearer: cast[.host], json: people)
            #expect(waiting.status == 200 && waiting.int("added") == 300)
            let wrong = try await site.send(
                "PUT", "/api/v1/meetings/\(cast.meeting)/roster", bearer: cast[.host], json: people,
                headers: [early, ("If-Match", "\"v1\"")])
            #expect((wrong.status, wrong.string("code")) == (412, "version_mismatch"))
            let viewer = try await site.send(
                "PUT", "/api/v1/meetings/\(cast.meeting)/roster", bearer: cast[.viewer], json: people,
                headers: [early])
            #expect(viewer.status == 403)
        }
    }

    @Test func `a repeated request gets the running job or the answer, and never a second series`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            _ = try await site.send(
                "PUT", "/api/v1/meetings/\(cast.meeting)/roster", bearer: cast[.host], json: people)
            // Slices have at most 4,096 steps, and this series has 20 times 316.
            func send(_ count: Int = 20) async throws -> Answer {
                try await site.send(
                    "POST", "/api/v1/meetings/\(cast.meeting)/sessions/repeat", bearer: cast[.host],
                    json: #"{"rule": "weekly", "count": \#(count)}"#,
                    headers: [early, ("Idempotency-Key", "key")])
            }
            let started = try await send()
            #expect(started.status == 202, "\(started.text)")
            let path = try #require(started[header: "location"])
            var repeated = 0
            for _ in 0..<3 {
                let again = try await send()
                #expect(again[header: "idempotency-replayed"] == "true")
                if again.status == 202 {
                    #expect(again[header: "location"] == path)
                    repeated += 1
                } else {
                    #expect(again.status == 201 && again.items("id").count == 20)
                }
            }
            let answer = try await ended(path, site, bearer: cast[.host])
            #expect(answer.string("state") == "done" && answer.int("status") == 201, "\(answer.text)")
            #expect((answer.json("result.sessions") as? [Any])?.count == 20)
            #expect(answer.string("result.sessions.0.joinCode") != nil)
            let last = try await send()
            #expect(last.status == 201 && last[header: "idempotency-replayed"] == "true")
            #expect(last.string("items.19.id") == answer.string("result.sessions.19.id"))
            let other = try await send(21)
            #expect((other.status, other.string("code")) == (409, "idempotency_key_used"))
            let found = try await site.send(
                "GET", "/api/v1/meetings/\(cast.meeting)/sessions?limit=100", bearer: cast[.host])
            #expect(found.items("id").count == 21)
        }
    }

    @Test func `a failed job has its problem in the reader's language, and a removed host sees no result`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let host = try #require(
                try await site.storage.read { rows throws(JournalError) in
                    try rows.members(of: cast.meeting).first { $0.role == .host }?.account
                })
            let outcomes: [(JobReport.Kind, JobReport.Outcome, Int, String?)] = [
                (.identifyBy, .failed(.sessionHasAttendees), 409, "session_has_attendees"),
                (.lateLimit, .failed(.sessionOver), 409, "session_over"),
                (.lateLimit, .failed(.sessionOverlap([cast.session])), 409, "session_overlap"),
                (.identifyBy, .failed(.notFound), 404, "not_found"),
                (.identifyBy, .failed(.notAllowed), 403, "not_allowed"),
                (.series, .failed(.reverted), 503, "storage_unavailable"),
                (.identifyBy, .meeting, 200, nil),
                (.lateLimit, .session(cast.session, overlaps: [cast.session]), 200, nil),
                (.session, .added([cast.session]), 201, nil),
            ]
            var paths: [String] = []
            for (kind, outcome, status, code) in outcomes {
                let id = JobID.make(at: start)
                try await site.storage.perform(
                    Act { transaction throws(JournalError) in
                        let request = JobReport.Request(account: host, kind: kind, meeting: cast.meeting)
                        try transaction.rows.insert(JobReport(id: id, request: request, total: 9))
                        try transaction.rows.report(outcome, of: id, endedAt: transaction.now)
                    })
                paths.append("/api/v1/jobs/\(id)")
                let answer = try await site.send("GET", "/api/v1/jobs/\(id)?lang=ko", bearer: cast[.host])
                #expect(answer.status == 200 && answer.int("status") == status, "\(answer.text)")
                #expect(answer.string("problem.code") == code, "\(answer.text)")
                if code == nil {
                    #expect(answer.string("state") == "done" && answer.int("done") == 9)
                    #expect((answer.json("result") as? [String: Any])?.count == 1, "\(answer.text)")
                } else {
                    #expect(answer.string("state") == "failed" && answer.json("result") == nil)
                    let detail = answer.string("problem.detail") ?? ""
                    #expect(detail.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) })
                }
            }
            try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.setRole(.viewer, of: host, in: cast.meeting)
                })
            for path in paths {
                let answer = try await site.send("GET", path, bearer: cast[.host])
                #expect(answer.status == 200 && answer.json("result") == nil, "\(answer.text)")
                #expect(answer.json("problem.overlaps.0") == nil)
            }
        }
    }

    @Test(arguments: [
        (["respond-async"], true), (["Respond-Async"], true), ([" wait=10 ,respond-async;x=1"], true),
        (["handling=lenient", "respond-async"], true), (["respond-async=\"\""], true),
        (["respond-async = "], true), ([], false), ([""], false), (["respond-async=1"], false),
        (["respond-asynch"], false), (["x=\"a, respond-async, b\""], false),
        (["x=\"a \\\", respond-async, b\""], false), (["x=\"respond-async"], false),
        (["x=\"\", respond-async"], true), (["return=minimal; respond-async"], false),
    ])
    func `the preference is read as RFC 7240 writes it`(_ lines: [String], _ isEarly: Bool) {
        #expect(Preferences.wantsEarlyAnswer(lines) == isEarly, "\(lines)")
    }
}
