import HTTPServer
import Journal
import Meetings
import Phrases

/// The bar at the bottom of an attendee's pages. It has the parts that are open, each with a mark if
/// something is new there. A script follows the room, shows parts that open, and sets the marks.
enum PartsBar {
    enum Part: String, CaseIterable {
        case now, questions, groups, me

        fileprivate var name: Phrase {
            switch self {
            case .now: .Page.partNow
            case .questions: .Page.partQuestions
            case .groups: .Page.partGroups
            case .me: .Page.partMe
            }
        }

        /// The class of the style sheet that draws the part's icon.
        fileprivate var icon: HTML {
            switch self {
            case .now: "icon-live"
            case .questions: "icon-audience"
            case .groups: "icon-people"
            case .me: "icon-account"
            }
        }

        fileprivate func path(of person: OwnPage.Person) -> String {
            switch self {
            case .now: OwnPage.path(of: person)
            case .questions: AudiencePage.path(of: person)
            case .groups: MatchingPage.path(of: person)
            case .me: OwnPage.recordPath(of: person)
            }
        }
    }

    /// What is open in a session, and new for an attendee.
    private struct State {
        var open: Set<Part> = [.now, .me]
        var new: Set<Part> = []
        var groupsNews = MatchingNewsLine.none
    }

    /// Returns the bar of a page that shows the part `current`.
    static func html(for person: OwnPage.Person, at current: Part, _ context: RequestContext) async throws
        -> HTML
    {
        let state = try await state(for: person, at: current, context)
        let language = context.language
        let receipt = person.receipt.text(keys: context.services.keys)
        let parts = Part.allCases.map { part -> HTML in
            let here: HTML? = part == current ? " aria-current=\"page\"" : nil
            let off: HTML? = state.open.contains(part) ? nil : " hidden"
            let old: HTML? = state.new.contains(part) ? nil : " hidden"
            let news: HTML? =
                part == .groups
                ? """
                <span class="unseen" role="status" id="groups-news">\
                \(state.groupsNews.text(in: language))</span>
                """ : nil
            return """
                <li data-part="\(part.rawValue)"\(off)>\
                <a class="\(part.icon)" href="\(part.path(of: person))"\(here)>\
                \(part.name.text(in: language))\
                <b class="mark"\(old)>\
                <span class="unseen"> \(Phrase.Page.isNew.text(in: language))</span></b>\
                </a>\(news)</li>
                """
        }
        return """
            <nav class="parts" aria-label="\(Phrase.Page.parts.text(in: language))" \
            data-session="\(person.record.session.id)" data-receipt="\(receipt)" \
            data-forms="\(OwnPage.path(of: person))&part=\(Stage.forms)">\
            <p id="news" class="unseen" role="status"></p><ul>\(parts)</ul></nav>
            """
    }

    private static func state(
        for person: OwnPage.Person, at current: Part, _ context: RequestContext
    ) async throws -> State {
        let (session, id, now) = (person.record.session, person.receipt.attendeeID, context.now)
        let patterns = context.storage.patterns
        return try await context.storage.read { rows throws(JournalError) -> State in
            var state = State()
            if let audience = try rows.audienceSettings(of: session.id), audience.open || audience.asked > 0 {
                state.open.insert(.questions)
            }
            if let groups = try rows.matchSettings(of: session.id), groups.takesPart(in: session, at: now) {
                state.open.insert(.groups)
                state.groupsNews = MatchingNewsLine(try rows.matchRequests(of: id), for: id, at: now)
                if state.groupsNews != .none, current != .groups { state.new.insert(.groups) }
            }
            if current != .now,
                try !rows.setsToAnswer(person.attendee.id, in: session, at: now, by: patterns).isEmpty
            {
                state.new.insert(.now)
            }
            return state
        }
    }
}

/// The news of the groups of interest for an attendee.
enum MatchingNewsLine {
    case none, asked, matched

    init(_ requests: [MatchRequest], for attendee: AttendeeID, at now: Instant) {
        if requests.contains(where: { $0.state == .matched }) {
            self = .matched
        } else if requests.contains(where: { $0.to == attendee && $0.isPending(at: now) }) {
            self = .asked
        } else {
            self = .none
        }
    }

    func text(in language: Language) -> String {
        switch self {
        case .none: ""
        case .asked: Phrase.Page.somebodyAsks.text(in: language)
        case .matched: Phrase.Page.somebodyAgreed.text(in: language)
        }
    }
}
