/// The version that `qring version` prints and that the client sends with every request.
package enum ProductVersion {
    package static let text = "0.1.0"
    package static let userAgent = "qring/\(text)"
}
