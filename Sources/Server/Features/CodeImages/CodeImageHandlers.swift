import HTTPServer
import Journal
import Meetings
import QRCodes
import Wire

/// The handlers that draw the QR codes of sessions and meetings, as images and as text.
enum CodeImages {
    enum Format: String, Sendable {
        case png, svg, txt
    }

    static func session(_ format: Format) -> Route.Handler {
        { context in
            let record = context.record
            return try await draw(context.code(of: record.session).url, as: format, context)
        }
    }

    /// Returns a handler that answers with the session's current code, if it was drawn before.
    static func sessionFromMemory(_ format: Format) -> Route.HandlerFromMemory {
        { context in
            let key = try key(of: context.code(of: context.record.session).url, as: format, context)
            return context.services.drawnCodes[key].map { answer($0, as: format) }
        }
    }

    static func meeting(_ format: Format) -> Route.Handler {
        { context in
            let code = MeetingCode.text(of: context.meeting, keys: context.services.keys)
            return try await draw(context.address.meetingURL(code: code), as: format, context)
        }
    }

    static func draw(_ url: String, as format: Format, _ context: RequestContext) async throws
        -> HTTPResponse
    {
        let key = try key(of: url, as: format, context)
        if let known = context.services.drawnCodes[key] { return answer(known, as: format) }
        let image = try await drawn(key)
        context.services.drawnCodes.store(image, key)
        return answer(image, as: format)
    }

    private static func key(of url: String, as format: Format, _ context: RequestContext) throws
        -> DrawnCodes.Key
    {
        let size = format == .png ? try context.integer(.size) ?? 512 : 0
        return DrawnCodes.Key(url: url, format: format, size: size)
    }

    private static func answer(_ image: [UInt8], as format: Format) -> HTTPResponse {
        let type =
            switch format {
            case .png: "image/png"
            case .svg: "image/svg+xml"
            case .txt: "text/plain; charset=utf-8"
            }
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: image)
    }

    /// Drawing takes processor time, so this function runs on the concurrent pool and not on an event loop.
    @concurrent
    private static func drawn(_ key: DrawnCodes.Key) async throws -> [UInt8] {
        switch key.format {
        case .png: try QRCode.encode(key.url).png(size: key.size)
        case .svg: Array(try QRCode.encode(key.url).svg().utf8)
        case .txt: Array(try QRCode.encodeForTerminal(key.url).terminalText().utf8)
        }
    }
}
