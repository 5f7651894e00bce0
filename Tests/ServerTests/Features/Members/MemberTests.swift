import Journal
import Meetings
import Testing

@testable import Server

/// Tests of roles by invitation, and of a meeting's picture.
@Suite struct MemberTests {
    @Test func `an invited account becomes a co-host, and leaves the rooms when it is removed`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/meetings/\(cast.meeting)/members"
            let stranger = try await site.send("GET", "/api/v1/me", bearer: cast[.stranger])
            let (email, account) = (stranger.string("email") ?? "", stranger.string("id") ?? "")
            let invited = try await site.send(
                "POST", path, bearer: cast[.owner], json: #"{"email": "\#(email)", "role": "host"}"#)
            #expect((invited.status, invited.string("accountName")) == (201, "stranger"))
            // The link is valid only for the invited address, and the list shows only the account's own
            // invitations.
            let link = #"{"invitation": "\#(invited.string("invitation") ?? "")"}"#
            let other = try await site.send(
                "POST", "/api/v1/me/invitations", bearer: cast[.viewer], json: link)
            #expect((other.status, other.string("code")) == (422, "invitation_not_valid"))
            let waiting = try await site.send("GET", "/api/v1/me/invitations", bearer: cast[.stranger])
            #expect(waiting.items("meetingName") == ["Meeting"])
            // The client sends the request twice under one key, as after a lost answer.
            for isAgain in [false, true] {
                let accepted = try await site.send(
                    "POST", "/api/v1/me/invitations", bearer: cast[.stranger],
                    json: #"{"invitation": "\#(invited.string("id") ?? "")"}"#,
                    headers: [("Idempotency-Key", "accept")])
                #expect((accepted.status, accepted.string("role")) == (200, "host"))
                #expect((accepted[header: "idempotency-replayed"] == "true") == isAgain)
            }
            #expect(
                try await site.send("POST", "/api/v1/me/invitations", bearer: cast[.stranger], json: link)
                    .status == 422)

            let member = try await site.watch("session:\(cast.session)", bearer: cast[.stranger])
            let seen = try await site.send("GET", path, bearer: cast[.owner])
            let tags = try #require(seen.json("items") as? [[String: Any]])
            let joined = try #require(tags.first { $0["accountId"] as? String == account })
            let tag = "\"v\(joined["version"] ?? 0)\""
            let more = try await site.send(
                "PATCH", "\(path)/\(account)", bearer: cast[.owner], json: #"{"role": "owner"}"#,
                headers: [("If-Match", tag)])
            #expect((more.status, more[header: "etag"]) == (200, "\"v3\""))
            let late = try await site.send(
                "PATCH", "\(path)/\(account)", bearer: cast[.owner], json: #"{"role": "viewer"}"#,
                headers: [("If-Match", tag)])
            #expect((late.status, late.string("code")) == (412, "version_mismatch"))
            let less = try await site.send(
                "PATCH", "\(path)/\(account)", bearer: cast[.owner], json: #"{"role": "viewer"}"#)
            #expect((less.status, less.string("role")) == (200, "viewer"))
            #expect(try await site.send("DELETE", "\(path)/\(account)", bearer: cast[.host]).status == 403)
            #expect(try await site.send("DELETE", "\(path)/\(account)", bearer: cast[.owner]).status == 204)
            #expect(await member.end() == 4001)
            #expect(try await site.send("GET", path, bearer: cast[.stranger]).status == 403)
            let last = try await site.send("DELETE", "\(path)/\(cast.owner)", bearer: cast[.owner])
            #expect((last.status, last.string("code")) == (409, "last_owner"))
            let list = try await site.send("GET", path, bearer: cast[.viewer])
            #expect(
                list.items("role") == ["owner", "host", "viewer", "steward"]
                    && list.json("invitations") == nil)
        }
    }

    @Test func `the server checks a picture's content, and sends it with its tag and its true type`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/meetings/\(cast.meeting)/image"
            let picture: [UInt8] = [
                0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 0, 0xFF, 0xD9,
            ]
            for (bytes, status, code) in [
                (Array("<svg onload=alert(1)>".utf8), 415, "not_an_image"),
                (Array(picture.dropLast()), 422, "image_not_usable"),
            ] {
                let refused = try await site.send(
                    "PUT", path, bearer: cast[.host], bytes: bytes, headers: [("Content-Type", "image/png")])
                #expect((refused.status, refused.string("code")) == (status, code))
            }
            // The server refuses the request by its announced length, before the body is sent.
            let length = [("Content-Length", String(5 * 1024 * 1024 + 1))]
            let large = try await site.send("PUT", path, bearer: cast[.host], headers: length)
            #expect((large.status, large.string("code")) == (413, "body_too_large"))
            #expect(large.string("detail")?.contains("5 MB") == true)
            let kept = try await site.send(
                "PUT", path, bearer: cast[.host], bytes: picture, headers: [("Content-Type", "text/html")])
            #expect(kept.status == 204)
            // Another host has uploaded a picture in the meantime.
            for headers in [[("If-None-Match", "*")], [("If-Match", "\"x\"")]] {
                #expect(
                    try await site.send("PUT", path, bearer: cast[.owner], bytes: picture, headers: headers)
                        .status == 412)
            }
            let tag = try #require(kept[header: "etag"])
            let shown = try await site.send("GET", path, bearer: cast[.viewer])
            #expect((shown.status, shown.body, shown[header: "content-type"]) == (200, picture, "image/jpeg"))
            #expect((shown[header: "etag"], shown[header: "x-content-type-options"]) == (tag, "nosniff"))
            #expect(shown[header: "cache-control"] == "private, no-cache")
            let unchanged = try await site.send(
                "GET", path, bearer: cast[.viewer], headers: [("If-None-Match", "\"x\", \(tag)")])
            #expect((unchanged.status, unchanged.body) == (304, []))
            let mismatch = try await site.send(
                "DELETE", path, bearer: cast[.host], headers: [("If-Match", "\"x\"")])
            #expect(mismatch.status == 412)
            #expect(
                try await site.send("DELETE", path, bearer: cast[.host], headers: [("If-Match", tag)]).status
                    == 204)
            #expect(try await site.send("GET", path, bearer: cast[.viewer]).status == 404)
        }
    }
}
