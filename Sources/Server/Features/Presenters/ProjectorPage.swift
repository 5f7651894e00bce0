import HTTPServer
import Meetings
import Phrases

/// The handler for the projector's page. The page is in the meeting's language, and contains no other
/// data. It receives all its data through a room, and only authorized clients can join this room.
enum ProjectorPage {
    private static let shell = PageShell(at: "/present.html")

    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        let session = try context.id(Session.self, .session)
        let meeting = try await context.storage.session(session)?.meeting
        let language = meeting.map { context.languageForAll(of: $0) } ?? context.language
        let words: HTML = "\(PageFrame.json(PageWords.projector, in: language))"
        return shell.filled([
            "words": words.text, "signedIn": String(try await context.isSignedInByCookie()),
            "showCode": Phrase.Page.showCode.text(in: language),
            "showResults": Phrase.Page.results.text(in: language),
            "showAudience": Phrase.Page.showAudience.text(in: language),
            "audience": Phrase.Page.audienceInHall.text(in: language),
            "showThanks": Phrase.Page.showThanks.text(in: language),
            "shareResults": Phrase.Page.shareResults.text(in: language),
            "black": Phrase.Page.black.text(in: language),
            "dark": Phrase.Page.dark.text(in: language),
            "fullScreen": Phrase.Page.fullScreen.text(in: language),
            "thanks": Phrase.Page.thanks.text(in: language),
            "previous": Phrase.Page.previousQuestion.text(in: language),
            "next": Phrase.Page.nextQuestion.text(in: language),
            "showNames": Phrase.Page.showNames.text(in: language),
            "screen": Phrase.Page.screen.text(in: language),
            "accent": meeting?.accent.className?.text ?? "",
            "icon": PageFrame.icon, "language": language.rawValue, "session": session.text,
            "scan": Phrase.Page.scan.text(in: language),
            "orType": Phrase.Page.orType.text(in: language, ["address": context.address.typed]),
            "checkedIn": Phrase.Page.checkedIn.text(in: language),
            "reconnecting": Phrase.Page.reconnecting.text(in: language),
        ])
    }
}
