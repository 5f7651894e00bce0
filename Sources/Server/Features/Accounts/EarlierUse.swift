import HTTPServer
import Journal
import Meetings
import Secrets
import Wire

/// A signed mark of a browser that has signed in to some account before. The browser stores it as a cookie,
/// also after it signed out. It names no account, and gives no right but a place in the budgets of codes.
///
/// The device cookie of check-in (`DeviceMark`) cannot be used for that: it is not signed, and a script can
/// invent any number of them.
struct KnownBrowser {
    static let lifetimeSeconds = 60 * 60 * 24 * 180
    private static let idLength = 10
    private static let macLength = 16

    /// The random bytes of the mark.
    let id: [UInt8]

    /// Returns a new mark.
    static func fresh(at now: Instant, _ keys: Keys) -> String {
        var signed = SignedBytes()
        signed.put(Secrets.randomBytes(idLength))
        signed.put((now + .seconds(lifetimeSeconds)).milliseconds)
        return Crockford.encode(signed.bytes + keys.knownBrowser.mac(signed.bytes, length: macLength))
    }

    /// Reads a mark; nil if this server did not sign it, or if it has expired.
    init?(_ text: String, at now: Instant, _ keys: Keys) {
        guard text.utf8.count < 100, let bytes = Crockford.decode(text[...]),
            bytes.count == Self.idLength + 8 + Self.macLength
        else { return nil }
        let signed = Array(bytes.dropLast(Self.macLength))
        var reader = SignedReader(signed)
        id = Array(reader.take(Self.idLength))
        guard now < Instant(milliseconds: reader.integer(Int64.self)),
            keys.knownBrowser.verifies(Array(bytes.suffix(Self.macLength)), of: signed)
        else { return nil }
    }

    /// Returns the `Set-Cookie` value that stores a mark in a browser that has signed in; nil if it has one.
    static func cookie(_ context: RequestContext) -> String? {
        guard context.knownBrowser == nil else { return nil }
        return Cookies.set(
            Cookies.knownBrowser, fresh(at: context.services.clock.now, context.services.keys),
            seconds: lifetimeSeconds, secure: context.address.isSecure)
    }
}

extension RequestContext {
    fileprivate var knownBrowser: KnownBrowser? {
        cookie(Cookies.knownBrowser).flatMap { KnownBrowser($0, at: services.clock.now, services.keys) }
    }

    /// Returns the mark of the client's earlier sign-in or check-in; nil if it shows none. Marks are compared
    /// only with each other, so that one mark does not spend the messages of others.
    ///
    /// Only values that this server signed or stored count: a receipt, a sign-in that is still valid, or the
    /// cookie of a browser that signed in before. No account of another person is looked up.
    func earlierUse() async throws -> String? {
        if let receipt = caller.receipt ?? receiptOfCookies { return "receipt \(receipt.attendeeID)" }
        let shown = AccessCheck.bearer(in: request.headers.first("authorization")) ?? signInCookie
        if let token = try await validToken(shown) { return "account \(token.accountID)" }
        return knownBrowser.map { "browser \(Crockford.encode($0.id))" }
    }

    /// The first valid receipt in the cookies of check-in pages. A browser has one such cookie for a session.
    private var receiptOfCookies: Receipt? {
        Cookies.first(
            in: request.headers.all("cookie"), where: { $0.hasPrefix(Cookies.receiptPrefix) },
            read: { Receipt(String($0.prefix { $0 != PhoneReceipts.separator }), keys: services.keys) })
    }
}
