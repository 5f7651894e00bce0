import Foundation
import Journal
import Meetings
import Testing
import WebSockets

@testable import Server

/// Tests of the rights to be in a room, and of their duration.
@Suite(.timeLimit(.minutes(1))) struct RoomRightsTests {
    @Test func `every token's holder may join the rooms of that token, and no other room`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let other = try await site.cast(named: "Other", from: 30, to: 90)
            let rooms = [
                "session:\(cast.session)", "presenter:\(cast.session)", "audience:\(cast.session)", "home",
            ]
            let no = "not_allowed"
            let table: [(who: String, token: String?, answers: [String])] = [
                ("stranger", cast[.stranger], [no, no, no, "joined"]),
                ("viewer", cast[.viewer], ["joined", "joined", no, "joined"]),
                ("steward", cast[.steward], [no, no, no, "joined"]),
                ("host", cast[.host], ["joined", "joined", no, "joined"]),
                ("owner", cast[.owner], ["joined", "joined", no, "joined"]),
                ("attendee", cast[.attendee], [no, no, "joined", no]),
                ("grant", cast.grant, [no, no, "joined", no]),
                ("presenter", cast[.presenter], [no, "joined", no, no]),
                ("owner of another", other[.owner], [no, no, no, "joined"]),
                ("attendee of another", other[.attendee], [no, no, no, no]),
                ("presenter of another", other[.presenter], [no, no, no, no]),
                ("nobody", nil, Array(repeating: "not_signed_in", count: 4)),
            ]
            for row in table {
                let caller = try await site.rooms(bearer: row.token)
                for (room, expected) in zip(rooms, row.answers) {
                    let answer = try await caller.join(room)
                    let got = answer?.string("joined") == room ? "joined" : answer?.string("error.code")
                    #expect(got == expected, "\(row.who) in \(room)")
                }
                let missing = try await caller.join("session:\(SessionID.makeTimeless())")
                #expect(missing?.json("error") != nil)
                #expect(try await caller.join("kitchen")?.string("error.code") == "unknown_room")
            }
            // A kiosk joins no room, with its own prefix or with another one.
            let kiosk = cast[.kiosk] ?? ""
            for token in [
                cast[.expired], kiosk, "\(BearerToken.presenter)\(kiosk.dropFirst(4))", "qat_x",
                "qrt_\(cast.refresh)", "",
            ] {
                #expect(try await site.rooms(bearer: token).end() == 4001)
                let byMessage = try await site.rooms()
                try byMessage.say(#"{"authorize": "\#(token ?? "")"}"#)
                #expect(await byMessage.end() == 4001)
            }
        }
    }

    @Test func `names are sent to members only, and codes to members and presenters`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let code = cast.record.session.joinCode
            for (room, token, names, codes) in [
                ("session", cast[.viewer], true, true), ("presenter", cast[.presenter], false, true),
                ("audience", cast[.attendee], false, false),
            ] {
                let caller = try await site.watch("\(room):\(cast.session)", bearer: token)
                let snapshot = try #require(await caller.hear("snapshot"))
                #expect(snapshot.text.contains("\"Person\"") == names, "\(room)")
                #expect(snapshot.text.contains(code) == codes, "\(room)")
                #expect(snapshot.text.contains("person@example.org") == names, "\(room)")
                _ = try await site.arrive(1, in: cast.session, named: "New-\(room)")
                let frame = try #require(await caller.hear("attendance"))
                #expect(frame.text.contains("New-\(room)") == names, "\(room)")
            }
        }
    }

    @Test func `a token that expires ends its rooms with code 4001`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let caller = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
            await site.pass(to: at(48 * 60) - .milliseconds(1))
            try caller.say(#"{"ping": 1}"#)
            #expect(await caller.hear("pong") != nil)
            await site.pass(to: at(48 * 60))
            #expect(await caller.end() == 4001)
        }
    }

    @Test func `a presenter stays until the session ends, even if the end has moved`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let room = "presenter:\(cast.session)"
            let caller = try await site.watch(room, bearer: cast[.presenter])
            await site.pass(to: at(60))
            _ = try await site.storage.perform(
                EditSession(id: cast.session, endsAt: at(90), actor: cast.owner))
            await site.pass(to: at(60) + .milliseconds(1))
            try caller.say(#"{"ping": 1}"#)
            #expect(await caller.hear("pong") != nil)
            await site.pass(to: at(90))
            try caller.say(#"{"ping": 2}"#)
            #expect(await caller.hear("pong") != nil)
            await site.pass(to: at(90) + .milliseconds(1))
            #expect(await caller.end() == 4001)
        }
    }

    @Test func `a suspension ends the account's rooms and screens, and no others`() async throws {
        try await Site.open { site in
            _ = try await site.storage.perform(
                Act { transaction throws(JournalError) in try transaction.account("operator@example.org") })
            let cast = try await site.cast()
            let made = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/presenter-links", bearer: cast[.host])
            let room = "presenter:\(cast.session)"
            let ending = [
                try await site.watch("session:\(cast.session)", bearer: cast[.owner]),
                try await site.watch("home", bearer: cast[.owner]),
                try await site.watch(room, bearer: cast[.presenter]),
            ]
            let others = [
                try await site.watch("session:\(cast.session)", bearer: cast[.host]),
                try await site.watch(room, bearer: made.string("token")),
            ]
            _ = try await site.storage.perform(SuspendAccount(id: cast.owner))
            for caller in ending { #expect(await caller.end() == 4001) }
            for caller in others {
                try caller.say(#"{"ping": 1}"#)
                #expect(await caller.hear("pong") != nil)
            }
            #expect(try await site.rooms(bearer: cast[.presenter]).end() == 4001)
        }
    }

    @Test func `a revoked presenter link ends its rooms, and another link's rooms continue`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let made = try await site.send(
                "POST", "/api/v1/sessions/\(cast.session)/presenter-links", bearer: cast[.host])
            let (first, second) = (
                try await site.watch("presenter:\(cast.session)", bearer: cast[.presenter]),
                try await site.watch("presenter:\(cast.session)", bearer: made.string("token"))
            )
            let path = "/api/v1/sessions/\(cast.session)/presenter-links/\(cast.link)"
            #expect(try await site.send("DELETE", path, bearer: cast[.host]).status == 204)
            #expect(await first.end() == 4001)
            try second.say(#"{"ping": 1}"#)
            #expect(await second.hear("pong") != nil)
            #expect(try await site.rooms(bearer: cast[.presenter]).end() == 4001)
        }
    }

    @Test
    func `a renewal of all codes ends the rooms, picture and form of earlier grants, and no other room`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let room = "audience:\(cast.session)"
            let rooms = "/rooms/tickets"
            let pages = ["/C/FORM", "/me/\(cast.session)/picture"]
            let cookie = ("Cookie", "qring_grant=\(cast.grant)")
            #expect(try await site.send("POST", rooms, bearer: cast.grant).status == 201)
            #expect(try await site.send("GET", pages[0], headers: [cookie]).status == 200)
            let old = try await site.watch(room, bearer: cast.grant)
            // This connection has shown the grant, but is in no room yet.
            let idle = try await site.rooms(bearer: cast.grant)
            try idle.say(#"{"ping": 1}"#)
            #expect(await idle.hear("pong") != nil)
            let attendee = try await site.watch(room, bearer: cast[.attendee])
            site.clock.set(at(1))
            _ = try await site.storage.perform(
                EditMeeting(id: cast.meeting, renewsAllCodes: true, actor: cast.owner))
            #expect(await old.end() == 4001)
            #expect(await idle.end() == 4001)
            #expect(try await site.rooms(bearer: cast.grant).end() == 4001)
            #expect(try await site.send("POST", rooms, bearer: cast.grant).status == 401)
            for (page, status) in zip(pages, [422, 401]) {
                #expect(try await site.send("GET", page, headers: [cookie]).status == status)
            }
            try attendee.say(#"{"ping": 2}"#)
            #expect(await attendee.hear("pong") != nil)
            // The code was read before the renewal was stored, and exchanged a moment after its beginning.
            let late = Grant(for: cast.record, at: at(1) + .milliseconds(9), method: .qr).text(
                keys: site.keys)
            #expect(try await site.send("POST", rooms, bearer: late).status == 401)
            let renewed = try #require(try await site.storage.session(cast.session))
            let new = Grant(for: renewed, at: at(1), method: .qr).text(keys: site.keys)
            #expect(try await site.send("POST", rooms, bearer: new).status == 201)
            _ = try await site.watch(room, bearer: new)
        }
    }

    @Test func `a presenter link works only while its creator has the role, checked at each use`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let (room, picture) = ("presenter:\(cast.session)", "/api/v1/sessions/\(cast.session)/qr.svg")
            let caller = try await site.rooms(bearer: cast[.presenter])
            #expect(try await caller.join(room)?.string("joined") == room)
            #expect(try await site.send("GET", picture, bearer: cast[.presenter]).status == 200)
            // The test sets the role directly, without a command, so no link was revoked.
            let (owner, meeting) = (cast.owner, cast.meeting)
            try await site.storage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.setRole(.viewer, of: owner, in: meeting)
                })
            #expect(try await caller.join(room)?.string("error.code") == "not_allowed")
            #expect(try await site.send("GET", picture, bearer: cast[.presenter]).status == 401)
            #expect(try await site.rooms(bearer: cast[.presenter]).end() == 4001)
        }
    }

    @Test func `a sign-out ends that sign-in's rooms, even if the connection showed other rights later`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let room = "session:\(cast.session)"
            let plain = try await site.watch(room, bearer: cast[.owner])
            let masked = try await site.watch(room, bearer: cast[.owner])
            try masked.say(#"{"authorize": "\#(cast.grant)"}"#)
            #expect(await masked.hear("authorized") != nil)
            let other = try await site.watch(room, bearer: cast[.host])
            #expect(
                try await site.send("DELETE", "/api/v1/tokens/current", bearer: cast[.owner]).status == 204)
            #expect(await plain.end() == 4001)
            #expect(await masked.end() == 4001)
            try other.say(#"{"ping": 1}"#)
            #expect(await other.hear("pong") != nil)
        }
    }

    @Test func `a cookie opens rooms only for the server's own pages`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let cookie = (name: "Cookie", value: "a=b; qring_token=\(cast[.owner] ?? "")")
            let own = try await site.rooms(headers: [
                cookie, (name: "Origin", value: "http://127.0.0.1:\(site.port)"),
            ])
            #expect(try await own.join("session:\(cast.session)")?.json("joined") != nil)
            for origin in ["https://elsewhere.example", "http://127.0.0.1", "null"] {
                #expect(
                    try await site.rooms(headers: [cookie, (name: "Origin", value: origin)]).end() == 1008,
                    "\(origin)")
            }
            #expect(try await site.rooms(headers: [cookie]).end() == 1008)
        }
    }

    @Test func `the server closes a connection that has not authorized within half a minute`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let silent = try await site.rooms()
            let known = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
            try silent.say(#"{"ping": 1}"#)
            #expect(await silent.hear("pong") != nil)
            await site.pass(to: at(0) + RoomConnections.patience)
            try silent.say(#"{"ping": 2}"#)
            #expect(await silent.hear("pong") != nil)
            await site.pass(to: at(0) + RoomConnections.patience + .milliseconds(1))
            #expect(await silent.end() == 1008)
            try known.say(#"{"ping": 3}"#)
            #expect(await known.hear("pong") != nil)
        }
    }

    @Test func `the server closes an authorized connection that joins no room in five minutes`() async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let idle = try await site.rooms(bearer: cast[.viewer])
            let left = try await site.watch("session:\(cast.session)", bearer: cast[.viewer])
            try left.say(#"{"leave": "session:\#(cast.session)"}"#)
            #expect(await left.hear("left") != nil)
            await site.pass(to: at(0) + RoomConnections.joinPatience)
            try idle.say(#"{"ping": 1}"#)
            #expect(await idle.hear("pong") != nil)
            await site.pass(to: at(0) + RoomConnections.joinPatience + .milliseconds(1))
            #expect(await idle.end() == 1001)
            #expect(idle.connection.closed?.reason == "not_joined")
            // This client has joined a room before.
            try left.say(#"{"ping": 2}"#)
            #expect(await left.hear("pong") != nil)
        }
    }
}
