import Journal
import Meetings
import Testing

@testable import Server

/// Tests what hosts and clients in a room receive after a correction.
@Suite struct CorrectionTests {
    @Test func `the server refuses a host's edit of an outdated version, and a second undo`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/attendees/\(cast.attendee.id)"
            let seen = try await site.send("GET", path, bearer: cast[.viewer])
            #expect(seen[header: "etag"] == "\"v1\"")
            let tag = [("If-Match", seen[header: "etag"] ?? "")]
            let first = try await site.send(
                "PATCH", path, bearer: cast[.host], json: #"{"status": "excused", "note": "ill"}"#,
                headers: tag)
            #expect((first.status, first[header: "etag"], first.string("note")) == (200, "\"v2\"", "ill"))
            let second = try await site.send(
                "PATCH", path, bearer: cast[.owner], json: #"{"status": "absent"}"#, headers: tag)
            #expect(
                (second.status, second.string("code"), second.int("current")) == (412, "version_mismatch", 2))

            let journal = try await site.send(
                "GET", "/api/v1/sessions/\(cast.session)/journal?since=2", bearer: cast[.viewer])
            #expect(journal.items("note") == ["ill"])
            #expect(journal.items("attendeeName") == ["Person"])
            #expect(journal.items("actorName") == ["host"])
            #expect(journal.json("items.0.undoable") as? Bool == true)
            let undo = "/api/v1/sessions/\(cast.session)/undo"
            let undone = try await site.send("POST", undo, bearer: cast[.owner], json: #"{"sequence": 3}"#)
            #expect(
                (undone.status, undone.string("attendee.status"), undone.string("event.kind")) == (
                    200, "present", "undone"
                ))
            let again = try await site.send("POST", undo, bearer: cast[.host], json: #"{"sequence": 3}"#)
            #expect((again.status, again.string("code")) == (409, "changed_since"))
            let none = try await site.send("POST", undo, bearer: cast[.host], json: #"{"sequence": 1}"#)
            #expect((none.status, none.string("code")) == (409, "cannot_be_undone"))
        }
    }

    @Test func `the journal shows an edit's old and new values, recomputed statuses and note, and its undo`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/sessions/\(cast.session)"
            let edited = try await site.send(
                "PATCH", path, bearer: cast[.host],
                json: #"{"lateAfterMinutes": 25, "plannedCount": 4, "note": "the bus was late"}"#)
            #expect(edited.status == 200)
            let undone = try await site.send(
                "POST", "\(path)/undo", bearer: cast[.owner], json: #"{"sequence": 3, "note": "it was not"}"#)
            #expect(undone.status == 200)
            let journal = try await site.send("GET", "\(path)/journal?since=2", bearer: cast[.viewer])
            #expect(journal.items("note") == ["the bus was late", "it was not"])
            for (index, values) in [(0, ("10", "25")), (1, ("25", "10"))] {
                #expect(journal.json("items.\(index).data.changes.0.field") as? String == "lateAfterMinutes")
                #expect(journal.json("items.\(index).data.changes.0.from") as? String == values.0)
                #expect(journal.json("items.\(index).data.changes.0.to") as? String == values.1)
                #expect(journal.json("items.\(index).data.recomputed") as? Int == 0)
            }
            #expect(journal.json("items.0.data.changes.1.to") as? String == "4")
            let long = #"{"lateAfterMinutes": 5, "note": "\#(String(repeating: "x", count: 501))"}"#
            #expect(try await site.send("PATCH", path, bearer: cast[.host], json: long).status == 422)
        }
    }

