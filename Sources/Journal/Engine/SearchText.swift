package import Meetings
import UnicodeForms

/// The normal form in which a search compares texts: Unicode NFC, case-folded and not trimmed. So `kim` finds
/// `KIM`, and 김 is found even if it is stored in decomposed form.
package enum SearchText {
    /// Returns the searchable text of an attendee: the name and the identity, each on its own line.
    package static func of(name: String, identity: String) -> String {
        folded(identity.isEmpty ? name : name + "\n" + identity)
    }

    /// Returns the text in the form in which a search compares it.
    package static func folded(_ text: String) -> String {
        if text.isASCII { return text.lowercased() }
        return text.caseFolded
    }
}

extension SearchText {
    /// Returns the searchable text of a person on a roster: name, e-mail address and number, each on its own
    /// line.
    package static func of(_ person: Person) -> String {
        folded("\(person.name)\n\(person.email)\n\(person.number)")
    }
}
