import Meetings
import Phrases
import Testing

@testable import HostCommands

struct SimulationPlanTests {
    private let plan = SimulationPlan(attendees: 200, over: .seconds(10), seed: 7, language: .english)

    @Test func `the same seed gives the same people at the same times`() {
        let again = SimulationPlan(attendees: 200, over: .seconds(10), seed: 7, language: .english)
        let other = SimulationPlan(attendees: 200, over: .seconds(10), seed: 8, language: .english)
        #expect(plan.people.map(\.email) == again.people.map(\.email))
        #expect(plan.people.map(\.arrivesAfter) == again.people.map(\.arrivesAfter))
        #expect(plan.people.map(\.email) != other.people.map(\.email))
    }

    @Test func `no simulated person is repeated, and all arrive in order within the given time`() {
        #expect(Set(plan.people.map(\.email)).count == 200)
        #expect(Set(plan.people.map(\.name)).count == 200)
        #expect(plan.people.allSatisfy { .zero <= $0.arrivesAfter && $0.arrivesAfter <= .seconds(10) })
        #expect(zip(plan.people, plan.people.dropFirst()).allSatisfy { $0.arrivesAfter <= $1.arrivesAfter })
    }

    @Test func `every simulated answer is valid for its question`() throws {
        let questions = [
            Question(id: .makeTimeless(), title: "r", required: true, kind: .rating(scale: 3)),
            Question(
                id: .makeTimeless(), title: "c",
                kind: .multipleChoice(
                    choices: ["a", "b", "c"].map { .init(id: $0, label: $0) }, minSelections: 2,
                    maxSelections: 3)),
            Question(id: .makeTimeless(), title: "t", kind: .shortAnswer(maxLength: 3)),
        ]
        let set = QuestionSet(questions: questions)
        for seed in 0..<200 {
            let answers = SimulatedAnswers(questions: questions, language: .korean).answers(
                seed: UInt64(seed))
            #expect(throws: Never.self) { try set.checked(answers) }
            #expect(
                SimulatedAnswers(questions: questions, language: .korean).answers(seed: UInt64(seed))
                    == answers)
        }
    }
}
