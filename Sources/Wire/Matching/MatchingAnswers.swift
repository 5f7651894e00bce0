package import Meetings

/// A session's groups of interest, as one attendee sees them. The lists are empty unless the attendee has
/// opted in. No field has a name, and none has a nickname of anybody except the attendee and the person met.
package struct MatchingBody: Codable, Hashable, Sendable {
    /// Whether attendees can take part now.
    package let open: Bool
    /// What the form must promise to an attendee who opts in now.
    package let promise: AudienceQuestion.Promise
    /// Whether a host has excluded the attendee.
    package let excluded: Bool
    package private(set) var state: MatchState
    package let me: Profile?
    /// The number of people who take part.
    package var people = 0
    /// The most frequent keywords, at most `mostListed`.
    package var keywords: [Keyword] = []
    /// The people whom the attendee can ask, at most `mostListed`: those with the most common keywords first.
    package var candidates: [Candidate] = []
    /// The requests that wait for an answer, and the attendee's own ones of the last two minutes.
    package var requests: [MatchRequestBody] = []
    /// The person whom the attendee meets; nil if the attendee meets nobody.
    package var match: Match? {
        didSet { if match != nil { state = .matched } }
    }
    /// The number of people whom the attendee has blocked.
    package var blocked = 0

    package static let mostListed = 50
    /// How long an attendee sees an own request that was not accepted.
    package static let mostAge = Duration.minutes(2)

    /// The attendee's own profile.
    package struct Profile: Codable, Hashable, Sendable {
        package let nickname: String
        package let keywords: [String]
        package let promise: AudienceQuestion.Promise
        /// The first age of the attendee's ten years, and the ages of the people who find the attendee; nil
        /// if the attendee gave no age.
        package let ageGroup: Int?
        package let ageRange: AgeRange?

        package init(_ profile: MatchPerson.Profile) {
            (ageGroup, ageRange) = (profile.ages?.group, profile.ages?.range)
            nickname = profile.nickname
            keywords = profile.keywords
            promise = profile.promise
        }
    }

    /// A keyword, with the number of people who have it.
    package struct Keyword: Codable, Hashable, Sendable {
        package let keyword: String
        package let count: Int
        /// Whether it is one of the attendee's own keywords.
        package let own: Bool

        package init(_ count: KeywordCount, own: Bool) {
            keyword = count.keyword
            self.count = count.count
            self.own = own
        }
    }

    /// A person whom the attendee can ask.
    package struct Candidate: Codable, Hashable, Sendable {
        package let id: MatchProfileID
        package let keywords: [String]
        /// The number of keywords that the attendee has, too.
        package let common: Int

        package init(_ profile: MatchPerson.Profile, common: Int) {
            id = profile.id
            keywords = profile.keywords
            self.common = common
        }
    }

    /// The person whom the attendee meets.
    package struct Match: Codable, Hashable, Sendable {
        package let id: MatchRequestID
        /// The id of the other one's profile.
        package let person: MatchProfileID
        /// The other one's nickname; empty if the record was erased.
        package let nickname: String
        package let keywords: [String]
        /// Whether the other one's check-in has ended, so that the other one will not come.
        package let left: Bool
        /// The table or place; nil if the host named none.
        package let place: String?
        /// The lines of text of the attendee and of the other one; nil if there is none.
        package let line: String?
        package let theirLine: String?

        package init(
            _ request: MatchRequest, of attendee: AttendeeID, with other: MatchPerson.Profile, hasLeft: Bool
        ) {
            left = hasLeft
            id = request.id
            person = other.id
            nickname = other.nickname
            keywords = other.keywords
            place = request.place.isEmpty ? nil : request.place
            let (from, to) = (request.lines.from, request.lines.to)
            let (own, theirs) = request.from == attendee ? (from, to) : (to, from)
            line = own.isEmpty ? nil : own
            theirLine = theirs.isEmpty ? nil : theirs
        }
    }

    /// Makes the body without other people. If the attendee has opted in, the caller adds what the attendee
    /// sees of them.
    package init(_ settings: MatchSettings, _ person: MatchPerson?, in session: Session, at now: Instant) {
        open = settings.takesPart(in: session, at: now)
        promise = settings.promise
        excluded = person?.isExcluded ?? false
        me = person?.profile.map { Profile($0) }
        state = me == nil ? .idle : .searching
    }
}

