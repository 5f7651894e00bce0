import HTTPServer
import Journal
import Meetings
import Phrases
import Secrets

/// The link by which a person of a roster ends the mails. Its signature covers the person, the meeting and
/// the address of the mail, so nobody can guess one, and no host can turn it against another address. It does
/// not expire, because old mails keep their link.
struct UnsubscribeLink: Hashable {
    let person: PersonID
    let meeting: MeetingID
    /// A keyed hash of the address.
    private let address: [UInt8]
    private static let (macLength, addressLength) = (16, 10)
    private static let signedLength = 32 + addressLength

    init(person: PersonID, meeting: MeetingID, address: IdentityKey, keys: Keys) {
        self.person = person
        self.meeting = meeting
        self.address = keys.unsubscribe.mac(Self.hashed(address), length: Self.addressLength)
    }

    /// Whether the mail with this link went to the address.
    func isOf(_ address: IdentityKey, keys: Keys) -> Bool {
        keys.unsubscribe.verifies(self.address, of: Self.hashed(address))
    }

    private static func hashed(_ address: IdentityKey) -> [UInt8] { Array("address:\(address.text)".utf8) }

    /// Returns nil if this server did not sign `text`.
    init?(_ text: String, keys: Keys) {
        guard text.utf8.count < 100, let bytes = Crockford.decode(text),
            bytes.count == Self.signedLength + Self.macLength,
            let person = PersonID(bytes: bytes.prefix(16)),
            let meeting = MeetingID(bytes: bytes.dropFirst(16).prefix(16)),
            keys.unsubscribe.verifies(
                Array(bytes.suffix(Self.macLength)), of: Array(bytes.prefix(Self.signedLength)))
        else { return nil }
        self.person = person
        self.meeting = meeting
        address = Array(bytes.dropFirst(32).prefix(Self.addressLength))
    }

    func path(keys: Keys) -> String {
        let signed = person.bytes + meeting.bytes + address
        let mac = keys.unsubscribe.mac(signed, length: Self.macLength)
        return "/unsubscribe/" + Crockford.encode(signed + mac)
    }
}

/// The page by which people end mails, and the request by which their mail program does it at once.
enum Unsubscribing {
    /// The name of the button that ends the mails about all meetings.
    private static let everything = "everything"

    /// Shows the same page whether or not the roster still has the person, because somebody else may open
    /// the link of a forwarded mail.
    static func open(_ context: RequestContext) async throws -> HTTPResponse {
        page(context, meeting: try await found(context).meeting, isDone: false)
    }

    /// Ends the mails. A mail program sends `List-Unsubscribe=One-Click` as a form of either type (RFC 8058
    /// §3.2), without a sign-in. The link is the permission, so a page of another site cannot send the
    /// request without it.
    static func submit(_ context: RequestContext) async throws -> HTTPResponse {
        let found = try await found(context)
        if let address = found.address {
            let fromAll = Form(context.request.body)?.first("from") == everything
            _ = try await context.storage.perform(
                Unsubscribe(found.person, at: address, fromAll: fromAll))
        }
        return page(context, meeting: found.meeting, isDone: true)
    }

    /// Returns the link's person and the name of the meeting. The address is nil if the person is no longer
    /// on a roster, or has another address than that of the mail.
    private static func found(_ context: RequestContext) async throws -> (
        person: PersonID, meeting: String?, address: IdentityKey?
    ) {
        let (link, keys) = (try link(context), context.services.keys)
        return try await context.storage.read { rows throws(JournalError) in
            let address = try rows.person(link.person).map { IdentityKey($0.email) }
            return (
                link.person, try rows.meeting(link.meeting)?.name,
                address.flatMap { link.isOf($0, keys: keys) ? $0 : nil }
            )
        }
    }

    private static func link(_ context: RequestContext) throws -> UnsubscribeLink {
        guard let text = context.parameters["token"],
            let link = UnsubscribeLink(text, keys: context.services.keys)
        else { throw Refusal.notFound(.page) }
        return link
    }

    private static func page(_ context: RequestContext, meeting: String?, isDone: Bool) -> HTTPResponse {
        let language = context.language
        let title = (isDone ? Phrase.Mail.unsubscribed : .Mail.unsubscribe).text(in: language)
        let eyebrow: HTML? = meeting.map { "<p class=\"eyebrow\">\($0)</p>" }
        let form: HTML
        if isDone {
            form = "<p role=\"status\">\(Phrase.Mail.unsubscribedDetail.text(in: language))</p>"
        } else {
            form = """
                <form class="card" method="post" action="\(context.request.path)">
                <p>\(Phrase.Mail.unsubscribeAsk.text(in: language))</p>
                <button type="submit" name="from" value="meeting">\
                \(Phrase.Mail.unsubscribeMeeting.text(in: language))</button>
                <button type="submit" name="from" value="\(everything)">\
                \(Phrase.Mail.unsubscribeAll.text(in: language))</button>
                </form>
                """
        }
        return .html(
            PageFrame(language: language, title: title, here: context.request.path).page(
                """
                \(eyebrow)
                <h1 id="result">\(title)</h1>
                \(form)
                """))
    }
}
