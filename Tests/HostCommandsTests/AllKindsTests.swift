import Foundation
import Meetings
import Phrases
import Testing
import Wire

@testable import HostCommands

/// Names each place that lacks a kind of question and that the compiler cannot see. The tables of Swift are
/// exhaustive switches.
struct AllKindsTests {
    private typealias Name = Question.KindName

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path()
    private static let all = Set(Name.allCases.map(\.rawValue))

    /// A question of this kind.
    private static func question(_ name: Name) -> Question {
        let kind: Question.Kind =
            switch name {
            case .multipleChoice:
                .multipleChoice(
                    choices: [.init(id: "a", label: "A"), .init(id: "b", label: "B")], minSelections: 1,
                    maxSelections: 1)
            case .shortAnswer: .shortAnswer(maxLength: 40)
            case .rating: .rating(scale: 5)
            case .number: .number(min: 0, max: 9, decimals: 1)
            case .wordCloud: .wordCloud(most: 2)
            case .scale: .scale(points: 4, labels: [1: "low"])
            case .yesNo: .yesNo
            case .date: .date(earliest: CivilDate("2026-01-01"), latest: nil)
            case .ranking: .ranking(choices: ["a", "b", "c"].map { .init(id: $0, label: $0) }, most: 2)
            }
        return Question(id: .makeTimeless(), title: "Q", required: true, kind: kind)
    }

    /// Returns the keys of the object `name` in a script, each with the names of its fields.
    private func table(_ name: String, in file: String) throws -> [String: Set<String>] {
        let script = try String(contentsOfFile: "\(Self.root)/Public/\(file)", encoding: .utf8)
        let start = try #require(script.range(of: "export const \(name) = {\n"))
        let body = script[start.upperBound...]
        let table = body[..<(try #require(body.range(of: "\n};")).lowerBound)]
        var found: [String: Set<String>] = [:]
        var key = ""
        for line in table.split(separator: "\n") {
            if let match = line.wholeMatch(of: #/  (\w+): \{/#) {
                key = String(match.1)
                found[key] = []
            } else if let match = line.prefixMatch(of: #/    (\w+)(:|,)/#) {
                found[key]?.insert(String(match.1))
            }
        }
        return found
    }

    @Test(arguments: ["kinds.js", "host/question-kinds.js"])
    func `each table of the scripts has all kinds, and each kind has all fields`(file: String) throws {
        let kinds = try table("kinds", in: file)
        #expect(Self.all.subtracting(kinds.keys).sorted() == [], "kinds that \(file) lacks")
        #expect(Set(kinds.keys).subtracting(Self.all).sorted() == [], "kinds that \(file) alone has")
        let fields = kinds.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        #expect(fields.count > 4)
        for (kind, own) in kinds {
            #expect(fields.subtracting(own).sorted() == [], "fields that \(kind) lacks in \(file)")
        }
    }

    @Test func `the host's page has a name for each kind`() {
        #expect(Name.allCases.filter { Phrase.Host.all["add_\($0)"] == nil } == [])
    }

    @Test(arguments: Question.KindName.allCases)
    func `a question of each kind is the same after it was stored and read`(name: Question.KindName) throws {
        let question = Self.question(name)
        #expect(question.kindName == name)
        let stored = try JSONEncoder().encode(question)
        #expect(try JSONDecoder().decode(Question.self, from: stored) == question)
    }

    @Test(arguments: Question.KindName.allCases)
    func `the description of the API has the fields of each kind`(name: Question.KindName) throws {
        let stored = try JSONEncoder().encode(Self.question(name))
        let written = try #require(JSONSerialization.jsonObject(with: stored) as? [String: Any])
        guard case .any(let schemas) = Schema.question else {
            Issue.record("The schema of a question has no kinds.")
            return
        }
        let own = schemas.compactMap { schema -> [Schema.Field]? in
            guard case .object(let fields) = schema,
                fields.contains(where: { $0.name == "kind" && $0.schema == .oneOf([name.rawValue]) })
            else { return nil }
            return fields
        }
        #expect(own.count == 1)
        let fields = try #require(own.first)
        #expect(Set(written.keys).subtracting(fields.map(\.name)).sorted() == [])
        #expect(fields.filter { $0.isRequired && written[$0.name] == nil }.map(\.name) == [])
    }

    @Test(arguments: Question.KindName.allCases)
    func `a simulated answer to each kind is valid, counted and readable`(name: Question.KindName) throws {
        let question = Self.question(name)
        let set = QuestionSet(questions: [question])
        for seed in 1...20 {
            let drawn = SimulatedAnswers(questions: [question], language: .english).answers(
                seed: UInt64(seed))
            let answer = try #require(try set.checked(drawn)[question.id])
            #expect(answer.fits(question))
            for place in [AnswerPlace.page, .cell] {
                let parts = question.parts(of: answer, in: .english, place)
                #expect(!parts.isEmpty && parts.allSatisfy { !$0.isEmpty })
            }
            var count = TallyCount(for: question)
            count.add(answer, to: question)
            #expect(count.answers == 1)
            count.remove(answer, from: question)
            #expect(count == TallyCount(for: question))
        }
    }

    @Test(arguments: Question.KindName.allCases)
    func `the result of each kind has a row with a count, or texts`(name: Question.KindName) throws {
        let question = Self.question(name)
        // One answer to an anonymous set would be hidden.
        let set = QuestionSet(questions: [question], promise: .named)
        let drawn = SimulatedAnswers(questions: [question], language: .english).answers(seed: 3)
        let answer = try #require(try set.checked(drawn)[question.id])
        var count = TallyCount(for: question)
        count.add(answer, to: question)
        let words = count.takeWords().map { WordCount(word: $0.key, count: $0.value) }
        let tally = TallyBody(question, in: set, count: count, latest: [], words: words)
        #expect(tally.isTextAlone || tally.rows(in: .english).contains { $0.count == 1 })
        #expect(tally.percents?.count ?? 0 == tally.rows(in: .english).count)
    }
}
