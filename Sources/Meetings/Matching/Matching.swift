package typealias MatchProfileID = ID<MatchPerson>
package typealias MatchRequestID = ID<MatchRequest>
package typealias MatchReportID = ID<MatchReport>

/// A session's settings for groups of interest.
package struct MatchSettings: Hashable, Sendable {
    /// Whether attendees can opt in and ask each other to meet now, until the feedback window is over.
    package var open: Bool
    /// What the form promises to the attendees who opt in next.
    package var promise: AudienceQuestion.Promise
    /// The tables or places that the host named, in the host's order. Without places, two people who meet
    /// exchange a line of text.
    package var places: [String]
    package var version: Int

    /// The most places, and the most characters of a place.
    package static let mostPlaces = (places: 50, characters: 40)

    /// The settings of a session whose host has set nothing.
    package static let initial = MatchSettings()

    package init(
        open: Bool = false, promise: AudienceQuestion.Promise = .hidden, places: [String] = [],
        version: Int = 0
    ) {
        self.open = open
        self.promise = promise
        self.places = places
        self.version = version
    }

    /// Returns whether attendees can take part at `now`.
    package func takesPart(in session: Session, at now: Instant) -> Bool {
        open && now <= session.feedbackClosesAt
    }

    /// Returns the place at which the fewest pairs meet, the first of them in the host's order; an empty text
    /// if the host named no place.
    package func freestPlace(_ pairs: [String: Int]) -> String {
        places.enumerated().min {
            (pairs[$0.element] ?? 0, $0.offset) < (pairs[$1.element] ?? 0, $1.offset)
        }?.element ?? ""
    }
}

/// An attendee's part in the groups of interest of a session. The record stays after the attendee has left,
/// so that limits and a host's exclusion hold after the attendee opts in again.
package struct MatchPerson: Hashable, Sendable {
    package let attendeeID: AttendeeID
    package let sessionID: SessionID
    /// The values by which others find the attendee; nil if the attendee has not opted in.
    package var profile: Profile?
    /// How often the attendee has opted in.
    package var joins: Int
    /// How often the attendee has asked somebody to meet.
    package var asked: Int
    /// The times of the newest requests, at most `mostRequests.aMinute`, the oldest first.
    package var askedAt: [Instant]
    /// Whether a host has excluded the attendee.
    package var isExcluded: Bool

    /// The values of an attendee who has opted in. Others see the nickname only when they meet this person.
    package struct Profile: Hashable, Sendable {
        /// The id by which others name this person. It is random and another one after each opt-in.
        package let id: MatchProfileID
        package var nickname: String
        package var keywords: [String]
        /// The ages that decide who finds whom; nil if the attendee gave no age.
        package var ages: MatchAges?
        /// What the form promised when the attendee opted in.
        package let promise: AudienceQuestion.Promise

        package init(
            id: MatchProfileID, nickname: String, keywords: [String], promise: AudienceQuestion.Promise,
            ages: MatchAges? = nil
        ) {
            self.id = id
            self.nickname = nickname
            self.keywords = keywords
            self.promise = promise
            self.ages = ages
        }
    }

    package static let mostCharacters = (nickname: 30, keyword: 30, line: 200, report: 300)
    package static let mostKeywords = 8
    /// The most people who take part in a session at a time.
    package static let mostInSession = 500
    /// The most times that an attendee can opt in to a session.
    package static let mostJoins = 20
    /// The most requests of an attendee in a minute, in a session, and at a time without an answer.
    package static let mostRequests = (aMinute: 6, inSession: 60, pending: 3)
    /// The most requests that wait for the answer of one attendee.
    package static let mostWaiting = 5
    /// The most people that an attendee can block in a session.
    package static let mostBlocked = 50
    /// The most reports of an attendee in a session, and of all attendees.
    package static let mostReports = (each: 10, inSession: 500)

    package init(
        attendeeID: AttendeeID, sessionID: SessionID, profile: Profile? = nil, joins: Int = 0, asked: Int = 0,
        askedAt: [Instant] = [], isExcluded: Bool = false
    ) {
        self.attendeeID = attendeeID
        self.sessionID = sessionID
        self.profile = profile
        self.joins = joins
        self.asked = asked
        self.askedAt = askedAt
        self.isExcluded = isExcluded
    }

    /// Counts one more request.
    /// - Throws: `matchRequestsTooFast` if the attendee has made too many requests in the last minute;
    ///   `limitReached` if the attendee has made too many in the session.
    package mutating func countRequest(at now: Instant) throws(Refusal) {
        askedAt.removeAll { now.since($0) >= .minutes(1) }
        if askedAt.count >= Self.mostRequests.aMinute, let first = askedAt.first {
            let wait = Duration.minutes(1) - now.since(first)
            throw .matchRequestsTooFast(afterSeconds: max(1, Int(wait.components.seconds) + 1))
        }
        guard asked < Self.mostRequests.inSession else {
            throw .limitReached(.matchRequest, limit: Self.mostRequests.inSession)
        }
        askedAt.append(now)
        asked += 1
    }

    /// Returns the keywords without repetitions, in the attendee's order. Keywords that differ only in case,
    /// width, spaces or invisible characters are the same.
    package static func distinct(_ keywords: [String]) -> [String] {
        var seen: Set<String> = []
        return keywords.filter { seen.insert(key(of: $0)).inserted }
    }

    /// Returns the form in which keywords are compared.
    package static func key(of keyword: String) -> String {
        HeldWords.folded(keyword).filter { !$0.isWhitespace }
    }
}

