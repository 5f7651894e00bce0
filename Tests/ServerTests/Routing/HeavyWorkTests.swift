import Foundation
import Journal
import Meetings
import Phrases
import Testing
import Wire

@testable import Server

@Suite struct HeavyWorkTests {
    @Test func `one scan of an account runs, four wait in order, and the next gets 429`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let work = site.services.heavyWork
            let review = "/api/v1/sessions/\(cast.session)/review"
            try await work.whileBusy(cast.owner) { group, leave in
                for _ in 1...HeavyWork.mostWaiting {
                    group.addTask {
                        let answer = try await site.send("GET", review, bearer: cast[.owner])
                        #expect(answer.status == 200)
                    }
                }
                try await eventually("four requests wait") {
                    work.waitingCount(of: cast.owner) == HeavyWork.mostWaiting
                }
                for path in [
                    review, "/api/v1/meetings/\(cast.meeting)/roster?absentInARow=3",
                    "/api/v1/sessions/\(cast.session)/attendees?q=kim",
                    "/api/v1/sessions/\(cast.session)/attendance.csv",
                    "/api/v1/sessions/\(cast.session)/results.csv",
                    "/api/v1/meetings/\(cast.meeting)/calendar.ics",
                ] {
                    let refused = try await site.send("GET", path, bearer: cast[.owner])
                    #expect((refused.status, refused.string("code")) == (429, "one_at_a_time"), "\(path)")
                    #expect(refused[header: "retry-after"] == "2")
                }
                // Short requests of the same account, and scans of another account, do not wait.
                let list = "/api/v1/sessions/\(cast.session)/attendees"
                #expect(try await site.send("GET", list, bearer: cast[.owner]).status == 200)
                #expect(try await site.send("GET", review, bearer: cast[.host]).status == 200)
                leave()
                try await group.waitForAll()
            }
            #expect(work.count == 0)
            #expect(try await site.send("GET", review, bearer: cast[.owner]).status == 200)
        }
    }

    @Test func `a late limit that many attendees follow waits for its turn, and so does its undo`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let work = site.services.heavyWork
            _ = try await site.arrive(301, in: cast.session)
            let path = "/api/v1/sessions/\(cast.session)"
            func patch(_ json: String) async throws -> Answer {
                try await site.send("PATCH", path, bearer: cast[.owner], json: json)
            }
            #expect(try await patch(#"{"lateAfterMinutes": 3}"#).status == 200)
            let last = try #require(try await site.storage.session(cast.session)).sequence
            try await work.whileBusy(cast.owner) { group, leave in
                for _ in 1...HeavyWork.mostWaiting {
                    group.addTask { try await work.alone(cast.owner) {} }
                }
                try await eventually("four requests wait") {
                    work.waitingCount(of: cast.owner) == HeavyWork.mostWaiting
                }
                let edit = try await patch(#"{"lateAfterMinutes": 20}"#)
                let undo = try await site.send(
                    "POST", "\(path)/undo", bearer: cast[.owner], json: #"{"sequence": \#(last)}"#,
                    headers: [("Idempotency-Key", "undo")])
                for refused in [edit, undo] {
                    #expect((refused.status, refused.string("code")) == (429, "one_at_a_time"))
                }
                #expect(try await patch(#"{"plannedCount": 9}"#).status == 200)
                leave()
                try await group.waitForAll()
            }
            #expect(try await patch(#"{"lateAfterMinutes": 20}"#).status == 200)
        }
    }

    @Test func `a scan that waited gives nothing to a member who was removed meanwhile`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let work = site.services.heavyWork
            let members = "/api/v1/meetings/\(cast.meeting)/members"
            let list = try await site.send("GET", members, bearer: cast[.owner])
            let viewer = try #require(
                zip(list.items("accountId"), list.items("role")).first { $0.1 == "viewer" }?.0)
            let account = try #require(AccountID(viewer))
            try await work.whileBusy(account) { group, leave in
                for path in [
                    "/api/v1/sessions/\(cast.session)/attendance.csv",
                    "/api/v1/sessions/\(cast.session)/attendees?q=a",
                    "/api/v1/meetings/\(cast.meeting)/calendar.ics",
                ] {
                    group.addTask {
                        let answer = try await site.send("GET", path, bearer: cast[.viewer])
                        #expect((answer.status, answer.string("code")) == (403, "not_allowed"), "\(path)")
                    }
                }
                try await eventually("three requests wait") { work.waitingCount(of: account) == 3 }
                let removed = try await site.send("DELETE", "\(members)/\(viewer)", bearer: cast[.owner])
                #expect(removed.status == 204)
                leave()
                try await group.waitForAll()
            }
        }
    }

    @Test func `if a scan fails, the next waiting scan runs`() async throws {
        let (work, account) = (HeavyWork(), AccountID(high: 1, low: 1))
        await #expect(throws: Refusal.notAllowed) {
            try await work.alone(account) { throw Refusal.notAllowed }
        }
        #expect(try await work.alone(account) { true })
        #expect(work.count == 0)
    }

    @Test func `a scan above the limit of steps is answered with 503 and what to do next`() {
        let error = JournalError.failed(StorageFailure(.tooManySteps, operation: "list people"))
        let problem = Problem(of: error, in: .english)
        #expect((problem.status, problem.code) == (503, "too_much_at_once"))
        #expect(problem.retryAfterSeconds == 2)
    }
}

extension HeavyWork {
    /// Runs `body` while other work has the account's turn, until `body` calls its second argument.
    fileprivate func whileBusy(
        _ account: AccountID,
        _ body: (inout ThrowingTaskGroup<Void, any Error>, _ leave: () -> Void) async throws -> Void
    ) async throws {
        let (entered, end) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await self.alone(account) {
                    entered.continuation.yield()
                    for await _ in end.stream { return }
                }
            }
            for await _ in entered.stream { break }
            try await body(&group) { end.continuation.yield() }
        }
    }
}
