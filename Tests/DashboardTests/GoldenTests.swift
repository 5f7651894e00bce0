import Client
import Foundation
import Meetings
import Phrases
import Terminal
import Testing
import Wire

@testable import Dashboard

/// Compares screens with the approved files, byte for byte. The following command writes the files again.
/// Review their differences like any other change.
///
///     QRING_GOLDEN=write swift test --filter GoldenTests
struct GoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    static func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let file = Self.folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["QRING_GOLDEN"] == "write" {
            try Data(text.utf8).write(to: file)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        #expect(text == golden, "\(name) is now:\n\(text)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [(80, 24), (120, 40), (40, 12), (200, 50), (100, 30), (80, 16), (39, 24)])
    func `a session looks as approved on screens of seven sizes`(columns: Int, rows: Int) throws {
        try Self.check(Scene.usual().dashboard(columns, rows).text(), "session-\(columns)x\(rows)")
    }

    @Test(arguments: [(80, 24), (120, 40), (40, 12)]) func `a Korean session looks as approved`(
        columns: Int, rows: Int
    )
        throws
    {
        try Self.check(
            Scene.usual(korean: true).dashboard(columns, rows).text(.korean), "korean-\(columns)x\(rows)")
    }

    @Test func `a session without attendees looks as approved`() throws {
        var scene = Scene()
        scene.ask(.english)
        scene.responses = 0
        try Self.check(scene.dashboard(80, 24).text(), "nobody-80x24")
        scene.planned = 0
        try Self.check(scene.dashboard(120, 40).text(), "nobody-unplanned-120x40")
    }

    @Test(arguments: [(80, 24), (120, 40)]) func `a session with ten thousand attendees looks as approved`(
        columns: Int, rows: Int
    ) throws {
        var scene = Scene()
        scene.planned = 12_000
        for number in 0..<10_000 {
            scene.arrive(
                "Guest \(10_000 + number)", minute: -35 + number / 250,
                status: number > 9_500 ? .late : .present)
        }
        scene.ask(.english)
        var dashboard = scene.dashboard(columns, rows)
        try Self.check(dashboard.text(), "ten-thousand-\(columns)x\(rows)")
        dashboard.press("2")
        dashboard.press(.end)
        try Self.check(dashboard.text(), "ten-thousand-attendees-\(columns)x\(rows)")
    }

    @Test func `a session without questions looks as approved`() throws {
        var scene = Scene.usual()
        scene.questions = []
        scene.responses = 0
        try Self.check(scene.dashboard(80, 24).text(), "no-questions-80x24")
        try Self.check(scene.dashboard(120, 40).text(), "no-questions-120x40")
    }

    @Test func `a session with twelve questions looks as approved`() throws {
        var scene = Scene.usual()
        let (rating, count, _) = scene.questions[0]
        for number in 4...12 {
            let question = Question(
                id: QuestionID(high: 2, low: UInt64(number)), title: LocalizedText("Part \(number)?"),
                kind: rating.kind)
            scene.questions.append((question, count, []))
        }
        var dashboard = scene.dashboard(120, 40)
        try Self.check(dashboard.text(), "twelve-questions-120x40")
        dashboard.press("3")
        dashboard.press(.left)
        try Self.check(dashboard.text(), "twelve-questions-last-120x40")
        dashboard.size = Size(columns: 80, rows: 24)
        try Self.check(dashboard.text(), "twelve-questions-last-80x24")
    }

    @Test func `a lost connection looks as approved, and the screen shows when it is back`() throws {
        let scene = Scene.usual()
        var dashboard = scene.dashboard(80, 24)
        _ = dashboard.take(scene.update(.reconnecting(in: .seconds(7), because: .silent)))
        _ = dashboard.take(.tick(scene.now + .seconds(2)))
        try Self.check(dashboard.text(), "disconnected-80x24")
        _ = dashboard.take(scene.update(scene.joined(recovered: true)))
        #expect(dashboard.text().contains("● reconnected"))
        _ = dashboard.take(.tick(scene.now + .seconds(9)))
        #expect(dashboard.text().contains("● live"))
    }

