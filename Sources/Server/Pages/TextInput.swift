import Meetings
import Phrases
import Wire

/// A field of a form for a name, an address or a number, with its label and its error.
struct TextInput {
    let name: String
    let type: String
    let label: Phrase
    let autocomplete: String
    /// The largest number of characters, as people count them.
    let most: Int

    static let name = TextInput(
        name: "name", type: "text", label: .Page.name, autocomplete: "name", most: 100)

    /// Returns the field by which a meeting identifies attendees; nil if that is the name.
    static func identity(_ kind: IdentifyBy) -> TextInput? {
        switch kind {
        case .name: nil
        case .email:
            TextInput(name: "email", type: "email", label: .Page.email, autocomplete: "email", most: 254)
        case .number:
            TextInput(name: "number", type: "text", label: .Page.number, autocomplete: "off", most: 50)
        }
    }

    /// Returns what a person typed into an identifying field, in its stored form.
    /// - Throws: the reason why it is no address or number.
    static func checked(_ typed: String, for kind: IdentifyBy) throws(FieldReason) -> String {
        switch kind {
        case .name: return ""
        case .email:
            guard let email = EmailAddress.normalized(typed) else { throw .notAnEmail }
            return email
        case .number:
            return try PersonalText.checked(typed, limit: 50)
        }
    }

    func html(_ value: String, error: String?, in language: Language) -> HTML {
        let said: HTML? = error.map { "<span class=\"error\" id=\"\(name)-error\">\($0)</span>" }
        let invalid: HTML = error == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"\(name)-error\""
        return """
            <label for="\(name)">\(label.text(in: language))</label>
            <input id="\(name)" name="\(name)" type="\(type)" autocomplete="\(autocomplete)" \
            data-most-characters="\(most)" value="\(value)" required\(invalid)>
            \(said)
            """
    }
}
