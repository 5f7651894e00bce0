import Foundation
package import Meetings

/// What a search compares: NFC and case-folded, so that it finds `KIM` by `kim` and 김 however it was
/// composed. Nothing is trimmed.
package enum SearchText {
    /// Of an attendee: what a search looks in. The name and the identity stand in lines of their own.
    package static func of(name: String, identity: String) -> String {
        folded(identity.isEmpty ? name : name + "\n" + identity)
    }

    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 128 }) { return text.lowercased() }
        return text.precomposedStringWithCanonicalMapping.folding(options: .caseInsensitive, locale: nil)
            .precomposedStringWithCanonicalMapping
    }
}

extension SearchText {
    package static func of(_ person: Person) -> String {
        folded("\(person.name)\n\(person.email)\n\(person.number)")
    }
}
