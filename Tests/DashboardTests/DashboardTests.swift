import Client
import Meetings
import Phrases
import Terminal
import Testing
import Wire

@testable import Dashboard

/// Checks how events and keys change a dashboard.
struct DashboardTests {
    private let scene = Scene.usual()

    private func person(_ index: Int, _ status: RecordedStatus) -> AttendeeBody {
        var person = scene.people[index]
        person.status = status
        return AttendeeBody(forMembers: person, identifyBy: .email, sessionIsOver: false)
    }

    @Test func `a new arrival is counted, named and listed among the attendees`() {
        var dashboard = scene.dashboard(80, 24)
        var now = scene
        now.arrive("Zoe Young", minute: 4)
        let attendance = now.body.attendance
        _ = dashboard.take(
            scene.frame(21) {
                $0.attendance = attendance
                $0.arrivals = [now.attendees()[12]]
            })
        #expect(dashboard.text().contains("13 of 30 checked in"))
        #expect(dashboard.session?.newest.first?.name == "Zoe Young")
        #expect(dashboard.session?.people.matches.last?.name == "Zoe Young")
        #expect(dashboard.session?.people.count == 13)
    }

    @Test func `the host marks an attendee as late and undoes the mark`() {
        var dashboard = scene.dashboard(80, 24)
        #expect(dashboard.press("l").isEmpty, "nobody is marked where nobody is chosen")
        dashboard.press("/byron")
        dashboard.press(.enter)
        let id = scene.people[6].id
        // The action carries the version on the screen, so that the mark overwrites only that version.
        let shown = dashboard.session?.people[id]?.version ?? 0
        #expect(dashboard.press("l") == [.mark(scene.body.id, id, .late, version: shown, after: 20)])
        #expect(dashboard.press("e").isEmpty, "one at a time")
        _ = dashboard.take(.marked(scene.body.id, person(6, .late), sequence: 23))
        #expect(dashboard.text().contains("Ada Byron: late. Press u to undo."))
        #expect(dashboard.session?.people[id]?.status == .late)
        #expect(dashboard.press("l").isEmpty, "who is late already")
        #expect(dashboard.press("u") == [.undo(scene.body.id, 23, id)])
        _ = dashboard.take(.undone(scene.body.id, 23, person(6, .present)))
        #expect(dashboard.text(.korean).contains("Ada Byron: 다시 출석"))
        #expect(dashboard.press("u").isEmpty)
        #expect(dashboard.text().contains("Nothing to undo"))
    }

