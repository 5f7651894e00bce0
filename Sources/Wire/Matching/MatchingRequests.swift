package import Meetings

/// The request by which an attendee opts in to groups of interest, or changes the nickname and the keywords.
package struct MatchProfileRequest: Readable, Sendable {
    package let nickname: String
    package let keywords: [String]
    /// The ages that decide who finds whom; nil if the request gives no age.
    package let ages: MatchAges?
    /// The promise that the form showed; nil if the client showed none.
    package let promise: AudienceQuestion.Promise?

    package init(reading fields: Fields) {
        let most = MatchPerson.mostCharacters
        nickname = fields.name("nickname", required: true, most: most.nickname) ?? ""
        keywords =
            fields.names(
                "keywords", required: true, 1...MatchPerson.mostKeywords, characters: most.keyword) ?? []
        let age = fields.integer("age", AgeRange.allowed)
        let range = fields.object("ageRange", as: AgeRangeRequest.self)?.range
        // An attendee who limits the ages of others must give an age, because others may limit ages, too.
        if range != nil, !fields.has("age") { fields.fail("age", .missing) }
        ages = age.map { MatchAges(age: $0, range: range ?? .all) }
        promise = fields.choice("promise", of: AudienceQuestion.Promise.self)
    }
}

/// The request by which an attendee asks another one to meet.
package struct AskToMeetRequest: Readable, Sendable {
    /// The id of the other one's profile.
    package let to: MatchProfileID

    package init(reading fields: Fields) {
        to = fields.id("to", of: MatchPerson.self, required: true) ?? ID(high: 0, low: 0)
    }
}

/// The answer of the attendee who was asked. The attendee who asked withdraws the request with `false`.
package struct AnswerMatchRequestRequest: Readable, Sendable {
    package let accept: Bool

    package init(reading fields: Fields) {
        accept = fields.bool("accept", required: true) ?? false
    }
}

/// A line of text for the person whom the attendee meets. An empty text deletes the line.
package struct MatchLineRequest: Readable, Sendable {
    package let text: String

    package init(reading fields: Fields) {
        text = fields.line("text", most: MatchPerson.mostCharacters.line) ?? ""
    }
}

/// The request that blocks a person.
package struct BlockPersonRequest: Readable, Sendable {
    /// The id of the person's profile.
    package let person: MatchProfileID

    package init(reading fields: Fields) {
        person = fields.id("person", of: MatchPerson.self, required: true) ?? ID(high: 0, low: 0)
    }
}

/// The request that reports a person to the hosts, and blocks the person.
package struct ReportPersonRequest: Readable, Sendable {
    /// The id of the person's profile.
    package let person: MatchProfileID
    package let text: String

    package init(reading fields: Fields) {
        person = fields.id("person", of: MatchPerson.self, required: true) ?? ID(high: 0, low: 0)
        text = fields.line("text", most: MatchPerson.mostCharacters.report) ?? ""
    }
}

/// The request that changes a session's settings for groups of interest. Absent fields keep their values.
package struct MatchSettingsRequest: Readable, Sendable {
    package let open: Bool?
    package let promise: AudienceQuestion.Promise?
    package let places: [String]?

    package init(reading fields: Fields) {
        let most = MatchSettings.mostPlaces
        open = fields.bool("open")
        promise = fields.choice("promise", of: AudienceQuestion.Promise.self)
        places = fields.names("places", 0...most.places, characters: most.characters)
    }
}

/// The request by which a host deals with a report. Absent fields change nothing.
package struct HandleMatchReportRequest: Readable, Sendable {
    package let closed: Bool?
    /// Whether the reported person is excluded from the session's groups of interest.
    package let excluded: Bool?

    package init(reading fields: Fields) {
        closed = fields.bool("closed")
        excluded = fields.bool("excluded")
    }
}
