package import Meetings
package import Phrases

// The words that people read for the values of records. If a table of `Phrase.Record` lacks a value, its name
// in the API is shown; a test proves that no value is missing.

extension Phase {
    /// The phase's name for people, for example "check-in open".
    package var phrase: Phrase { word(rawValue, in: Phrase.Record.phases) }
}

extension AttendanceStatus {
    /// The status's name for people, for example "awaited".
    package var phrase: Phrase { word(rawValue, in: Phrase.Record.statuses) }
}

extension CheckInMethod {
    /// The method's name for people, for example "join code".
    package var phrase: Phrase { word(rawValue, in: Phrase.Record.methods) }
}

extension Role {
    /// The role's name for people, for example "viewer".
    package var phrase: Phrase { word(rawValue, in: Phrase.Record.roles) }
}

extension Event.Kind {
    /// The name of this kind of event for people, for example "checked in".
    package var phrase: Phrase { word(rawValue, in: Phrase.Record.events) }
}

extension ActionRecord.Kind {
    /// The action's name for people, for example "role changed".
    package var phrase: Phrase { Wire.word(word, in: Phrase.Record.actions) }
}

func word(_ value: String, in table: [String: Phrase]) -> Phrase {
    table[value] ?? Phrase(verbatim: value)
}
