import Foundation
import Meetings
import Phrases
import RecordText
import Testing
import Wire

/// Compares `TallyRows` with the cases of a fixture. The pages' row builder must pass the same cases.
struct TallyRowsTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let language: Language
        let tally: TallyBody
        let pending: Int
        let shown: Shown

        var testDescription: String { "\(name), \(language.rawValue)" }
    }

    struct Shown: Decodable, Equatable, Sendable {
        struct Row: Decodable, Equatable, Sendable {
            let title: String
            let count: Int
            let share: Double
            let percent: String?
            let points: String?
        }

        struct Summary: Decodable, Equatable, Sendable {
            var answers: Int?
            var hiddenBelow: Int?
            var mostPoints: Int?
            var average, median, deviation, mode, lowest, highest, lowerQuartile, upperQuartile: String?
            var pending: Int?
        }

        let title: String
        let rows: [Row]
        let texts: [String]
        let summary: Summary

        init(_ rows: TallyRows) {
            title = rows.title
            self.rows = rows.rows.map {
                Row(
                    title: $0.title, count: $0.count, share: $0.share,
                    percent: $0.points == nil ? $0.percent : nil, points: $0.points)
            }
            texts = rows.texts
            let built = rows.summary
            summary = Summary(
                answers: built.answers, hiddenBelow: built.hiddenBelow, mostPoints: built.mostPoints,
                average: built.average,
                median: built.median, deviation: built.deviation, mode: built.mode, lowest: built.lowest,
                highest: built.highest,
                lowerQuartile: built.lowerQuartile, upperQuartile: built.upperQuartile,
                pending: built.pending == 0 ? nil : built.pending)
        }
    }

    static let cases: [Case] = {
        struct File: Decodable { let cases: [Case] }
        let path = URL(filePath: #filePath).appending(path: "../../Fixtures/tally-rows.json").standardized
        guard let data = try? Data(contentsOf: path),
            let file = try? WireJSON.decode(File.self, from: Array(data))
        else { return [] }
        return file.cases
    }()

    @Test func `the fixture has cases of every kind of question, in the languages of hosts and with a comma`()
    {
        #expect(Set(Self.cases.map(\.tally.kind)) == Set(Question.KindName.allCases))
        #expect(Set(Self.cases.map(\.language)) == Set(Language.forHosts + [.german, .spanish, .french]))
    }

    @Test(arguments: cases) func `a tally gives the rows, texts and summary of the fixture`(example: Case) {
        let rows = TallyRows(example.tally, pending: example.pending, in: example.language)
        #expect(Shown(rows) == example.shown)
    }
}
