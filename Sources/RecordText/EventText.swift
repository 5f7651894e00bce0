package import Meetings
package import Phrases
package import Wire

/// Describes changed fields of the API in the user's language.
package enum ChangeText {
    /// Returns the line for one changed field, such as `planned: 30 → 40`. The values may contain text of
    /// other people, which the caller escapes.
    /// - Parameters:
    ///   - name: the field's name in the API.
    ///   - from: the old value as the API has it; nil if the field was empty. Times are in RFC 3339.
    ///   - to: the new value.
    ///   - day: the day of which times have no date, as `2026-11-21`; nil if all times have their date.
    package static func line(
        _ name: String, from: String?, to: String?, in language: Language, zone: Zone, day: String? = nil
    ) -> String {
        Phrase.Record.change.text(
            in: language,
            [
                "field": label(name, in: language), "from": value(from, of: name, language, zone, day),
                "to": value(to, of: name, language, zone, day),
            ])
    }

    /// Returns the name of a field for people.
    package static func label(_ name: String, in language: Language) -> String {
        Phrase.Record.fields[name]?.text(in: language) ?? name
    }

    private static func value(
        _ text: String?, of name: String, _ language: Language, _ zone: Zone, _ day: String?
    ) -> String {
        guard let text, !text.isEmpty else { return "–" }
        if let wall = Instant(rfc3339: text)?.wall(in: zone) {
            guard let day, wall.hasPrefix(day) else { return wall }
            return String(wall.dropFirst(day.count).drop { $0 == " " })
        }
        if name == "checkOut", let word = Phrase.Record.checkOuts[text] { return word.text(in: language) }
        if name == "status", let status = AttendanceStatus(rawValue: text) {
            return status.phrase.text(in: language)
        }
        return switch text {
        case "true": Phrase.Export.yes.text(in: language)
        case "false": Phrase.Record.no.text(in: language)
        default: text
        }
    }
}

/// Describes an event of the journal in the user's language. The texts may contain text of other people,
/// which the caller escapes.
package enum EventText {
    /// Returns the details of an event without its kind: `awaited → late`, `start: 19:00 → 19:30; 3 statuses
    /// recomputed`.
    /// - Parameter day: the day of which times have no date, as `2026-11-21`; nil if all have their date.
    package static func details(
        of event: EventBody, in language: Language, zone: Zone, day: String? = nil
    ) -> String {
        let data = event.data
        func word(_ status: RecordedStatus) -> String {
            status.shown(sessionIsOver: false).phrase.text(in: language)
        }
        var parts: [String] = []
        if let before = data.before, let status = data.status {
            parts.append("\(word(before)) → \(word(status))")
        }
        if let name = event.intoName {
            parts.append(Phrase.Record.into.text(in: language, ["name": name]))
        }
        if let set = data.set { parts.append(set) }
        let changes = data.changes ?? []
        parts += changes.map {
            ChangeText.line($0.field, from: $0.from, to: $0.to, in: language, zone: zone, day: day)
        }
        // Do not list a field again if its values or its status are already in the text.
        let listed = Set(changes.map(\.field) + (data.status == nil ? [] : ["status"]))
        parts += (data.fields ?? []).filter { !listed.contains($0) }.map {
            ChangeText.label($0, in: language)
        }
        if let count = data.recomputed {
            parts.append(Phrase.Record.recomputed.text(in: language, ["count": String(count)]))
        }
        if let sequence = data.undoes {
            parts.append(Phrase.Record.undoes.text(in: language, ["sequence": String(sequence)]))
        }
        return parts.joined(separator: "; ")
    }

    /// Returns the name of the person or program that caused the event; nil if the account was deleted,
    /// because its id means nothing to a reader.
    package static func actor(of event: EventBody, in language: Language) -> String? {
        if let name = event.actorName { return name }
        return switch Event.Actor(event.actor) {
        case .attendee: Phrase.Record.anAttendee.text(in: language)
        case .server: Phrase.Record.theServer.text(in: language)
        case .account, nil: nil
        }
    }
}
