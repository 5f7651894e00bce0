import CommandLine
import Meetings
import Phrases
import RecordText
import Terminal
import Wire

/// Prints the fields that an edit changed, with their old and new values, because the person who types the
/// edit has not seen the old values.
enum ChangedFields {
    /// Prints one line for each field that differs.
    /// - Parameter fields: names as the API has them, and values; nil means that the field is empty. Times
    ///   are in RFC 3339.
    static func show(
        _ call: Invocation, _ fields: [(name: String, from: String?, to: String?)], in zone: Zone = .current
    ) {
        guard !call.wantsJSON else { return }
        for (name, from, to) in fields where from != to {
            let line = ChangeText.line(name, from: from, to: to, in: call.language, zone: zone)
            call.console.errLine("  " + TerminalEscaping.safe(line))
        }
    }
}

/// Describes events of the journal for the output of commands, without control characters.
enum JournalText {
    /// Returns the details of an event without its kind.
    static func what(_ event: EventBody, _ call: Invocation, in zone: Zone) -> String {
        TerminalEscaping.safe(EventText.details(of: event, in: call.language, zone: zone))
    }

    /// Returns the name of the person or program that caused the event; nil if the account was deleted.
    static func actor(_ event: EventBody, _ call: Invocation) -> String? {
        EventText.actor(of: event, in: call.language).map { TerminalEscaping.safe($0) }
    }
}
