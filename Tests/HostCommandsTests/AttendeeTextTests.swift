import Client
import CommandLine
import Meetings
import Testing

@testable import HostCommands

struct AttendeeTextTests {
    @Test func `the text of a code, an address or a join code is recognised as such`() throws {
        #expect(CodeText("k7q x2m")?.key == .joinCode("K7QX2M"))
        #expect(CodeText("06GZN69KXM2E38YWVPES")?.key == .code("06GZN69KXM2E38YWVPES"))
        let address = try #require(CodeText("HTTP://192.168.1.5:8080/C/06GZN?x=1"))
        #expect(address.key == .code("06GZN"))
        #expect(address.server == ServerAddress("http://192.168.1.5:8080"))
        for wrong in ["", "http://a/", "http://a/C/", "http://a/M/06GZN", "a/b"] {
            #expect(CodeText(wrong) == nil)
        }
    }

    private static let choice = Question(
        id: .makeTimeless(), title: "q",
        kind: .multipleChoice(
            choices: ["a", "b", "c"].map { .init(id: $0, label: $0) }, minSelections: 1, maxSelections: 2))
    private static let rating = Question(
        id: .makeTimeless(), title: "q", required: true, kind: .rating(scale: 5))
    private static let text = Question(id: .makeTimeless(), title: "q", kind: .shortAnswer(maxLength: 5))

    @Test func `a typed answer is read according to the kind of its question`() {
        #expect(Self.choice.kind.inTerminal.read("a, C") == .choices(["a", "c"]))
        #expect(Self.choice.kind.inTerminal.read("2") == .choices(["b"]))
        for wrong in ["a b c", "d", "a a", ""] { #expect(Self.choice.kind.inTerminal.read(wrong) == nil) }
        #expect(Self.rating.kind.inTerminal.read("5") == .rating(5))
        for wrong in ["0", "6", "x", "1 2"] { #expect(Self.rating.kind.inTerminal.read(wrong) == nil) }
        #expect(Self.text.kind.inTerminal.read("fünf!") == .text("fünf!"))
        #expect(Self.text.kind.inTerminal.read("sechs!") == nil)
    }

    @Test func `a file of answers names each question by its number or its id`() throws {
        let questions = [Self.rating, Self.choice, Self.text]
        let bytes = Array(#"{"1": 4, "\#(Self.choice.id)": ["a"], "3": "ok"}"#.utf8)
        let answers = try Responding.read(bytes, "f", questions)
        #expect(
            answers == [
                Self.rating.id: .rating(4), Self.choice.id: .choices(["a"]), Self.text.id: .text("ok"),
            ])
        for wrong in ["[]", #"{"4": 1}"#, #"{"x": 1}"#, "no"] {
            #expect(throws: CommandFailure.self) { try Responding.read(Array(wrong.utf8), "f", questions) }
        }
    }

    @Test func `a file of questions may be a list or an object with the list`() throws {
        let one = #"{"kind": "rating", "title": "How?"}"#
        #expect(
            QuestionCommands.object(Array("\n [\(one)]".utf8)) == Array("{\"questions\":\n [\(one)]}".utf8))
        let whole = Array(" {\"questions\": [\(one)]}".utf8)
        #expect(QuestionCommands.object(whole) == whole)
    }
}
