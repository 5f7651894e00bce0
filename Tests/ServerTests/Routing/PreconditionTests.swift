import Testing

@testable import Server

/// Tests of an edit's preconditions: the version that the client has seen (RFC 9110 §13.1).
@Suite struct PreconditionTests {
    @Test func `the server accepts the first edit with a tag, and refuses the second editor's edit`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            for path in [
                "/api/v1/sessions/\(cast.session)", "/api/v1/meetings/\(cast.meeting)", "/api/v1/me",
            ] {
                let body = path.contains("sessions") ? #"{"plannedCount": 7}"# : #"{"name": "Other"}"#
                let tag = try #require(try await site.send("GET", path, bearer: cast[.owner])[header: "etag"])
                let first = try await site.send(
                    "PATCH", path, bearer: cast[.owner], json: body, headers: [("If-Match", tag)])
                #expect(first.status == 200)
                let new = try #require(first[header: "etag"])
                #expect(new != tag)
                let second = try await site.send(
                    "PATCH", path, bearer: cast[.owner], json: body, headers: [("If-Match", tag)])
                #expect(second.status == 412 && second.string("code") == "version_mismatch", "\(path)")
                for header in ["\"v0\", \(new)", "W/\(new)", "nonsense"] {
                    let answer = try await site.send(
                        "PATCH", path, bearer: cast[.owner], json: body, headers: [("If-Match", header)])
                    #expect(answer.status == 412, "\(path) \(header)")
                }
                #expect(
                    try await site.send(
                        "PATCH", path, bearer: cast[.owner], json: body, headers: [("If-Match", "*")]
                    ).status == 200)
                #expect(try await site.send("GET", path, bearer: cast[.owner])[header: "etag"] != tag)
            }
        }
    }

    @Test func `each question set has its own version`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/sessions/\(cast.session)/questions"
            let tag = try #require(try await site.send("GET", path, bearer: cast[.owner])[header: "etag"])
            let body = #"{"questions": [{"kind": "rating", "title": "New"}]}"#
            #expect(
                try await site.send(
                    "PUT", path, bearer: cast[.owner], json: body, headers: [("If-Match", tag)]
                ).status == 200)
            #expect(
                try await site.send(
                    "PUT", path, bearer: cast[.owner], json: body, headers: [("If-Match", tag)]
                ).status == 412)
        }
    }

    @Test func `if two hosts create the same question set, the server refuses the second`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/sessions/\(cast.session)/questions?set=poll"
            let (body, nothing) = (
                #"{"questions": [{"kind": "rating", "title": "New"}]}"#, [("If-None-Match", "*")]
            )
            #expect(
                try await site.send("PUT", path, bearer: cast[.owner], json: body, headers: nothing).status
                    == 200)
            let second = try await site.send("PUT", path, bearer: cast[.host], json: body, headers: nothing)
            #expect((second.status, second.string("code")) == (412, "version_mismatch"))
        }
    }

    @Test func `the server refuses an edit whose If-None-Match is not *, or is sent with If-Match`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let path = "/api/v1/sessions/\(cast.session)/questions?set="
            let body = #"{"questions": [{"kind": "rating", "title": "New"}]}"#
            let wrong: [[(String, String)]] = [
                [("If-None-Match", "\"v1\"")], [("If-None-Match", "T';"), ("If-Match", "*")],
                [("If-None-Match", ""), ("If-Match", "*")],
                [("If-None-Match", "*"), ("If-None-Match", "\"v1\"")],
            ]
            for headers in wrong {
                let answer = try await site.send(
                    "PUT", path + "feedback", bearer: cast[.host], json: body, headers: headers)
                #expect((answer.status, answer.string("code")) == (422, "invalid_fields"), "\(headers)")
                #expect(answer.text.contains(#""field":"If-None-Match""#), "\(answer.text)")
            }
            // `If-None-Match: *` is false if the set exists, and `If-Match` is false if the set does not
            // exist. One of the two conditions is therefore always false.
            for set in ["feedback", "none-yet"] {
                for seen in ["*", "\"v0\"", "\"v1\""] {
                    let headers = [("If-None-Match", "*"), ("If-Match", seen)]
                    let answer = try await site.send(
                        "PUT", path + set, bearer: cast[.host], json: body, headers: headers)
                    #expect(
                        (answer.status, answer.string("code")) == (412, "version_mismatch"), "\(set), \(seen)"
                    )
                }
            }
            let image = "/api/v1/meetings/\(cast.meeting)/image"
            for (headers, status) in [
                ([("If-None-Match", "T';"), ("If-Match", "*")], 422),
                ([("If-None-Match", "*"), ("If-Match", "*")], 412),
            ] {
                #expect(
                    try await site.send(
                        "PUT", image, bearer: cast[.host], bytes: Self.picture, headers: headers
                    ).status == status)
            }
        }
    }

    /// The smallest JPEG that the server accepts: 3 by 2 pixels.
    private static let picture: [UInt8] = [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 0, 0xFF, 0xD9,
    ]
}
