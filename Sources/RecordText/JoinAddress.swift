/// The address at which people type the join code: the server's start page, without its scheme.
package enum JoinAddress {
    /// Returns the host and port of a check-in address, such as `192.168.178.20:8080` for
    /// `HTTP://192.168.178.20:8080/C/…`; nil if the text is no address.
    package static func of(_ checkInURL: String) -> String? {
        guard let scheme = checkInURL.firstRange(of: "://") else { return nil }
        let host = checkInURL[scheme.upperBound...].prefix { $0 != "/" }
        // A QR code has its address in capitals, because capitals need fewer modules.
        return host.isEmpty ? nil : host.lowercased()
    }
}
