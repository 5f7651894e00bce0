internal import CBuild

/// The version that `qring version` prints and that the client sends with every request.
package enum ProductVersion {
    package static let text = "0.1.0"
    package static let userAgent = "qring/\(text)"

    /// The hash of the commit that `scripts/release` built, with `-dirty` if files differed from it. Nil in
    /// other builds.
    package static let commit = known(cbuild_commit())
    /// The time of that commit (RFC 3339, UTC).
    package static let date = known(cbuild_commit_date())

    private static func known(_ text: UnsafePointer<CChar>) -> String? {
        text.pointee == 0 ? nil : String(cString: text)
    }
}
