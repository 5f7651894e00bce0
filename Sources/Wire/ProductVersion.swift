/// The version that `qring version` prints and that every request of the client carries.
package enum ProductVersion {
    package static let text = "0.1.0"
    package static let userAgent = "qring/\(text)"
}
