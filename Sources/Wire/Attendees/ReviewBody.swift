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
                    + "somebody checked in for others.",
                "{count}명이 한 기기에서 체크인했습니다. 휴대전화를 함께 썼거나 누군가 대신 체크인했을 수 있습니다.")
        case .oldCode:
            Phrase(
                "{name} used a code that was {seconds} s old; {median} s is usual. Their phone may "
                    + "have been slow, or somebody may have passed the code on.",
                "{name} 님이 쓴 코드는 {seconds}초 지난 것이었습니다(보통 {median}초). 휴대폰이 느렸거나 누군가에게 전달받은 코드일 수 있습니다.")
        case .moreThanPlanned:
            Phrase(
                "{count} people checked in, but {planned} were planned. They may have brought "
                    + "guests, or somebody may have passed the code on.",
                "{planned}명을 예정했는데 {count}명이 체크인했습니다. 손님이 함께 왔거나 코드가 밖으로 전해졌을 수 있습니다.")
        case .otherNetwork:
            Phrase(
                "{count} checked in from the network {network}; nearly everybody else used {usual}. "
                    + "They may have used mobile data, or been in another place.",
                "거의 모두가 {usual} 네트워크를 썼는데 {count}명은 {network}에서 체크인했습니다. 모바일 데이터이거나 다른 장소일 수 있습니다.")
        case .atTheEnd:
            Phrase(
                "{count} checked in during the last two minutes. They may have come at the end, or "
                    + "forgotten to check in earlier.",
                "{count}명이 마지막 2분 안에 체크인했습니다. 끝날 때 왔거나 체크인을 잊고 있었을 수 있습니다.")
        }
    }
}
