import Meetings
import Wire

extension RouteTable {
    /// The routes for a meeting's code as an image or as text.
    static let codesOfMeetings: [Route] = [
        Route(
            .get, "/api/v1/meetings/{id}/qr.png", .member(.viewer, of: .meeting),
            does: "Draw the meeting code for a poster, as PNG",
            query: [.size], gives: .file("image/png"), CodeImages.meeting(.png)),
        Route(
            .get, "/api/v1/meetings/{id}/qr.svg", .member(.viewer, of: .meeting),
            does: "Draw the meeting code for a poster, as SVG",
            gives: .file("image/svg+xml"), CodeImages.meeting(.svg)),
        Route(
            .get, "/api/v1/meetings/{id}/qr.txt", .member(.viewer, of: .meeting),
            does: "Draw the meeting code for a poster, as text",
            gives: .file("text/plain"), CodeImages.meeting(.txt)),
    ]

    /// The routes for a session's check-in code as an image or as text.
    static let codesOfSessions: [Route] = [
        Route(
            .get, "/api/v1/sessions/{id}/qr.png", .memberOrPresenter,
            does: "Draw the current check-in code as PNG",
            query: [.size], gives: .file("image/png"), fromMemory: CodeImages.sessionFromMemory(.png),
            CodeImages.session(.png)),
        Route(
            .get, "/api/v1/sessions/{id}/qr.svg", .memberOrPresenter,
            does: "Draw the current check-in code as SVG",
            gives: .file("image/svg+xml"), fromMemory: CodeImages.sessionFromMemory(.svg),
            CodeImages.session(.svg)
        ),
        Route(
            .get, "/api/v1/sessions/{id}/qr.txt", .memberOrPresenter,
            does: "Draw the current check-in code as text",
            gives: .file("text/plain"), fromMemory: CodeImages.sessionFromMemory(.txt),
            CodeImages.session(.txt)),
    ]
}
