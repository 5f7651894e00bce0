/// The version that `qring version` prints and every request carries.
package enum ProductVersion {
    package static let text = "0.1.0"
    package static let userAgent = "qring/\(text)"
}
