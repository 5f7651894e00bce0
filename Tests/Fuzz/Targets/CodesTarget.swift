import Meetings
import Secrets

@testable import Server

/// The same keys for every run, so that a run can be repeated. No real server uses these keys.
private let keys: Keys = {
    guard let secret = ServerSecret(bytes: Array(0..<32)) else { fatalError("32 bytes are no secret") }
    return Keys(secret)
}()

/// Parses the input as each kind of code and token: scanned or typed codes, grants, receipts and
/// invitations.
func fuzzCodes(_ bytes: [UInt8]) {
    // Paths, bodies and messages are made stream-safe before a code is read.
    let text = String(decoding: bytes, as: UTF8.self).streamSafe
    if let decoded = Crockford.decode(text) {
        must(
            Crockford.decode(Crockford.encode(decoded)) == decoded,
            "what is decoded is encoded and decoded again as it was")
    }
    must(Crockford.decode(Crockford.encode(bytes)) == bytes, "what is encoded is decoded as it was")
    _ = CheckInCode(text)
    _ = MeetingCode(text)
    _ = Cursor(text)
    if let code = JoinCode.normalized(text) {
        must(JoinCode.normalized(code) == code, "a join code is its own normal form")
    }
    for prefix in [BearerToken.access, BearerToken.refresh, BearerToken.presenter] {
        _ = BearerToken.hash(prefix + text, prefix: prefix)
    }
    // No token was ever signed with these keys, so a token that verifies would be a forgery.
    must(
        Grant(text, keys: keys) == nil && Grant(Grant.prefix + text, keys: keys) == nil, "no grant is forged")
    must(
        Receipt(text, keys: keys) == nil && Receipt(Receipt.prefix + text, keys: keys) == nil,
        "no receipt is forged")
    must(
        !Invitation.isGood(
            Invitation.prefix + text, for: "kim@example.org", at: Instant(milliseconds: 0), keys: keys),
        "no invitation is forged")
}