/// The ages of an attendee in groups of interest. Only ten years of the attendee's own age are stored,
/// because others can work out an exact age by trying ranges.
package struct MatchAges: Hashable, Sendable, Codable {
    /// The first age of the attendee's ten years, for example 20 for 20–29.
    package let group: Int
    /// The ages of the people who may find the attendee, and whom the attendee finds.
    package let range: AgeRange

    /// - Parameter age: the attendee's age in years.
    package init(age: Int, range: AgeRange = .all) {
        group = age / 10 * 10
        self.range = range
    }

    /// Whether two attendees may find each other: the age group of each overlaps the other one's range. An
    /// attendee without an age is in no range, and limits nobody.
    package static func fit(_ one: MatchAges?, _ other: MatchAges?) -> Bool {
        (one?.admits(other) ?? true) && (other?.admits(one) ?? true)
    }

    private func admits(_ other: MatchAges?) -> Bool {
        guard let other else { return false }
        return other.group <= range.max && range.min <= other.group + 9
    }
}

/// A report of an attendee about another one, for the hosts. It has the reported nickname and keywords as
/// they were, because the reported attendee may change them.
package struct MatchReport: Hashable, Sendable {
    package let id: MatchReportID
    package let sessionID: SessionID
    /// The attendee who reported. No reader sees it.
    package let by: AttendeeID
    package let about: AttendeeID
    package let profile: MatchPerson.Profile
    /// The attendee's text; may be empty.
    package let text: String
    package let at: Instant
    /// Whether a host has dealt with the report.
    package var isClosed: Bool

    package init(
        id: MatchReportID, sessionID: SessionID, by: AttendeeID, about: AttendeeID,
        profile: MatchPerson.Profile, text: String, at: Instant, isClosed: Bool = false
    ) {
        self.id = id
        self.sessionID = sessionID
        self.by = by
        self.about = about
        self.profile = profile
        self.text = text
        self.at = at
        self.isClosed = isClosed
    }
}

/// How many people take part with a keyword.
package struct KeywordCount: Hashable, Sendable {
    /// The most frequent spelling; of equally frequent ones, the first in the order of Unicode.
    package let keyword: String
    package let count: Int

    /// Counts the keywords of profiles: the most frequent first, then in the order of Unicode.
    package static func of(_ profiles: [MatchPerson.Profile]) -> [KeywordCount] {
        var spellings: [String: [String: Int]] = [:]
        for profile in profiles {
            for keyword in profile.keywords {
                spellings[MatchPerson.key(of: keyword), default: [:]][keyword, default: 0] += 1
            }
        }
        return spellings.map { _, found in
            let shown = found.min { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            return KeywordCount(keyword: shown?.key ?? "", count: found.values.reduce(0, +))
        }
        .sorted { $0.count == $1.count ? $0.keyword < $1.keyword : $0.count > $1.count }
    }
}