    @Test func `a terminal without UTF-8 gets only ASCII`() throws {
        for (name, dashboard) in [
            ("ascii-80x24", Scene.usual().dashboard(80, 24)),
            ("ascii-korean-names-80x24", Scene.usual(korean: true).dashboard(80, 24)),
            ("ascii-160x50", Scene.usual().dashboard(160, 50)),
        ] {
            let text = dashboard.text(.korean, utf8: false)
            #expect(text.utf8.allSatisfy { $0 < 128 })
            try Self.check(text, name)
        }
    }

    @Test func `without colours, the code is drawn in light ink, and no text depends on a colour`()
        throws
    {
        try Self.check(Scene.usual().dashboard(80, 24).text(colour: false), "no-colour-80x24")
    }

    @Test func `the colours of a session are as approved`() throws {
        let grid = DashboardLayout(Scene.usual().dashboard(80, 24), .inSeoul(.english)).grid
        try Self.check(grid.styleMap, "colours-80x24")
    }

    @Test func `a search of the attendees looks as approved`() throws {
        var dashboard = Scene.usual().dashboard(80, 24)
        dashboard.press("/o")
        try Self.check(dashboard.text(), "search-80x24")
        dashboard.press(.enter)
        dashboard.press(.down)
        try Self.check(dashboard.text(), "chosen-80x24")
        dashboard.size = Size(columns: 160, rows: 45)
        try Self.check(dashboard.text(), "chosen-160x45")
    }

    @Test func `the code and the help look as approved`() throws {
        var dashboard = Scene.usual().dashboard(80, 24)
        dashboard.press("c")
        try Self.check(dashboard.text(), "code-80x24")
        dashboard.size = Size(columns: 120, rows: 40)
        try Self.check(dashboard.text(), "code-120x40")
        dashboard.size = Size(columns: 40, rows: 12)
        try Self.check(dashboard.text(), "code-40x12")
    }

    /// The sizes of screens: a small pane of tmux, the usual terminal, a laptop, a desktop, a wall.
    private static let sizes = [(40, 12), (80, 24), (100, 30), (120, 40), (200, 60)]

    @Test(arguments: sizes) func `the views for running an evening look as approved at five sizes`(
        columns: Int, rows: Int
    ) throws {
        for language in rows == 24 ? [Language.english, .korean] : [.english] {
            var scene = Scene.usual(korean: language == .korean)
            scene.listen(language)
            var base = scene.dashboard(columns, rows)
            base.language = language
            _ = base.take(.journal(scene.body.id, scene.events, upTo: 20))
            for (name, keys) in [
                ("overview", ""), ("journal", "5"), ("help", "2?"),
                ("palette", language == .korean ? ":연" : ":en"), ("walk-in", "wZoe"),
                ("correct", "2*m"), ("end", "t+15m"), ("selected", "2s  "),
            ] {
                var dashboard = base
                dashboard.press(keys)
                try Self.check(
                    dashboard.text(language), "evening-\(name)-\(language.rawValue)-\(columns)x\(rows)")
            }
            var latest = scene
            latest.round = 9
            var person = latest.dashboard(columns, rows)
            person.language = language
            person.press("2")
            person.press(.home)
            person.press(.enter)
            // In the session four weeks ago, the person was neither expected nor there.
            let past: [RecordedStatus?] = [.present, .late, .absent, nil, .present]
            let rounds = past.enumerated().map { index, status -> SessionState.PersonDetails.Round in
                var record = scene.people[0]
                record.status = status ?? .pending
                if status == .absent { record.checkedInAt = nil }
                let body = AttendeeBody(forMembers: record, identifyBy: .email, sessionIsOver: true)
                return .init(
                    session: latest.body(daysBefore: 7 * (index + 1)), attendee: status == nil ? nil : body)
            }
            let id = try #require(person.session?.selected)
            _ = person.take(.totals(id, SeriesTotals(present: 5, late: 2, absent: 1, excused: 0)))
            _ = person.take(.rounds(id, rounds, isLast: true))
            try Self.check(person.text(language), "evening-person-\(language.rawValue)-\(columns)x\(rows)")
            var texts = base
            texts.press(.enter)
            let answers = scene.moderated?.first?.items ?? []
            _ = texts.take(.texts(scene.questions[2].0.id, answers, isLast: true))
            try Self.check(texts.text(language), "evening-texts-\(language.rawValue)-\(columns)x\(rows)")
        }
    }