/// A request to meet, as one of the two attendees sees it.
package struct MatchRequestBody: Codable, Hashable, Sendable {
    package let id: MatchRequestID
    /// Whether the attendee was asked by the other one.
    package let incoming: Bool
    package let status: Status
    /// The first moment at which nobody can accept the request.
    package let expiresAt: Instant
    /// The time until then; 0 if the request is over.
    package let expiresInMs: Int
    /// The id of the other one's profile, and the other one's keywords; nil in the answer to a change.
    package let person: MatchProfileID?
    package let keywords: [String]?

    /// The state of a request at the moment of the answer.
    package enum Status: String, Codable, Hashable, Sendable, CaseIterable {
        case pending, matched, declined, expired
    }

    package init(
        _ request: MatchRequest, incoming: Bool, at now: Instant, other: MatchPerson.Profile? = nil
    ) {
        person = other?.id
        keywords = other?.keywords
        id = request.id
        self.incoming = incoming
        status =
            switch request.state {
            case .matched: .matched
            case .declined: .declined
            case .pending: request.isPending(at: now) ? .pending : .expired
            }
        expiresAt = request.expiresAt
        let left = request.expiresAt.milliseconds - now.milliseconds
        expiresInMs = request.isPending(at: now) ? Int(left) : 0
    }
}

/// The number of people whom the attendee has blocked.
package struct MatchBlocksBody: Codable, Hashable, Sendable {
    package let blocked: Int

    package init(blocked: Int) { self.blocked = blocked }
}

/// A session's settings for groups of interest, and what members see of them: counts, and no nickname.
package struct MatchSettingsBody: Codable, Hashable, Sendable {
    /// Whether a host has switched the groups on.
    package let open: Bool
    /// Whether attendees can take part now.
    package let accepting: Bool
    package let promise: AudienceQuestion.Promise
    package let places: [String]
    /// The number of people who take part, and of pairs who meet now.
    package let people: Int
    package let pairs: Int
    /// The most frequent keywords, at most `MatchingBody.mostListed`.
    package let keywords: [MatchingBody.Keyword]
    /// The number of reports that no host has dealt with.
    package let openReports: Int
    package let version: Int

    package init(
        _ settings: MatchSettings, in session: Session, at now: Instant, people: [MatchPerson.Profile],
        pairs: Int, openReports: Int
    ) {
        open = settings.open
        accepting = settings.takesPart(in: session, at: now)
        promise = settings.promise
        places = settings.places
        self.people = people.count
        self.pairs = pairs
        keywords = KeywordCount.of(people).prefix(MatchingBody.mostListed).map {
            MatchingBody.Keyword($0, own: false)
        }
        self.openReports = openReports
        version = settings.version
    }
}

extension MatchSettingsBody: Versioned { package var taggedVersion: Int? { version } }

/// A report, as hosts see it. It does not say who reported.
package struct MatchReportBody: Codable, Hashable, Sendable {
    package let id: MatchReportID
    package let nickname: String
    package let keywords: [String]
    package let text: String
    package let at: Instant
    package let closed: Bool
    /// Whether the reported person is excluded.
    package let excluded: Bool
    /// The reported attendee; nil if the form promised that the name is shown to nobody.
    package let name: String?
    package let attendeeId: AttendeeID?

    /// - Parameter attendee: the reported attendee. The body ignores it unless the promise is `named`.
    package init(_ report: MatchReport, excluded: Bool, about attendee: Attendee?) {
        id = report.id
        nickname = report.profile.nickname
        keywords = report.profile.keywords
        text = report.text
        at = report.at
        closed = report.isClosed
        self.excluded = excluded
        let isNamed = report.profile.promise == .named
        name = isNamed ? attendee?.name : nil
        attendeeId = isNamed ? attendee?.id : nil
    }
}

/// The part of a frame that tells that groups of interest have changed. It names nobody. A client in an
/// `audience` room reads `GET /sessions/{id}/matching` again.
package struct MatchingFrame: Codable, Hashable, Sendable {
    /// Whether the attendee's own requests or state have changed. Only this attendee's connections get it.
    package let own: Bool
    /// Whether the people who take part have changed.
    package let people: Bool
    /// Whether the host's settings have changed.
    package let settings: Bool
    /// Whether reports have changed; only members get it.
    package let reports: Bool?

    package init(own: Bool, people: Bool, settings: Bool, reports: Bool? = nil) {
        self.own = own
        self.people = people
        self.settings = settings
        self.reports = reports
    }
}
