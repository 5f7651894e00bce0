import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// The handlers for a meeting's image.
enum MeetingImages {
    static func put(_ context: RequestContext) async throws -> HTTPResponse {
        let (bytes, expected) = (context.request.body, try expected(context))
        guard ImageHeader.format(of: bytes) != nil else {
            throw RequestError(.notAnImage, ["limit": ByteCount.text(MeetingImage.mostBytes)])
        }
        guard let header = ImageHeader.read(bytes), header.isUsable else {
            throw Refusal.imageNotUsable(mostPixels: ImageHeader.mostMegapixels)
        }
        let image = try await tagged(header, bytes, context)
        try await context.storage.perform(
            SetMeetingImage(
                meeting: context.meeting.id, image: image, expected: expected, actor: context.accountID))
        return HTTPResponse(status: 204, headers: [("ETag", "\"\(image.tag)\"")])
    }

    /// Hashing five megabytes takes processor time, so this function runs on the concurrent pool and not on
    /// an event loop.
    @concurrent
    private static func tagged(_ header: ImageHeader, _ bytes: [UInt8], _ context: RequestContext)
        async throws -> MeetingImage
    {
        MeetingImage(
            header: header, bytes: bytes,
            tag: Crockford.encode(context.services.keys.image.mac(bytes, length: 10)))
    }

    static func get(_ context: RequestContext) async throws -> HTTPResponse {
        let meeting = context.meeting.id
        let found = try await context.storage.read { rows throws(JournalError) in try rows.image(of: meeting)
        }
        // Only the member's own browser may store the image, and it must revalidate the image before each
        // use.
        return try response(found, context, cache: "private, no-cache")
    }

    /// Returns the image, or 304 if the client already has it.
    /// - Parameter cache: who may store the image, and for how long.
    static func response(_ found: MeetingImage?, _ context: RequestContext, cache: String) throws
        -> HTTPResponse
    {
        guard let image = found else { throw Refusal.notFound(.image) }
        var headers = [
            ("ETag", "\"\(image.tag)\""), ("Cache-Control", cache),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if let seen = context.request.headers.first("if-none-match"), matches(seen, image.tag) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers += [
            ("Content-Type", image.header.format.mediaType),
            ("Content-Security-Policy", "default-src 'none'"),
        ]
        return HTTPResponse(status: 200, headers: headers, body: image.bytes)
    }

    static func remove(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            SetMeetingImage(
                meeting: context.meeting.id, image: nil, expected: try expected(context),
                actor: context.accountID))
        return .noContent
    }

    /// Whether a tag in the list equals the image's own tag, by weak comparison (RFC 9110 §13.1.2).
    static func matches(_ header: String, _ own: String) -> Bool {
        header.split(separator: ",").contains { part in
            let seen = part.filter { !$0.isWhitespace }
            return seen == "*" || seen == "\"\(own)\"" || seen == "W/\"\(own)\""
        }
    }

    /// Returns the version that the client expects, as `RequestContext.expectedVersion` does. An image's tag
    /// is derived from its bytes.
    private static func expected(_ context: RequestContext) throws -> SetMeetingImage.Expected {
        switch try context.precondition() {
        case .any: .any
        case .nothing: .none
        case .tag(let tag): .tag(tag.filter { $0 != "\"" })
        }
    }
}
