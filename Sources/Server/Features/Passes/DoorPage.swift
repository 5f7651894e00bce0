import HTTPServer
import Phrases
import Wire

/// The handler for the door on phones and tablets. The page is the same for everybody; its script calls the
/// API with the cookie of the signed-in host or steward.
enum DoorPage {
    private static let shell = PageShell(at: "/door.html")
    /// This page and that of a kiosk may use the camera, and nothing else of the device.
    static let permissions = ("Permissions-Policy", "camera=(self), microphone=(), geolocation=()")

    static func open(_ context: RequestContext) -> HTTPResponse {
        let language = context.language.forHosts
        let words: HTML = "\(PageFrame.json(Phrase.Host.door, in: language))"
        var response = shell.filled([
            "icon": PageFrame.icon, "language": language.rawValue, "words": words.text,
            "title": Phrase.Host.door["title"]?.text(in: language) ?? "",
            "offline": context.services.settings.offlineDoor == nil
                ? "" : " data-offline=\"\(OfflineDoor.email)\"",
            "needsScript": Phrase.Page.needsScript.text(in: language),
        ])
        response.headers.append(permissions)
        return response
    }
}
