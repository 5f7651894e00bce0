import Foundation
import Meetings
import Testing

struct TallyCountTests {
    private let choice = Question(
        id: .makeTimeless(), title: "Which?",
        kind: .multipleChoice(
            choices: ["a", "b", "c"].map { .init(id: $0, label: $0) }, minSelections: 1, maxSelections: 3))
    private let stars = Question(id: .makeTimeless(), title: "How?", kind: .rating(scale: 5))
    private let text = Question(id: .makeTimeless(), title: "Why?", kind: .shortAnswer(maxLength: 500))

    private func count(_ answers: [Answer], to question: Question) -> TallyCount {
        var count = TallyCount(for: question)
        for answer in answers { count.add(answer, to: question) }
        return count
    }

    @Test func `each chosen choice is counted, and each answer once`() {
        let count = count([.choices(["a", "c"]), .choices(["c"]), .choices(["a", "b", "c"])], to: choice)
        #expect(count.counts == [2, 1, 3])
        #expect(count.answers == 3)
    }

    @Test func `stars are counted by their number and averaged`() {
        let count = count([4, 4, 5, 1, 5].map { .rating($0) }, to: stars)
        #expect(count.counts == [1, 0, 0, 2, 2])
        #expect(count.average == 3.8)
    }

    @Test func `text answers are counted, whatever their content`() {
        let count = count([.text("x"), .text("y")], to: text)
        #expect((count.answers, count.counts) == (2, []))
    }

    @Test func `without answers there is no average`() {
        #expect(TallyCount(for: stars).average == nil)
        #expect(TallyCount(for: stars).counts == [0, 0, 0, 0, 0])
    }

    @Test func `a removed answer leaves no trace`() {
        var count = count([.rating(2), .rating(5)], to: stars)
        count.remove(.rating(5), from: stars)
        #expect(count == self.count([.rating(2)], to: stars))
        count.remove(.rating(2), from: stars)
        #expect(count == TallyCount(for: stars))
    }

    @Test func `the sum of two tallies equals one tally of all answers`() {
        var first = count([.choices(["a"]), .choices(["b", "c"])], to: choice)
        first.add(count([.choices(["a", "c"])], to: choice))
        #expect(first == count([.choices(["a"]), .choices(["b", "c"]), .choices(["a", "c"])], to: choice))
    }

    @Test func `a count round-trips through JSON`() throws {
        let count = count([.rating(2), .rating(5)], to: stars)
        #expect(try JSONDecoder().decode(TallyCount.self, from: JSONEncoder().encode(count)) == count)
    }
}
