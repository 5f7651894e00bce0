import Foundation
import Meetings
import Testing

@testable import Wire

/// Sample files of other programs. They are in a folder beside the checkout, or in the folder that
/// `QRING_FIXTURES` names.
private enum Fixtures {
    static let folder: String? = {
        let beside = URL(filePath: #filePath).appending(path: "../../../../../shared/fixtures")
            .standardizedFileURL.path
        return [ProcessInfo.processInfo.environment["QRING_FIXTURES"], beside].compactMap(\.self)
            .first { FileManager.default.fileExists(atPath: "\($0)/subvey/question_common.json") }
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: "\(folder ?? "")/\(name)")))
    }
}

@Suite(.enabled(if: Fixtures.folder != nil, "there are no fixtures here; QRING_FIXTURES names their folder"))
struct FixtureTests {
    @Test func `the reader reads the whole common form, and the writer writes the same form`() throws {
        let bytes = try Fixtures.bytes("subvey/question_common.json")
        let questions = try #require(try QuestionFile(bytes, language: "ko").content.questions)
        #expect(questions.map(\.name) == ["name", "email", "age", "like"])
        #expect(
            questions.map(\.rules.count) == [2, 2, 1, 0]
                && questions[2].eligibility == [Rule(.minMax(min: 19, max: nil))])
        #expect(questions[3].kind == .rating(scale: 7))
        let written = SubveyBody(QuestionSet(questions: questions), in: "ko", words: nil)
        // The written form has the same values as the file.
        #expect(try WireJSON.decode(SubveyBody.self, from: bytes) == written)
        #expect(
            try QuestionFile(WireJSON.bytes(written), language: "ko").content.questions(over: questions)
                == questions)
    }

    @Test func `the reader reads the whole second form, and the answer that leads to it`() throws {
        let bytes = try Fixtures.bytes("subvey/question_1.json")
        let questions = try #require(try QuestionFile(bytes, language: nil).content.questions)
        #expect(
            questions.map(\.name) == ["type", "pairing", "best"]
                && questions.prefix(2).allSatisfy { $0.other?.id == "extra" })
        #expect(
            try WireJSON.decode(SubveyBody.self, from: bytes)
                == SubveyBody(QuestionSet(questions: questions), in: "ko", words: nil))
        let answer = try Fixtures.bytes("subvey/answers_common.json")
        #expect(try QuestionFile(answer, language: nil).content.about.next == "1")
        #expect(
            try WireJSON.decode(SubveyAnswerBody.self, from: answer)
                == SubveyAnswerBody(FormOutcome(isSuccess: true, nextTypeId: "1")))
    }

    @Test func `the reader reads the whole questionnaire, and its copy in our format is equal`() throws {
        let content = try QuestionFile(
            try Fixtures.bytes("questionnaire/questionnaireA.json"), language: "en"
        ).content
        #expect(
            content.about.title == LocalizedText(["en": "NBA Questionnaire"])
                && content.about.description?.isEmpty == false)
        let questions = try #require(content.questions)
        #expect(
            questions.map(\.kindName) == [
                .multipleChoice, .number, .multipleChoice, .shortAnswer, .multipleChoice,
            ])
        guard case .multipleChoice(let teams, 1, 1) = questions[0].kind else {
            Issue.record("not one of several")
            return
        }
        #expect(teams.count == 30 && teams[29].label == LocalizedText(["en": "Washington Wizards"]))
        #expect(questions[3].placeholder == LocalizedText(["en": "player name"]))
        var set = QuestionSet(questions: questions)
        set.take(content.about)
        let again = try QuestionFile(WireJSON.bytes(QuestionFileBody(set)), language: nil).content
        #expect(again.questions == questions && again.about.description == set.description)
    }
}
