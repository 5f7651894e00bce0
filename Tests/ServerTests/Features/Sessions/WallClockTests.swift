import Foundation
import Journal
import Meetings
import Testing

@testable import Server

/// Tests of sessions over midnight and over the nights when clocks change, through the API. Only the test
/// moves the clock.
@Suite struct WallClockTests {
    private func moment(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    private func send(_ site: Site, _ method: String, _ path: String, _ token: String?, _ json: String)
        async throws -> [String: Any]
    {
        let answer = try await site.send(method, path, bearer: token, json: json)
        #expect((200...201).contains(answer.status), "\(answer.text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
    }

    /// Creates a session of six hours by the wall clock, a week before the clocks change, and the same
    /// session a week later.
    private func night(_ site: Site, zone: String, starts: String, ends: String) async throws -> (
        owner: String?, next: [String: Any]
    ) {
        let owner = try await site.cast()[.owner]
        let made = try await send(
            site, "POST", "/api/v1/meetings", owner,
            #"""
            {"name": "Night", "timeZone": "\#(zone)", \#
            "session": {"startsAt": "\#(starts)", "endsAt": "\#(ends)"}}
            """#
        )
        let meeting = try #require((made["meeting"] as? [String: Any])?["id"] as? String)
        _ = try await send(
            site, "PUT", "/api/v1/meetings/\(meeting)/roster", owner,
            #"""
            {"people": [{"name": "A", "email": "a@example.org"}, \#
            {"name": "B", "email": "b@example.org"}, {"name": "C"}]}
            """#
        )
        let series = try await send(
            site, "POST", "/api/v1/meetings/\(meeting)/sessions/repeat", owner,
            #"{"rule": "weekly", "count": 1}"#)
        let items = try #require(series["items"] as? [[String: Any]])
        return (owner, try #require(items.first))
    }

    @Test(
        arguments: [
            (
                "Europe/Berlin", "2027-03-20T22:00:00+01:00", "2027-03-21T04:00:00+01:00",
                "2027-03-27T21:00:00Z", "2027-03-28T02:00:00Z"
            ),
            (
                "Europe/Berlin", "2027-10-23T22:00:00+02:00", "2027-10-24T04:00:00+02:00",
                "2027-10-30T20:00:00Z", "2027-10-31T03:00:00Z"
            ),
            (
                "America/New_York", "2027-03-06T22:00:00-05:00", "2027-03-07T04:00:00-05:00",
                "2027-03-14T03:00:00Z", "2027-03-14T08:00:00Z"
            ),
            (
                "America/New_York", "2027-10-30T22:00:00-04:00", "2027-10-31T04:00:00-04:00",
                "2027-11-07T02:00:00Z", "2027-11-07T09:00:00Z"
            ),
            (
                "Asia/Seoul", "2027-03-20T22:00:00+09:00", "2027-03-21T04:00:00+09:00",
                "2027-03-27T13:00:00Z", "2027-03-27T19:00:00Z"
            ),
        ])
    func `a night session over a clock change accepts check-ins until its last millisecond`(
        zone: String, starts: String, ends: String, nextStarts: String, nextEnds: String
    ) async throws {
        try await Site.open { site in
            let (_, next) = try await night(site, zone: zone, starts: starts, ends: ends)
            #expect(next["startsAt"] as? String == nextStarts && next["endsAt"] as? String == nextEnds)
            let (start, end) = (try moment(nextStarts), try moment(nextEnds))
            let joinCode = try #require(next["joinCode"] as? String)
            for (now, person, status) in [
                (start + .minutes(10), "a", "present"), (end, "b", "late"),
            ] {
                await site.pass(to: now)
                let came = try await send(
                    site, "POST", "/api/v1/check-ins", nil,
                    #"{"joinCode": "\#(joinCode)", "name": "X", "email": "\#(person)@example.org"}"#)
                let attendee = try #require(came["attendee"] as? [String: Any])
                #expect(attendee["status"] as? String == status && attendee["walkIn"] == nil)
            }
            let id = try #require((next["id"] as? String).flatMap { SessionID($0) })
            let record = try #require(try await site.storage.session(id))
            #expect(record.attendance(at: end).awaited == 1 && record.attendance(at: end).absent == 0)
            let after = record.attendance(at: end + .milliseconds(1))
            #expect(
                after.awaited == 0 && after.absent == 1 && after.present == 1 && after.late == 1
                    && after.checkedIn == 2)
            await site.pass(to: end + .milliseconds(1))
            let late = try await site.send(
                "POST", "/api/v1/check-ins",
                json: #"{"joinCode": "\#(joinCode)", "name": "Y", "email": "y@example.org"}"#)
            #expect(late.status == 409 && late.string("code") == "check_in_closed")
        }
    }

    @Test func `a start in the skipped hour moves behind it, and the next day's start is as planned`()
        async throws
    {
        try await Site.open { site in
            let owner = try await site.cast()[.owner]
            let made = try await send(
                site, "POST", "/api/v1/meetings", owner,
                """
                {"name": "Early", "timeZone": "Europe/Berlin",
                    "session": {"startsAt": "2027-03-26T02:30:00+01:00",
                     "endsAt": "2027-03-26T02:50:00+01:00"}}
                """)
            let meeting = try #require((made["meeting"] as? [String: Any])?["id"] as? String)
            let series = try await send(
                site, "POST", "/api/v1/meetings/\(meeting)/sessions/repeat", owner,
                #"{"rule": "days", "every": 1, "count": 3}"#)
            let starts = (series["items"] as? [[String: Any]] ?? []).compactMap { $0["startsAt"] as? String }
            // The starts are 02:30 in winter time, 03:30 in summer time because 02:30 does not exist, and
            // 02:30 in summer time.
            #expect(starts == ["2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"])
        }
    }
}
