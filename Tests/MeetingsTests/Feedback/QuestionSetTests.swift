import Meetings
import Testing

struct QuestionSetTests {
    private let round = session()

    @Test func `feedback is open from the start to a day after the end, both included`() {
        let set = QuestionSet()
        let (opens, closes) = (round.startsAt, round.endsAt + .hours(24))
        #expect(set.refusal(in: round, at: opens - moment) == .feedbackNotOpen(opensAt: opens))
        #expect(set.refusal(in: round, at: opens) == nil)
        #expect(set.refusal(in: round, at: closes) == nil)
        #expect(set.refusal(in: round, at: closes + moment) == .feedbackClosed)
    }

    @Test func `a host can open and close a set by hand at any time`() {
        let moments = [
            round.startsAt - .hours(100), round.startsAt, round.endsAt + .hours(24),
            round.endsAt + .hours(1000),
        ]
        for now in moments {
            #expect(QuestionSet(openByHand: true).refusal(in: round, at: now) == nil)
            #expect(QuestionSet(openByHand: true).isOpen(in: round, at: now))
            #expect(QuestionSet(openByHand: false).refusal(in: round, at: now) == .feedbackClosed)
            #expect(!QuestionSet(openByHand: false).isOpen(in: round, at: now))
        }
    }

    @Test func `with zero hours after the end, feedback closes with the session`() {
        let round = session(feedbackClosesHoursAfter: 0)
        #expect(QuestionSet().isOpen(in: round, at: round.endsAt))
        #expect(!QuestionSet().isOpen(in: round, at: round.endsAt + moment))
    }

    @Test(arguments: [
        ("feedback", true), ("a", true), ("poll-2", true), ("", false), ("Feedback", false), ("a b", false),
        ("설문", false), ("a_b", false),
    ])
    func `a set's name has lower-case letters, digits and hyphens`(name: String, isName: Bool) {
        #expect(QuestionSet.isName(name) == isName)
    }

    @Test func `a set's name has at most forty characters`() {
        #expect(QuestionSet.isName(String(repeating: "a", count: 40)))
        #expect(!QuestionSet.isName(String(repeating: "a", count: 41)))
    }

    @Test func `a new set is anonymous, is not shared, and opens with the feedback window`() {
        let set = QuestionSet()
        #expect(set.anonymous && !set.shared && set.openByHand == nil && set.name == "feedback")
    }
}
