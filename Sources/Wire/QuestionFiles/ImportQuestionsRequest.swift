import Meetings

/// The request that imports questions from a web address instead of a file.
package struct ImportQuestionsRequest: Readable, Sendable {
    package let url: String?

    package init(reading fields: Fields) {
        let written = fields.text("url", 1...2000)
        url = written.flatMap { WebAddress.isUsable($0) ? $0 : nil }
        if written != nil, url == nil { fields.fail("url", .notAWebAddress) }
    }

    /// Whether a body is such a request, and not a file of questions.
    package static func isMeant(by document: JSONDocument) -> Bool {
        document.root["url"] != nil && document.root["questions"] == nil && document.root["data"] == nil
            && document.root["forms"] == nil
    }
}

/// The web addresses that the server can fetch documents from.
package enum WebAddress {
    /// Returns the host of a usable address, with its port if it has one.
    package static func host(of text: String) -> String {
        String(text.drop { $0 != ":" }.dropFirst(3).prefix { !"/?#".contains($0) })
    }

    /// Whether `text` is an `http` or `https` address of visible ASCII, with a host and without a user name.
    package static func isUsable(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            return false
        }
        let lower = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lower.hasPrefix($0) }) else { return false }
        let authority = text.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        return !authority.isEmpty && !authority.contains("@")
    }
}
