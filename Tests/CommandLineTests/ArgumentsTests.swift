import Phrases
import Testing

@testable import CommandLine

struct ArgumentsTests {
    private static let word = Phrase("w")
    private let command = CommandDeclaration(
        "c", word, positionals: [.init("A", word), .init("B", word, required: false)],
        options: [
            .flag("on", word), .value("v", "V", word), .values("many", "V", word),
            .oneOf("kind", ["xx", "yyy"], word),
        ],
        run: { (_) async throws(CommandFailure) in .success })

    @Test func `an option is accepted at any position, with a space or an equals sign before its value`()
        throws
    {
        let arguments = try Arguments(
            ["--on", "a", "--v=1=2", "--many", "m", "b", "--many", "n"], for: command)
        #expect(arguments.positional("A") == "a" && arguments.positional("B") == "b")
        #expect(arguments.has("on") && arguments.value("v") == "1=2")
        #expect(arguments.values("many") == ["m", "n"])
    }

    @Test func `a session can be given as an argument or as an option, but not as both`() throws {
        let word = Self.word
        let undo = CommandDeclaration(
            "undo", word, positionals: [.init("SESSION", word), .init("NUMBER", word)],
            run: { (_) async throws(CommandFailure) in .success })
        for words in [["S", "57"], ["57", "--session", "S"], ["--session=S", "57"]] {
            let arguments = try Arguments(words, for: undo)
            #expect(arguments.positional("SESSION") == "S" && arguments.positional("NUMBER") == "57")
        }
        #expect(throws: UsageError.unexpected("57")) {
            try Arguments(["S", "57", "--session", "S"], for: undo)
        }
    }

    @Test func `two hyphens end the options, and a single hyphen is a value`() throws {
        let arguments = try Arguments(["--v", "-", "--", "--on"], for: command)
        #expect(arguments.value("v") == "-")
        #expect(arguments.positional("A") == "--on" && !arguments.has("on"))
    }

    @Test(
        arguments: [
            ([], .missing("A")), (["a", "b", "c"], .unexpected("c")), (["a", "--v"], .missingValue("--v V")),
            (["a", "--v", "--on"], .missingValue("--v V")), (["a", "--on=1"], .valueForFlag("--on")),
            (["a", "--v", "1", "--v", "2"], .repeated("--v")),
            (["a", "--onn"], .unknownOption("--onn", near: "--on")),
            (["a", "-v", "1"], .unknownOption("-v", near: "--v")),
            (["a", "--kind", "yy"], .notOneOf("--kind", "yy", ["xx", "yyy"], near: "yyy")),
        ] as [([String], UsageError)])
    func `each usage error names the wrong argument`(words: [String], error: UsageError) {
        #expect(throws: error) { try Arguments(words, for: command) }
    }

    @Test func `the help option is accepted without the required arguments`() throws {
        #expect(try Arguments(["-h"], for: command).has("help"))
    }

    @Test(
        arguments: [
            ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("ab", "ba", 1), ("same", "same", 0),
            ("모임", "모인", 1),
        ])
    func `the edit distance counts changed letters, and a swap of two letters counts as one`(
        left: String, right: String, distance: Int
    ) {
        #expect(Suggestion.distance(left, right) == distance)
    }

    @Test func `a word that is unlike every name gets no suggestion`() {
        #expect(Suggestion.nearest(to: "frobnicate", among: ["login", "watch"]) == nil)
        #expect(Suggestion.nearest(to: "simu", among: ["login", "simulate"]) == "simulate")
    }
}
