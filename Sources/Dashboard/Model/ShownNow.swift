internal import Meetings
internal import Phrases
internal import Wire

/// What the phones of attendees and the hall's screen show at a moment.
struct ShownNow: Hashable, Sendable {
    enum Phones: Hashable, Sendable {
        /// Attendees can answer this set. `others` is the number of further open sets.
        case questions(QuestionSetSummary, others: Int)
        /// The results of a closed poll unfold on the phones.
        case results(QuestionSetSummary)
        case checkIn
        case nothing
    }

    /// The scene that the hall's screen chooses by itself. A presenter can choose another one on that screen.
    enum Hall: Hashable, Sendable { case code, question, results, thanks }

    let phones: Phones
    let hall: Hall
}

extension SessionState {
    /// All question sets in the order of the session, except sets without questions.
    var listedSets: [QuestionSetSummary] {
        sets.values.filter { $0.questions > 0 }.sorted { $0.sortKey < $1.sortKey }
    }

    /// Returns what phones and the hall show. The rules are those of the phone's stage, of the host's page
    /// (`live-stage.js`) and of the hall's screen (`present-scene.js`).
    func shown(at now: Instant) -> ShownNow {
        let all = listedSets.filter { $0.set != QuestionSet.checkIn }
        let polls = all.filter(\.isPoll)
        let open = polls.filter(\.open).reversed() + all.filter { !$0.isPoll && $0.open }
        let phones: ShownNow.Phones
        if let first = open.first {
            phones = .questions(first, others: open.count - 1)
        } else if let shared = polls.first(where: { $0.set == changedLast && $0.shared })
            ?? polls.last(where: \.shared)
        {
            phones = .results(shared)
        } else {
            phones = body.checkInOpen && now <= body.checkInClosesAt ? .checkIn : .nothing
        }
        let polled = openedLast.flatMap { sets[$0] }
        let hall: ShownNow.Hall =
            if now >= body.endsAt {
                .thanks
            } else if polled?.shared == true {
                .results
            } else if polled?.open == true {
                .question
            } else {
                .code
            }
        return ShownNow(phones: phones, hall: hall)
    }

    /// The time at which the set was last opened, closed, shared or hidden: from the updates of the room, or
    /// else from the events of the journal that have been read. Nil if it is unknown.
    func changed(_ set: QuestionSetSummary) -> Instant? {
        changedAt[set.set]
            ?? journal.events.last {
                $0.kind == .edited && $0.data.set == set.set
                    && ($0.data.fields ?? []).contains { $0 == "open" || $0 == "shared" }
            }?.at
    }
}

extension QuestionSetSummary {
    var isPoll: Bool { self.set != QuestionSet.feedback && self.set != QuestionSet.checkIn }

    /// The heading in a language; without one, the set's name.
    func heading(in language: Language) -> String {
        headings?.text(in: language.rawValue) ?? heading ?? self.set
    }

    /// Whether attendees have seen the set. The promise is fixed from then on.
    var wasOpen: Bool { anonymityFixed }
}
