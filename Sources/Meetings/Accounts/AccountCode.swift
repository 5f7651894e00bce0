/// A code of six digits that the server sent to an e-mail address, with the token of the link in the same
/// mail, or to a phone number. The server stores only MACs and hashes.
///
/// The server stores such a record for every address that a client names, even if no account has the address.
/// So known and unknown addresses cost the same work. A record that was sent to nobody accepts no proof.
package struct AccountCode: Hashable, Sendable {
    /// The purpose for which the server sends a code.
    package enum Purpose: UInt8, Sendable, CaseIterable { case verification, passwordReset, phoneSignIn }

    /// The time for which a code and its link are valid.
    package static let lifetime = Duration.minutes(10)
    /// The time after which the server sends another code to the same address.
    package static let pause = Duration.seconds(60)
    /// The most wrong codes that a record accepts. The link is valid even afterwards.
    package static let mostTries = 5

    /// The proof that a person has read the message.
    package enum Proof: Hashable, Sendable {
        /// The MAC of the typed code.
        case code([UInt8])
        /// The hash of the link's token.
        case link([UInt8])
    }

    /// A MAC of the purpose and the address; 16 bytes.
    package let subject: [UInt8]
    /// The account with the address; nil if there is none, or if it gets no code.
    package let account: AccountID?
    /// Whether a right code may create an account for the phone number.
    package let opensAccount: Bool
    /// The MAC of the code; 16 bytes.
    package let code: [UInt8]
    /// The hash of the link's token; 32 bytes. No link is sent to a phone.
    package let link: [UInt8]
    package var sentAt: Instant
    package let expiresAt: Instant
    /// The number of wrong codes.
    package var tries: Int

    package init(
        subject: [UInt8], account: AccountID?, opensAccount: Bool = false, code: [UInt8], link: [UInt8],
        sentAt: Instant, expiresAt: Instant, tries: Int = 0
    ) {
        self.subject = subject
        self.account = account
        self.opensAccount = opensAccount
        self.code = code
        self.link = link
        self.sentAt = sentAt
        self.expiresAt = expiresAt
        self.tries = tries
    }

    /// Whether another code may be sent at `now`. If the clock was set back, it may.
    package func allowsAnother(at now: Instant) -> Bool { !(sentAt..<sentAt + Self.pause ~= now) }

    /// The judgement of a proof.
    package enum Verdict: Hashable, Sendable {
        /// The proof is right. Without an account, it may create one.
        case right(AccountID?)
        /// The proof is wrong; a wrong code counts as a try.
        case wrong(countsAsTry: Bool)
    }

    /// Judges a proof.
    package func verdict(on proof: Proof, at now: Instant) -> Verdict {
        guard now < expiresAt else { return .wrong(countsAsTry: false) }
        switch proof {
        case .link(let shown):
            guard Self.areEqual(shown, link), isOwed else { return .wrong(countsAsTry: false) }
            return .right(account)
        case .code(let typed):
            guard tries < Self.mostTries else { return .wrong(countsAsTry: false) }
            guard Self.areEqual(typed, code), isOwed else { return .wrong(countsAsTry: true) }
            return .right(account)
        }
    }

    private var isOwed: Bool { account != nil || opensAccount }

    /// Compares two secrets. The time does not depend on the position of the first difference.
    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
