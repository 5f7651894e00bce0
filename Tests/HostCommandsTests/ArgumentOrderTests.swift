import CommandLine
import Testing

@testable import HostCommands

/// The order of the arguments: the session or meeting is first, everywhere.
struct ArgumentOrderTests {
    private static let commands = HostCommands.all

    /// - Parameter line: the words; `_` is a space within a word.
    private func parsed(_ line: String) throws -> Arguments {
        let words = line.split(separator: " ").map { String($0.replacing("_", with: " ")) }
        let found = Self.commands.filter { Array(words.prefix($0.path.count)) == $0.path }
        let command = try #require(found.max { $0.path.count < $1.path.count })
        return try Arguments(Array(words.dropFirst(command.path.count)), for: command)
    }

    @Test func `every command takes its session or meeting first`() {
        for command in Self.commands {
            let names = command.positionals.map(\.name)
            let places = names.indices.filter {
                ["SESSION", "MEETING", "FROM", "SESSION|MEETING"].contains(names[$0])
            }
            // A command with two sessions takes both before anything else.
            #expect(places == Array(0..<places.count), "\(command.name) \(names)")
        }
    }

    @Test func `no option stands for a session that another command takes as an argument`() {
        for command in Self.commands where command.options.contains(where: { $0.name == "session" }) {
            #expect(!command.positionals.contains { $0.name == "SESSION" }, "\(command.name)")
        }
    }

    @Test func `every command that changes a session says which one`() {
        /// The commands that only read a session, and those whose answer has the session's name.
        let others: Set = [
            "respond", "attendee list", "ask", "ask export", "ask send", "ask vote", "present", "qr",
            "session journal", "session review", "dashboard", "groups", "groups reports", "open", "copy",
            "moderate", "poll list", "question list", "question sets", "question export",
            "results", "attendee export", "session sheet", "session show", "events",
            "watch", "door", "rsvp", "rsvp list", "rsvp export", "offline-door list", "offline-door doubles",
        ]
        for command in Self.commands where command.positionals.contains(where: { $0.name == "SESSION" }) {
            #expect(command.changesSession == !others.contains(command.name), "\(command.name)")
        }
    }

    @Test func `an earlier order names positionals of the command, and the session at most last`() {
        for command in Self.commands where !command.earlierOrder.isEmpty {
            #expect(Set(command.earlierOrder).isSubset(of: command.positionals.map(\.name)))
            #expect(!command.earlierOrder.dropLast().contains("SESSION"))
        }
    }

    @Test(
        arguments: [
            ("attendee add @ Kim", "@", "NAME", "Kim", false),
            ("attendee add Kim", nil, "NAME", "Kim", true),
            ("attendee add Kim --session @", "@", "NAME", "Kim", false),
            ("attendee edit @ kim@example.org", "@", "ATTENDEE", "kim@example.org", false),
            ("attendee edit kim@example.org", nil, "ATTENDEE", "kim@example.org", true),
            ("attendee merge a b", nil, "INTO", "b", true), ("attendee merge @ a b", "@", "INTO", "b", false),
            ("attendee undo 57", nil, "NUMBER", "57", true),
            ("attendee undo @ 57", "@", "NUMBER", "57", false),
            ("session undo @ 57", "@", "NUMBER", "57", false),
            ("session undo 2027 57", "2027", "NUMBER", "57", false),
            ("ask send Group see_#12", "Group", "TEXT", "see #12", false),
            ("ask send Why?", nil, "TEXT", "Why?", false), ("ask send @ Why?", "@", "TEXT", "Why?", false),
            ("ask vote 7F3K Group#2", "Group#2", "QUESTION", "7F3K", true),
            ("ask vote Group#2 7F3K", "Group#2", "QUESTION", "7F3K", false),
            ("copy link", nil, "WHAT", "link", false), ("copy link @", "@", "WHAT", "link", true),
            ("copy @ link", "@", "WHAT", "link", false),
            ("open present", nil, "PAGE", "present", false), ("open @ form", "@", "PAGE", "form", false),
            ("poll open @ 2", "@", "POLL", "2", false),
        ] as [(String, String?, String, String, Bool)])
    func `the session is first, and the earlier order still works`(
        line: String, session: String?, name: String, value: String, isEarlier: Bool
    ) throws {
        let arguments = try parsed(line)
        #expect(arguments.positional("SESSION") == session)
        #expect(arguments.positional(name) == value)
        #expect(arguments.isInEarlierOrder == isEarlier)
    }

    @Test func `the earlier order comes with a note that shows the present one`() async {
        let ran = await run(["attendee", "remove", "Kim"])
        #expect(ran.err.contains("Write the session first: qring attendee remove SESSION ATTENDEE."))
        #expect(await !run(["attendee", "remove", "@", "Kim"]).err.contains("session first"))
    }

    @Test func `a session in the place of a name is refused with the right command`() async {
        for line in [["attendee", "add", "@"], ["attendee", "add", "Kim", "@"]] {
            let ran = await run(line)
            #expect(ran.code == 2)
            #expect(ran.err.contains("\"@\" names a session or a meeting, not a person."))
            #expect(ran.err.contains("  qring attendee add @ \(line.count == 4 ? "Kim" : "NAME")\n"))
        }
    }
}
