import HTTPServer
import Journal
import Meetings
import Phrases
import Secrets

/// The link by which a receiver ends the mails about a meeting. Only the server can make one, and no host can
/// turn it against another address. It does not expire, because old mails keep their link.
struct UnsubscribeLink: Hashable {
    /// Why the address got the mail.
    enum Receiver: Hashable {
        /// The roster had this person. The link has a keyed hash of the address.
        case person(PersonID, address: [UInt8])
        /// Somebody invited the address, which may be on no roster, and the invitation may be gone. So the
        /// link itself holds the address, encrypted: nobody can read it in the link.
        case invited(IdentityKey)
    }

    let receiver: Receiver
    let meeting: MeetingID
    private static let (macLength, addressLength) = (16, 10)
    private static let signedLength = 32 + addressLength
    private static let longest = 1000

    init(person: PersonID, meeting: MeetingID, address: IdentityKey, keys: Keys) {
        let hash = keys.unsubscribe.mac(Self.hashed(address), length: Self.addressLength)
        (receiver, self.meeting) = (.person(person, address: hash), meeting)
    }

    init(invited address: IdentityKey, to meeting: MeetingID) {
        (receiver, self.meeting) = (.invited(address), meeting)
    }

    /// Whether the mail with this link went to the address.
    func isOf(_ address: IdentityKey, keys: Keys) -> Bool {
        switch receiver {
        case .person(_, let hash): keys.unsubscribe.verifies(hash, of: Self.hashed(address))
        case .invited(let invited): invited == address
        }
    }

    private static func hashed(_ address: IdentityKey) -> [UInt8] { Array("address:\(address.text)".utf8) }

    /// Returns nil if this server did not make `text`.
    init?(_ text: String, keys: Keys) {
        guard text.utf8.count < Self.longest, let bytes = Crockford.decode(text) else { return nil }
        if bytes.count == Self.signedLength + Self.macLength, let person = PersonID(bytes: bytes.prefix(16)),
            let meeting = MeetingID(bytes: bytes.dropFirst(16).prefix(16)),
            keys.unsubscribe.verifies(
                Array(bytes.suffix(Self.macLength)), of: Array(bytes.prefix(Self.signedLength)))
        {
            let hash = Array(bytes.dropFirst(32).prefix(Self.addressLength))
            (receiver, self.meeting) = (.person(person, address: hash), meeting)
        } else if let opened = Sealed.open(bytes, with: Self.sealingKey(keys)),
            let meeting = MeetingID(bytes: opened.prefix(16))
        {
            let address = String(decoding: opened.dropFirst(16), as: UTF8.self)
            (receiver, self.meeting) = (.invited(IdentityKey(stored: address)), meeting)
        } else {
            return nil
        }
    }

    func path(keys: Keys) -> String {
        switch receiver {
        case .person(let person, let address):
            let signed = person.bytes + meeting.bytes + address
            return Self.path(signed + keys.unsubscribe.mac(signed, length: Self.macLength))
        case .invited(let address):
            let hidden = meeting.bytes + Array(address.text.utf8)
            // A nonce that depends on the content, so that each attempt at a mail has the same link.
            let nonce = keys.unsubscribe.mac(
                Array("nonce:".utf8) + keys.unsubscribe.mac(hidden), length: Sealed.nonceLength)
            return Self.path(Sealed.seal(hidden, with: Self.sealingKey(keys), nonce: nonce))
        }
    }

    private static func path(_ bytes: [UInt8]) -> String { "/unsubscribe/" + Crockford.encode(bytes) }
    private static func sealingKey(_ keys: Keys) -> [UInt8] { keys.unsubscribe.mac(Array("sealing".utf8)) }
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
                Unsubscribe(found.receiver, at: address, fromAll: fromAll))
        }
        return page(context, meeting: found.meeting, isDone: true)
    }

    /// Returns the link's receiver and the name of the meeting. The address is nil if the person is no longer
    /// on a roster, or has another address than that of the mail.
    private static func found(_ context: RequestContext) async throws -> (
        receiver: Unsubscribe.Receiver, meeting: String?, address: IdentityKey?
    ) {
        let (link, keys) = (try link(context), context.services.keys)
        return try await context.storage.read { rows throws(JournalError) in
            let meeting = try rows.meeting(link.meeting)
            if let meeting { context.useLanguage(of: meeting) }
            let name = meeting?.name
            switch link.receiver {
            case .person(let id, _):
                let address = try rows.person(id).map { IdentityKey($0.email) }
                return (.person(id), name, address.flatMap { link.isOf($0, keys: keys) ? $0 : nil })
            case .invited(let address): return (.invited(to: link.meeting), name, address)
            }
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
