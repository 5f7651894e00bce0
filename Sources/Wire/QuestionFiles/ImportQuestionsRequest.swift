import Meetings

/// Where questions are to be imported from, in the place of a file.
package struct ImportQuestionsRequest: Readable, Sendable {
    package let url: String?

    package init(reading fields: Fields) {
        let written = fields.text("url", 1...2000)
        url = written.flatMap { WebAddress.isUsable($0) ? $0 : nil }
        if written != nil, url == nil { fields.fail("url", .notAWebAddress) }
    }

    /// Whether a body says this rather than holding questions.
    package static func isMeant(by document: JSONDocument) -> Bool {
        document.root["url"] != nil && document.root["questions"] == nil && document.root["data"] == nil
            && document.root["forms"] == nil
    }
}

package enum WebAddress {
    /// `http` or `https`, of visible ASCII, with a host and without a user name.
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
