/// A code of six digits that the server sent to an e-mail address, with the token of the link in the same
/// mail, or to a phone number. The server stores only MACs and hashes.
///
/// Each code belongs to one message and one request. The answer to the request contains a random handle, and
/// only a client with the handle can use up the code's own tries. So a stranger cannot end somebody's code,
/// and a new code does not end older ones.
///
/// The server stores such a record for every address that a client names, even if no account has the address.
/// So known and unknown addresses cost the same work. A record that was sent to nobody accepts no proof.
/// Records stay for a day, because they also count the codes and the guesses of an address.
package struct AccountCode: Hashable, Sendable {
    /// The purpose for which the server sends a code. The raw values are part of the file format.
    package enum Purpose: UInt8, Sendable, CaseIterable {
        case verification, passwordReset, phoneSignIn

        /// The most codes of a day for an address. Each purpose has its own count. Otherwise, requests for
        /// the verification of a verified address, which send nothing, could use up its codes for a new
        /// password. The two purposes of mails together have ten (`OutgoingMail.Quota.codes`).
        package var mostPerDay: Int {
            switch self {
            case .verification, .passwordReset: OutgoingMail.Quota.codes.mostPerDay / 2
            case .phoneSignIn: OutgoingMail.Quota.codes.mostPerDay
            }
        }
    }

    /// The time for which a code and its link are valid.
    package static let lifetime = Duration.minutes(10)
    /// The time after which the server sends another code for the same purpose to the same address.
    package static let pause = Duration.seconds(60)
    /// The time for which codes and guesses of an address count.
    package static let day = Duration.hours(24)
    /// The most wrong codes that a record accepts with its handle. Afterwards, the handle is worth nothing,
    /// but the link is valid, and so is the code without the handle. Otherwise a stranger who requests a code
    /// for somebody else could end it.
    package static let mostTries = 5
    /// The most guesses of a day without a handle for an address. A typed code is compared with all living
    /// codes of the address, and each comparison is a guess. So their number does not raise the chance.
    package static let mostGuesses = 100

    /// The proof that a person has read the message.
    package enum Proof: Hashable, Sendable {
        /// The MAC of the typed code.
        case code([UInt8])
        /// The hash of the link's token.
        case link([UInt8])
    }

    /// A proof that a client shows, with the address and the purpose for which it shows the proof.
    package struct Claim: Hashable, Sendable {
        package let subject: [UInt8]
        package let purpose: Purpose
        /// The hash of the handle; nil if the client shows none.
        package let handle: [UInt8]?
        package let proof: Proof

        package init(subject: [UInt8], purpose: Purpose, handle: [UInt8]? = nil, proof: Proof) {
            self.subject = subject
            self.purpose = purpose
            self.handle = handle
            self.proof = proof
        }
    }

    /// The hash of the random handle; 32 bytes.
    package let handle: [UInt8]
    /// A MAC of the address; 16 bytes.
    package let subject: [UInt8]
    package let purpose: Purpose
    /// The account with the address; nil if there is none, if it gets no code, or if the code was used.
    package private(set) var account: AccountID?
    /// Whether a right code may create an account for the phone number.
    package private(set) var opensAccount: Bool
    /// The MAC of the code; 16 bytes.
    package let code: [UInt8]
    /// The hash of the link's token; 32 bytes. No link is sent to a phone.
    package let link: [UInt8]
    package let sentAt: Instant
    package private(set) var expiresAt: Instant
    /// The number of wrong codes with the handle.
    package private(set) var tries: Int
    /// The number of wrong codes without a handle that were compared with this code.
    package private(set) var guesses: Int

    package init(
        handle: [UInt8], subject: [UInt8], purpose: Purpose, account: AccountID?, opensAccount: Bool = false,
        code: [UInt8], link: [UInt8], sentAt: Instant, expiresAt: Instant, tries: Int = 0, guesses: Int = 0
    ) {
        self.handle = handle
        self.subject = subject
        self.purpose = purpose
        self.account = account
        self.opensAccount = opensAccount
        self.code = code
        self.link = link
        self.sentAt = sentAt
        self.expiresAt = expiresAt
        self.tries = tries
        self.guesses = guesses
    }

    /// Returns the earliest moment at which the server sends another code; `now` or earlier if it may send
    /// one now. Codes from the future, which exist if the clock was set back, do not count. After a used
    /// code, there is no pause.
    /// - Parameter codes: the address's codes of the last day, without those from before its account existed.
    package static func nextMessage(for purpose: Purpose, after codes: [AccountCode], at now: Instant)
        -> Instant
    {
        let most = purpose.mostPerDay
        let sent = codes.filter { $0.purpose == purpose && $0.sentAt <= now && now < $0.sentAt + day }
        let living = sent.filter { now < $0.expiresAt }.map(\.sentAt).max()
        let ofDay = sent.map(\.sentAt).sorted().suffix(most)
        return max(
            living.map { $0 + pause } ?? now,
            ofDay.count < most ? now : ofDay.first.map { $0 + day } ?? now)
    }

    /// The judgement of a proof.
    package enum Verdict: Hashable, Sendable {
        /// The proof is right for this code. If the code has no account, it may create one.
        case right(AccountCode)
        /// The proof is wrong. These records have counted it, and must be stored.
        case wrong(counted: [AccountCode])
    }

    /// Judges a proof.
    /// - Parameter codes: the codes that were sent to the claim's address in the last day.
    package static func judge(_ claim: Claim, among codes: [AccountCode], at now: Instant) -> Verdict {
        let living = codes.filter { $0.purpose == claim.purpose && now < $0.expiresAt }
        switch claim.proof {
        case .link(let shown):
            let right = living.first { areEqual(shown, $0.link) && $0.isOwed }
            return right.map { .right($0) } ?? .wrong(counted: [])
        case .code(let typed):
            if let handle = claim.handle {
                guard var code = living.first(where: { areEqual(handle, $0.handle) && $0.tries < mostTries })
                else { return .wrong(counted: []) }
                if code.isRight(typed) { return .right(code) }
                code.tries += 1
                return .wrong(counted: [code])
            }
            let left = max(0, mostGuesses - codes.reduce(0) { $0 + $1.guesses })
            var compared = living.sorted { $0.sentAt > $1.sentAt }.prefix(left)
            if let right = compared.first(where: { $0.isRight(typed) }) { return .right(right) }
            for index in compared.indices { compared[index].guesses += 1 }
            return .wrong(counted: Array(compared))
        }
    }

    /// Ends the code, because somebody used it. The record stays, because it counts for a day.
    package mutating func end(at now: Instant) {
        expiresAt = min(expiresAt, now)
        account = nil
        opensAccount = false
    }

    private func isRight(_ typed: [UInt8]) -> Bool { Self.areEqual(typed, code) && isOwed }

    private var isOwed: Bool { account != nil || opensAccount }

    /// Compares two secrets. The time does not depend on the position of the first difference.
    private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