    @Test func `members see which attendee was corrected, and every view gets the new counts`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let members = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
            let hall = try await site.watch("presenter:\(cast.session)", bearer: cast[.presenter])
            _ = try await site.send(
                "PATCH", "/api/v1/attendees/\(cast.attendee.id)", bearer: cast[.host],
                json: #"{"status": "late", "note": "bus"}"#)
            let changed = await members.hear("changed")
            #expect(changed?.strings("changed", "note") == ["bus"])
            #expect((changed?.int("attendance.late"), changed?.int("sequence")) == (1, 3))
            let told = await hall.hear("attendance")
            #expect(told?.json("attendance.late") != nil && !(told?.text.contains("bus") ?? true))

            let added = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/attendees", bearer: cast[.host],
                json: #"{"name": "Lee", "note": "no phone"}"#)
            #expect(
                (added.status, added.string("method"), added.json("walkIn") as? Bool) == (201, "host", false))
            let arrived = await members.hear("arrivals")
            #expect(arrived?.strings("arrivals", "name") == ["Lee"])
            let merged = try await site.send(
                "POST", "/api/v1/attendees/\(added.string("id") ?? "")/merge", bearer: cast[.host],
                json: #"{"into": "\#(cast.attendee.id)"}"#)
            #expect((merged.status, merged.string("name")) == (200, "Person"))
            let gone = await members.hear("removed")
            #expect(gone?.json("removed") as? [String] == [added.string("id") ?? ""])
            #expect((gone?.int("attendance.checkedIn")) == 1)
            let own = try await site.send(
                "GET", "/api/v1/check-ins/current", bearer: site.receipt(cast.attendee))
            #expect(
                own.status == 200 && own.json("attendee.note") == nil && own.json("attendee.version") == nil)
        }
    }

    @Test func `a removal ends the attendee's receipt and room, and an undo makes the receipt valid again`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let receipt = try #require(cast[.attendee])
            let audience = try await site.watch("audience:\(cast.session)", bearer: receipt)
            let removed = try await site.send(
                "DELETE", "/api/v1/attendees/\(cast.attendee.id)?note=twice", bearer: cast[.host])
            #expect(removed.status == 204)
            #expect(await audience.end() == 4001)
            #expect(try await site.send("GET", "/api/v1/check-ins/current", bearer: receipt).status == 401)
            let undone = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/undo", bearer: cast[.host],
                json: #"{"sequence": 3}"#)
            #expect(undone.status == 200)
            #expect(try await site.send("GET", "/api/v1/check-ins/current", bearer: receipt).status == 200)
        }
    }

    @Test func `an attendee is shown with the person's totals over the series`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/attendees/\(cast.attendee.id)"
            let shown = try await site.send("GET", path, bearer: cast[.viewer])
            #expect((shown.int("totals.present"), shown.int("totals.absent")) == (1, 0))
            let next = try await site.storage.perform(
                ContinueMeeting(
                    meeting: cast.meeting, startsAt: at(1000), endsAt: at(1060), actor: cast.owner))
            await site.pass(to: at(1001))
            let email = try #require(shown.string("email"))
            _ = try await site.storage.perform(
                AddAttendee(
                    session: next.session.id, name: "Again", email: email, status: .excused, actor: cast.owner
                ))
            let later = try await site.send("GET", path, bearer: cast[.viewer])
            #expect((later.int("totals.present"), later.int("totals.excused")) == (1, 1))
        }
    }

    @Test func `an undo that is retried under its key gets the same answer, and undoes nothing more`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            _ = try await site.send(
                "PATCH", "/api/v1/attendees/\(cast.attendee.id)", bearer: cast[.host],
                json: #"{"status": "excused"}"#)
            var answers: [Answer] = []
            for _ in 0..<2 {
                answers.append(
                    try await site.send(
                        "POST", "/api/v1/sessions/\(cast.session)/undo", bearer: cast[.host],
                        json: #"{"sequence": 3}"#,
                        headers: [("Idempotency-Key", "undo")]))
            }
            #expect(answers[0].status == 200 && answers[0].body == answers[1].body)
            #expect(
                answers[0].string("event.actorName") == "host"
                    && answers[1][header: "idempotency-replayed"] == "true")
            #expect(try await site.storage.session(cast.session)?.sequence == 4)
        }
    }

    @Test func `a session that a host shortens ends the presenter's room at once`() async throws {
        try await Site.open { site in
            let cast = try await site.cast(from: -30, to: 60)
            let hall = try await site.watch("presenter:\(cast.session)", bearer: cast[.presenter])
            await site.pass(to: at(10))
            let ends = at(5).rfc3339
            let edited = try await site.send(
                "PATCH", "/api/v1/sessions/\(cast.session)", bearer: cast[.host],
                json: #"{"endsAt": "\#(ends)"}"#)
            #expect(edited.status == 200)
            #expect(await hall.end() == 4001)
        }
    }

    @Test func `a review names two people who used one device, and an address is cut to its network`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            for name in ["Kim", "Lee"] {
                let grant = Grant(for: cast.record, at: site.clock.now, method: .qr).text(keys: site.keys)
                let answer = try await site.send(
                    "POST", "/api/v1/check-ins",
                    json: #"{"grant": "\#(grant)", "name": "\#(name)", "email": "\#(name)@example.org"}"#,
                    headers: [("Cookie", "qring_device=0123456789ABCDEFGHJKMNPQRS")])
                #expect(answer.status == 201)
            }
            let review = try await site.send(
                "GET", "/api/v1/sessions/\(cast.session)/review?lang=en", bearer: cast[.host])
            #expect((review.status, review.string("findings.0.kind")) == (200, "oneDevice"))
            #expect(
                (review.json("findings.0.attendees") as? [[String: Any]])?.compactMap {
                    $0["name"] as? String
                }.sorted() == ["Kim", "Lee"])
            #expect(
                review.string("findings.0.sentence")?.hasPrefix("2 people checked in from one device") == true
            )
            #expect(DeviceMark.network(of: "203.0.113.77") == "203.0.113.0/24")
            #expect(DeviceMark.network(of: "::ffff:203.0.113.77") == "203.0.113.0/24")
            #expect(DeviceMark.network(of: "2001:db8:5:6:7:8:9:a") == "2001:db8:5::/48")
            #expect(DeviceMark.network(of: "2001:db8::1") == "2001:db8:0::/48")
            #expect(DeviceMark.network(of: "::1") == "0:0:0::/48")
            for text in ["", "host", "1.2.3", "1.2.3.400", "1::2::3", "12345::"] {
                #expect(DeviceMark.network(of: text) == nil, "\(text)")
            }
        }
    }
}
