/// What tells how a check-in came, beside its method and the age of its code. It lies in the attendee's row,
/// so that it goes with the person, and is forgotten `lifetime` after the session's end in any case.
package struct CheckInEvidence: Hashable, Sendable, Codable {
    /// A keyed hash of the session and a random mark that the check-in page left in the browser: the same for
    /// two people who used one device, another in each session. Nil for programs.
    package let device: [UInt8]?
    /// Of the address: an IPv4 network of 24 bits or an IPv6 network of 48.
    package let network: String?

    package static let lifetime = Duration.hours(24 * 30)

    /// Nil where nothing is known.
    package init?(device: [UInt8]?, network: String?) {
        if device == nil, network == nil { return nil }
        self.device = device
        self.network = network
    }
}
