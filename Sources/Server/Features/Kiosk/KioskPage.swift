import HTTPServer
import Meetings
import Phrases
import Wire

/// The handler for the page of a kiosk. The page is in the meeting's language, and has its texts in all
/// languages, because each guest may choose one. It contains no other data: its script gets the session with
/// the token of the link.
enum KioskPage {
    private static let shell = PageShell(at: "/kiosk.html")
    private static let words: HTML = {
        let texts = Language.allCases.map { language in
            Words(
                tag: language.rawValue, name: language.ownName,
                words: Phrase.Page.kiosk.mapValues { $0.text(in: language) })
        }
        return "\(String(decoding: WireJSON.bytes(texts), as: UTF8.self))"
    }()

    private struct Words: Encodable {
        let tag: String
        let name: String
        let words: [String: String]
    }

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let meeting = try await context.storage.session(session)?.meeting
        let language = meeting.map { context.languageForAll(of: $0) } ?? context.language
        var response = shell.filled([
            "languages": words.text, "session": session.text, "language": language.rawValue,
            "accent": meeting?.accent.className?.text ?? "", "icon": PageFrame.icon,
            "title": Phrase.Page.checkIn.text(in: language),
            "needsScript": Phrase.Page.needsScript.text(in: language),
        ])
        response.headers.append(DoorPage.permissions)
        return response
    }
}
