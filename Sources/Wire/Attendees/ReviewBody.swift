package import Meetings
package import Phrases

/// The unusual patterns among a session's check-ins. They are hints for the host, never a verdict.
package struct ReviewBody: Codable, Sendable {
    package let checkedIn: Int
    package let findings: [Finding]

    /// An unusual pattern, with the attendees concerned.
    package struct Finding: Codable, Sendable {
        package let kind: SessionReview.Kind
        /// A sentence about the pattern, in the caller's language.
        package let sentence: String
        package let attendees: [Person]
    }

    /// An attendee whom a finding concerns.
    package struct Person: Codable, Sendable {
        package let id: AttendeeID
        package let name: String
    }

    package init(checkedIn: Int, findings: [Finding]) {
        self.checkedIn = checkedIn
        self.findings = findings
    }
}

extension ReviewBody.Finding {
    package init(_ finding: SessionReview.Finding, in language: Language) {
        kind = finding.kind
        var values = finding.values
        values["name"] = finding.people.first?.name
        sentence = finding.kind.phrase.text(in: language, values)
        attendees = finding.people.map { ReviewBody.Person(id: $0.id, name: $0.name) }
    }
}

extension SessionReview.Kind {
    package var phrase: Phrase {
        switch self {
        case .oneDevice:
            Phrase(
                "{count} people checked in from one device. They may have shared a phone, or "
                    + "somebody checked in for others.")
        case .oldCode:
            Phrase(
                "{name} used a code that was {seconds} s old; {median} s is usual. Their phone may "
                    + "have been slow, or somebody may have passed the code on.")
        case .longAfterScan:
            Phrase(
                "{name} checked in {seconds} s after the scan; {median} s is usual. They may have typed "
                    + "slowly, or somebody may have passed the scan on.")
        case .moreThanPlanned:
            Phrase(
                "{count} people checked in, but {planned} were planned. They may have brought "
                    + "guests, or somebody may have passed the code on.")
        case .otherNetwork:
            Phrase(
                "{count} checked in from the network {network}; nearly everybody else used {usual}. "
                    + "They may have used mobile data, or been in another place.")
        case .otherName:
            Phrase(
                "{count} typed another name than the roster has ({name} typed: {typed}). They may have "
                    + "typed a short name, or tried e-mail addresses or numbers of others.")
        case .atTheEnd:
            Phrase(
                "{count} checked in during the last two minutes. They may have come at the end, or "
                    + "forgotten to check in earlier.")
        }
    }
}