    @Test func `after a failed mark, the dashboard shows the reason and accepts another mark`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("2")
        dashboard.press(.down)
        #expect(dashboard.press("a").count == 1)
        _ = dashboard.take(.failed("It was changed meanwhile."))
        #expect(dashboard.text().contains("It was changed meanwhile."))
        #expect(dashboard.press("a").count == 1)
    }

    @Test func `a host moderates what the audience has written by one key, and undoes it`() {
        var scene = scene
        scene.listen(.english)
        var dashboard = scene.dashboard(120, 40)
        dashboard.press("4")
        #expect(dashboard.press("s").isEmpty, "nothing is chosen")
        // Pending questions are first.
        dashboard.press(.down)
        let id = scene.asked[1].id
        #expect(dashboard.session?.voice == .question(id))
        guard case .moderate(_, let shown, after: 20) = dashboard.press("s").first else {
            Issue.record("no action")
            return
        }
        #expect(shown.change == .question(id, QuestionChange(status: .visible), version: 1))
        #expect(dashboard.press("h").isEmpty, "one at a time")
        _ = dashboard.take(.moderated(scene.body.id, shown, sequence: 24))
        #expect(dashboard.text().contains("Shown (u to undo): When do we meet next"))
        #expect(dashboard.press("u") == [.undo(scene.body.id, 24, nil)])
        _ = dashboard.take(.undone(scene.body.id, 24, nil))
        guard case .moderate(_, let pinned, after: _) = dashboard.press("p").first else {
            Issue.record("no action")
            return
        }
        #expect(pinned.change == .question(id, QuestionChange(pinned: true), version: 1))
        _ = dashboard.take(.failed("It was changed meanwhile."))
        // The texts of answers are below the questions. They cannot be pinned or answered.
        dashboard.press(.end)
        let (question, _, _) = scene.questions[2]
        #expect(dashboard.session?.voice == .text(question.id, "text-5"))
        #expect(dashboard.press("p").isEmpty && dashboard.press("a").isEmpty && dashboard.press("h").isEmpty)
        guard case .moderate(_, let text, after: _) = dashboard.press("s").first else {
            Issue.record("no action")
            return
        }
        #expect(text.change == .text(question.id, "text-5", .visible))
    }

    @Test func `a hidden text leaves its place at once, and new ones that wait come first`() throws {
        var scene = scene
        scene.listen(.english)
        var dashboard = scene.dashboard(120, 40)
        dashboard.press("4")
        let question = scene.questions[2].0.id
        let at = Scene.startsAt
        _ = dashboard.take(
            scene.frame(21) {
                $0.moderated = [
                    ModeratedTextsFrame(
                        set: QuestionSet.feedback, questionId: question, moderation: .after, complete: false,
                        items: [
                            TextAnswerBody(
                                text: "Brand new", at: at + .seconds(9), id: "new", status: .pending),
                            TextAnswerBody(text: "Was shown", at: at, id: "text-0", status: .hidden),
                        ], removed: ["text-2"])
                ]
            })
        let order = dashboard.session?.voices.sortedTexts(of: question).compactMap(\.id)
        #expect(order == ["new", "text-1", "text-4", "text-3", "text-0", "text-5"])
        #expect(dashboard.text().contains("Brand new"))
    }

    @Test func `a host asks a poll from the dashboard, closes it and shares its results`() throws {
        var dashboard = scene.dashboard(120, 40)
        dashboard.press("o")
        #expect(dashboard.press(.enter).isEmpty)
        dashboard.press(.up)
        dashboard.press("Brealk")
        dashboard.press(.backspace)
        dashboard.press(.backspace)
        dashboard.press("k?")
        dashboard.press(.enter)
        dashboard.press("Yes")
        dashboard.press(.enter)
        #expect(dashboard.press(.enter).isEmpty, "one choice is none")
        #expect(dashboard.text().contains("two choices or more"))
        dashboard.press("No")
        dashboard.press(.enter)
        #expect(
            dashboard.press(.enter) == [.ask(scene.body.id, question: "Break?", choices: ["Yes", "No"])])
        _ = dashboard.take(.asked(scene.body.id, set: "poll-1"))
        #expect(dashboard.poll == nil && dashboard.pane == .questions)
        let poll = Question(
            id: QuestionID(high: 2, low: 9), title: LocalizedText("Break?"), kind: .yesNo)
        let set = QuestionSet(name: "poll-1", questions: [poll], openByHand: true, version: 3)
        _ = dashboard.take(
            scene.frame(21) { $0.sets = [QuestionSetSummary(set, open: true, anonymityFixed: true)] })
        _ = dashboard.take(
            scene.frame(21) {
                $0.tally = TallyBody(poll, in: set, count: TallyCount(for: poll), latest: [])
            })
        #expect(dashboard.session?.question == 3)
        let closed = SetSwitch(set: "poll-1", heading: "Break?", change: .open(false))
        #expect(dashboard.press("x") == [.change(scene.body.id, closed, version: 3)])
        _ = dashboard.take(.changedSet(scene.body.id, closed))
        #expect(dashboard.text().contains("Closed: Break?"))
        let shared = SetSwitch(set: "poll-1", heading: "Break?", change: .shared(true))
        #expect(dashboard.press("r") == [.change(scene.body.id, shared, version: 3)])
    }

    @Test func `letters go to the search while the host types it, and are commands afterwards`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("/qu?")
        #expect(dashboard.session?.people.query == "qu?")
        dashboard.press(.backspace)
        #expect(dashboard.session?.people.query == "qu")
        dashboard.press(.escape)
        #expect(dashboard.session?.people.query == "")
        #expect(dashboard.press("q") == [.quit])
    }

    @Test func `a search stays correct when attendees arrive, change and are removed`() {
        var people = People()
        people.beginReading()
        people.read(scene.attendees(), isLast: true)
        people.look(for: "JUN", filter: nil)
        let names = people.matches.map(\.name)
        #expect(names.contains("Lee Jun") && !names.contains("Omar Haddad"))
        people.remove(scene.people[1].id)
        #expect(!people.matches.map(\.name).contains("Lee Jun"))
        people.put(scene.attendees()[1])
        #expect(people.matches.map(\.name) == names)
        people.look(for: "", filter: .excused)
        #expect(people.matches.isEmpty)
        people.put(person(3, .excused))
        #expect(people.matches.map(\.id) == [scene.people[3].id])
    }

    @Test func `updates from the room override the pages of a list that is being read`() {
        var people = People()
        people.beginReading()
        people.put(person(0, .excused))
        people.remove(scene.people[1].id)
        people.read(scene.attendees(), isLast: true)
        #expect(people[scene.people[0].id]?.status == .excused)
        #expect(people[scene.people[1].id] == nil)
        // An attendee that is missing from all pages is removed.
        people.beginReading()
        people.read(Array(scene.attendees().prefix(5)), isLast: true)
        #expect(people.count == 5)
    }

    @Test func `the list is read again after a snapshot, omitted arrivals, or the end of the session`() {
        var dashboard = scene.dashboard(80, 24)
        let id = scene.body.id
        let snapshot = RoomFrame.Snapshot(session: scene.body, tallies: [], arrivals: [], code: nil)
        #expect(
            dashboard.take(scene.update(.snapshot(snapshot, room: "r", sequence: 30))) == [.readPeople(id)])
        #expect(dashboard.take(scene.frame(31) { $0.arrivalsOmitted = 4 }) == [.readPeople(id)])
        let (attendance, body) = (scene.body.attendance, scene.body)
        #expect(dashboard.take(scene.frame(32) { $0.attendance = attendance }).isEmpty)
        #expect(dashboard.take(scene.frame(32) { $0.session = body }).isEmpty)
        var over = scene
        over.now = Scene.startsAt + .minutes(121)
        let ended = over.body
        #expect(dashboard.take(scene.frame(32) { $0.session = ended }) == [.readPeople(id)])
    }

    @Test func `a new code replaces the code on the screen`() {
        var dashboard = scene.dashboard(80, 24)
        let before = dashboard.text()
        _ = dashboard.take(
            scene.frame(20) {
                $0.code = CodeBody(
                    url: Scene.url.replacing("R0S4", with: "R0S5"), joinCode: "WWWW22", expiresInMs: 10_000)
            })
        #expect(dashboard.session?.joinCode == "WWWW22")
        #expect(dashboard.text() != before)
    }

    @Test func `the keys go through the questions and the panes, and start again after the last`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("n")
        #expect(dashboard.text().contains("Question 2 of 3"))
        dashboard.press("bb")
        #expect(dashboard.text().contains("Question 3 of 3"))
        for pane in [Dashboard.Pane.attendees, .questions, .audience, .overview] {
            dashboard.press(.tab)
            #expect(dashboard.pane == pane)
        }
    }

    @Test func `the answers to a number question are drawn as a histogram`() {
        var scene = scene
        let years = Question(
            id: QuestionID(high: 2, low: 9), title: LocalizedText("How many years?"),
            kind: .number(min: 0, max: 120, decimals: 0))
        var count = TallyCount(for: years)
        for answer in [1, 1, 2, 3, 8] { count.add(.number(Double(answer)), to: years) }
        scene.questions = [(years, count, [])]
        let text = scene.dashboard(120, 40).text()
        #expect(text.contains("How many years?") && text.contains("5 answers · average 3"))
        #expect(text.split(separator: "\n").contains { $0.contains(" 1 2  40% ███") }, "\(text)")
    }

    @Test func `a question's title and choices are shown in the host's language`() {
        var scene = scene
        let pace = Question(
            id: QuestionID(high: 2, low: 9),
            title: LocalizedText(["en": "How is the pace?", "ko": "속도가 어떤가요?"]),
            kind: .multipleChoice(
                choices: [.init(id: "good", label: LocalizedText(["en": "Just right", "ko": "적당해요"]))],
                minSelections: 1, maxSelections: 1))
        var count = TallyCount(for: pace)
        for _ in 1...9 { count.add(.choices(["good"]), to: pace) }
        scene.questions = [(pace, count, [])]
        let (english, korean) = (scene.dashboard(120, 40).text(), scene.dashboard(120, 40).text(.korean))
        #expect(english.contains("How is the pace?") && english.contains("Just right 9"))
        #expect(korean.contains("속도가 어떤가요?") && korean.contains("적당해요 9"))
    }

    @Test func `a mouse press on a tab or on the code opens it`() throws {
        var dashboard = scene.dashboard(80, 24)
        let layout = DashboardLayout(dashboard, Look(.english))
        let tabs = layout.grid.text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(tabs.firstIndex { $0.contains("1 Overview   2   3   4") })
        #expect(layout.target(column: 16, row: row) == .pane(.attendees))
        #expect(layout.target(column: 60, row: 5) == .code)
        _ = dashboard.take(.pressed(.pane(.attendees)))
        #expect(dashboard.pane == .attendees)
        _ = dashboard.take(.pressed(.code))
        #expect(dashboard.cover == .code)
    }

    @Test func `a mouse press closes the code or the help, and the mouse does nothing behind them`() {
        var dashboard = scene.dashboard(80, 24)
        for key in ["c", "?"] {
            dashboard.press(key)
            #expect(dashboard.cover != nil)
            _ = dashboard.take(.screen(.scrolled(up: false, column: 3, row: 20)))
            #expect(dashboard.session?.question == 0)
            #expect(DashboardLayout(dashboard, Look(.english)).target(column: 60, row: 5) == nil)
            _ = dashboard.take(.screen(.pressed(column: 60, row: 5)))
            #expect(dashboard.cover == nil)
        }
    }

    @Test(arguments: [Language.english, .korean]) func `the head of a question never cuts its average`(
        language: Language
    ) {
        var scene = scene
        for columns in [40, 60, 80, 100, 120] {
            for count in [1, 12] {
                scene.questions = Array(repeating: Scene.usual().questions[0], count: count)
                for pane in ["1", "3"] {
                    var dashboard = scene.dashboard(columns, 24)
                    dashboard.press(pane + "b")
                    let text = dashboard.text(language)
                    let average = language == .korean ? "평균 4.11" : "average 4.11"
                    #expect(
                        text.contains(average) || !text.contains("9 answers") && !text.contains("답변 9개"),
                        "\(text)")
                }
            }
        }
    }

    @Test func `the dashboard is drawn at every size, even with no columns or rows`() {
        for columns in [0, 1, 5, 39, 40, 41, 60, 74, 75, 76, 77, 80, 113, 120, 300] {
            for rows in [0, 1, 2, 11, 12, 13, 18, 19, 20, 24, 26, 40, 100] {
                for keys in ["", "2", "3", "c", "?"] {
                    var dashboard = scene.dashboard(columns, rows)
                    dashboard.press(keys)
                    #expect(
                        DashboardLayout(dashboard, Look(.korean)).grid.size
                            == Size(columns: columns, rows: rows))
                }
            }
        }
    }

    @Test func `names with control characters cannot move the cursor`() {
        var wild = scene
        wild.name = "a\u{1B}[2J\u{202E}b"
        wild.arrive("x\u{9B}31my\u{7}", minute: 5)
        #expect(
            !wild.dashboard(80, 24).text().unicodeScalars.contains {
                $0.properties.generalCategory == .control && $0 != "\n"
            })
    }

    @Test func `a deleted session leads to the list of sessions, or ends a program without that list`() {
        var alone = scene.dashboard(80, 24)
        let gone = RoomUpdate.ended(.closed(code: CloseCode.roomGone.rawValue, reason: ""))
        #expect(
            alone.take(scene.update(gone)) == [.fail(.closed(code: CloseCode.roomGone.rawValue, reason: ""))])
        var dashboard = scene.dashboard(80, 24)
        dashboard.home = HomeState()
        #expect(dashboard.take(scene.update(gone)) == [.unwatch])
        #expect(dashboard.session == nil)
    }

    @Test(arguments: [
        (0, "0:00"), (999, "0:01"), (1000, "0:01"), (59_999, "1:00"), (3_599_000, "59:59"),
        (3_600_000, "1:00:00"),
        (90_000_000, "1 d 1:00"),
    ])
    func `a countdown rounds up to whole seconds`(milliseconds: Int, text: String) {
        #expect(TimesPanel.length(.milliseconds(milliseconds), Look(.english)) == text)
    }
}
