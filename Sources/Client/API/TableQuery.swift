package import Wire

/// How a host wants a CSV file, as the server's query has it (`Wire.TableForm`).
package struct TableQuery: Sendable {
    private let headings: String?
    private let bom: String?
    var fields: KeyValuePairs<String, String?> { ["headings": headings, "bom": bom] }

    /// - Parameters:
    ///   - headings: nil for words in the caller's language.
    ///   - byteOrderMark: whether the file begins with the mark by which Excel recognizes UTF-8.
    package init(headings: TableForm.Headings? = nil, byteOrderMark: Bool = false) {
        self.headings = headings?.rawValue
        bom = byteOrderMark ? "true" : nil
    }
}
