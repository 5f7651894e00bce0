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

    static func meeting(_ format: Format) -> Route.Handler {
        { context in
            let code = MeetingCode.text(of: context.meeting, keys: context.services.keys)
            return try await draw(context.address.meetingURL(code: code), as: format, context)
        }
    }

    /// Drawing takes processor time, so this function runs on the concurrent pool and not on an event loop.
    @concurrent
    private static func draw(_ url: String, as format: Format, _ context: RequestContext) async throws
        -> HTTPResponse
    {
        let (type, body): (String, [UInt8]) =
            switch format {
            case .png: ("image/png", try QRCode.encode(url).png(size: try context.integer(.size) ?? 512))
            case .svg: ("image/svg+xml", Array(try QRCode.encode(url).svg().utf8))
            case .txt:
                ("text/plain; charset=utf-8", Array(try QRCode.encodeForTerminal(url).terminalText().utf8))
            }
        return HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", type), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: body)
    }
}
