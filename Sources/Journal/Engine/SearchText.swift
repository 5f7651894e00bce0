import Foundation
package import Meetings

/// The form of texts that a search compares: NFC and case-folded, so that `kim` finds `KIM`, and 김 is found
/// however it was composed. Nothing is trimmed.
package enum SearchText {
    /// The text of an attendee that a search looks in: the name and the identity, each in a line of its own.
    package static func of(name: String, identity: String) -> String {
        folded(identity.isEmpty ? name : name + "\n" + identity)
    }

    /// Returns a text as a search compares it.
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