    @Test(arguments: sizes) func `the colours of the evening are as approved`(columns: Int, rows: Int) throws
    {
        var scene = Scene.usual()
        scene.listen(.english)
        var dashboard = scene.dashboard(columns, rows)
        _ = dashboard.take(.journal(scene.body.id, scene.events, upTo: 20))
        dashboard.press(":la")
        let grid = DashboardLayout(dashboard, .inSeoul(.english)).grid
        try Self.check(grid.styleMap, "evening-colours-\(columns)x\(rows)")
    }

    @Test(arguments: [(80, 24), (120, 40), (40, 12)])
    func `what the audience has written looks as approved`(columns: Int, rows: Int) throws {
        for language in [Language.english, .korean] {
            var scene = Scene.usual(korean: language == .korean)
            scene.listen(language)
            var dashboard = scene.dashboard(columns, rows)
            dashboard.press("4")
            dashboard.press(.down)
            try Self.check(dashboard.text(language), "audience-\(language.rawValue)-\(columns)x\(rows)")
        }
    }

    @Test(arguments: [(80, 24), (120, 40), (40, 12)])
    func `the list of polls looks as approved`(columns: Int, rows: Int) throws {
        for language in [Language.english, .korean] {
            var scene = Scene.usual(korean: language == .korean)
            scene.poll(language)
            var dashboard = scene.dashboard(columns, rows)
            dashboard.language = language
            dashboard.press("3bb")
            try Self.check(dashboard.text(language), "polls-\(language.rawValue)-\(columns)x\(rows)")
            dashboard.press("r")
            try Self.check(dashboard.text(language), "polls-asked-\(language.rawValue)-\(columns)x\(rows)")
        }
    }

    @Test func `the form of a poll looks as approved`() throws {
        var dashboard = Scene.usual().dashboard(80, 24)
        dashboard.press("o")
        dashboard.press("Shall we take a break?")
        dashboard.press(.enter)
        dashboard.press("Yes")
        dashboard.press(.enter)
        try Self.check(dashboard.text(), "poll-form-80x24")
        dashboard.size = Size(columns: 40, rows: 12)
        try Self.check(dashboard.text(.korean), "poll-form-korean-40x12")
    }

    @Test(arguments: [(80, 24), (40, 12)])
    func `the output and the question of a command look as approved`(columns: Int, rows: Int) throws {
        for language in [Language.english, .korean] {
            var dashboard = Scene.usual(korean: language == .korean).dashboard(columns, rows)
            let id = dashboard.runs("session delete @")
            let output = (1...30).map { "line \($0)\n" }.joined()
            dashboard.take(.printed(output, isCut: false), of: id)
            dashboard.take(.asked("Delete the session? [y/N] ", isHidden: false), of: id)
            dashboard.press("ye")
            try Self.check(dashboard.text(language), "command-asks-\(language.rawValue)-\(columns)x\(rows)")
            dashboard.take(.ended(code: 5), of: id)
            try Self.check(dashboard.text(language), "command-ended-\(language.rawValue)-\(columns)x\(rows)")
        }
    }

    @Test func `a session before check-in and a session after its end look as approved`() throws {
        var scene = Scene.usual()
        scene.now = Scene.startsAt - .hours(51)
        try Self.check(scene.dashboard(80, 24).text(), "upcoming-80x24")
        scene.now = Scene.startsAt + .minutes(145)
        try Self.check(scene.dashboard(80, 24).text(), "ended-80x24")
    }
}
