import Pages

/// The icons in `Public/icons`.
enum Icon {
    /// Returns the address that contains the file itself. Traps if there is no such file.
    static func dataURL(of path: String) -> String {
        guard let address = addresses[path] else { preconditionFailure("\(path) is not compiled in") }
        return address
    }

    private static let addresses: [String: String] = {
        // The size and the class are for files that stand alone.
        let alone = #/ (width|height)="16"| class="[^"]*"| fill="currentColor"/#
        let files = PublicFile.all.filter { $0.path.hasPrefix("/icons/") }
        return Dictionary(
            uniqueKeysWithValues: files.map { file in
                var text = String(decoding: file.bytes, as: UTF8.self).replacing(alone, with: "")
                // The characters that end an attribute or a string of CSS, or mean something in an address.
                for (from, to) in [("\n", ""), ("\"", "'"), ("#", "%23"), ("<", "%3C"), (">", "%3E")] {
                    text = text.replacingBytes(of: from, with: to)
                }
                return (file.path, "data:image/svg+xml,\(text)")
            })
    }()
}
