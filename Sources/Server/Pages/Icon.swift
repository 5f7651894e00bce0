import Pages

/// The icons in `Public/icons`.
enum Icon {
    /// Returns the address that contains the file itself. Traps if there is no such file.
    static func dataURL(of path: String) -> String {
        guard let file = PublicFile(at: path) else { preconditionFailure("\(path) is not compiled in") }
        var text = String(decoding: file.bytes, as: UTF8.self)
        // The size and the class are for files that stand alone.
        text.replace(#/ (width|height)="16"| class="[^"]*"| fill="currentColor"/#, with: "")
        // The characters that end an attribute or a string of CSS, or mean something in an address.
        for (from, to) in [("\n", ""), ("\"", "'"), ("#", "%23"), ("<", "%3C"), (">", "%3E")] {
            text.replace(from, with: to)
        }
        return "data:image/svg+xml,\(text)"
    }
}
