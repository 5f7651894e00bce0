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

    @Test func `more people than planned are counted as such, and the planned number is 100 percent`() {
        var scene = scene
        scene.planned = 12
        #expect(scene.dashboard(120, 40).text().contains("100%"))
        scene.planned = 10
        #expect(scene.dashboard(120, 40).text().contains("2 over plan"))
        #expect(scene.dashboard(120, 40).text(.korean).contains("예정보다 2명 많음"))
    }

    @Test func `the host marks an attendee as late and undoes the mark`() {
        var dashboard = scene.dashboard(80, 24)
        #expect(dashboard.press("l").isEmpty, "nobody is marked where nobody is chosen")
        dashboard.press("/byron")
        dashboard.press(.enter)
        let id = scene.people[6].id
        // The action carries the version on the screen, so that the mark overwrites only that version.
        let shown = dashboard.session?.people[id]?.version ?? 0
        let late = correction([id: shown], .late, "Ada Byron")
        #expect(dashboard.press("l") == [.correct(scene.body.id, late, after: 20)])
        #expect(dashboard.press("e").isEmpty, "one at a time")
        _ = dashboard.take(.corrected(scene.body.id, late, [person(6, .late)], sequences: [23]))
        #expect(dashboard.text().contains("Ada Byron: late. Press u to undo."))
        #expect(dashboard.session?.people[id]?.status == .late)
        #expect(dashboard.press("l").isEmpty, "who is late already")
        let made = SessionState.Mark(attendees: [id], name: "Ada Byron", sequences: [23])
        #expect(dashboard.press("u") == [.revert(scene.body.id, made, redoes: false)])
        _ = dashboard.take(
            .reverted(scene.body.id, made, redoes: false, made: [24], [person(6, .present)]))
        #expect(dashboard.text(.korean).contains("Ada Byron: 다시 출석"))
        #expect(dashboard.press("u").isEmpty)
        #expect(dashboard.text().contains("Nothing to undo"))
        // The event of the undoing is undone to redo the change.
        let undone = SessionState.Mark(attendees: [id], name: "Ada Byron", sequences: [24])
        #expect(dashboard.press("U") == [.revert(scene.body.id, undone, redoes: true)])
        _ = dashboard.take(.reverted(scene.body.id, undone, redoes: true, made: [25], [person(6, .late)]))
        #expect(dashboard.text().contains("Ada Byron: late. Press u to undo."))
        #expect(dashboard.session?.marks.map(\.sequences) == [[25]])
        #expect(dashboard.press("U").isEmpty && dashboard.text().contains("Nothing to redo"))
    }

    private func correction(
        _ versions: [AttendeeID: Int], _ status: AttendanceStatus?, _ name: String, note: String? = nil
    ) -> Correction {
        var change = AttendeeChange()
        (change.status, change.note) = (status, note)
        let targets = versions.map { Correction.Target(id: $0.key, version: $0.value) }
        return Correction(attendees: targets.sorted { $0.id < $1.id }, change: change, name: name)
    }

    @Test func `a host marks several attendees with one key`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("2")
        dashboard.press(.home)
        dashboard.press("  ")
        #expect(dashboard.text().contains("2 selected · 12 of 12"))
        guard case .correct(_, let marked, after: 20) = dashboard.press("e").first else {
            Issue.record("no action")
            return
        }
        let first = dashboard.session?.people.matches.prefix(2).map(\.id) ?? []
        #expect(marked.attendees.map(\.id) == first && marked.name == "2 attendees")
        #expect(marked.change.status == .excused)
        let people = scene.people.enumerated().filter { first.contains($0.element.id) }.map {
            person($0.offset, .excused)
        }
        _ = dashboard.take(.corrected(scene.body.id, marked, people, sequences: [23, 24]))
        #expect(dashboard.text().contains("2 attendees: excused. Press u to undo."))
        #expect(dashboard.session?.picked.isEmpty == true)
        #expect(dashboard.session?.marks.last?.sequences == [23, 24], "one key undoes both")
        // All who match a search are selected by one key, and Escape selects nobody.
        dashboard.press("/lee")
        dashboard.press(.enter)
        dashboard.press("*")
        #expect(dashboard.session?.picked == [scene.people[1].id])
        dashboard.press(.escape)
        #expect(dashboard.session?.picked.isEmpty == true && dashboard.session?.people.query == "lee")
    }

    @Test func `a host corrects an attendee with a reason`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("/byron")
        dashboard.press(.enter)
        dashboard.press("m")
        #expect(dashboard.text().contains("Correct Ada Byron") && dashboard.text().contains("‹ unchanged ›"))
        #expect(dashboard.text().contains("12 of 30 checked in"), "the screen stays visible")
        #expect(dashboard.press(.enter).isEmpty && dashboard.press(.enter).isEmpty)
        #expect(dashboard.text().contains("Nothing to change"))
        dashboard.press(.up)
        dashboard.press("l")
        dashboard.press(.down)
        dashboard.press("Came by bus.")
        dashboard.press(.backspace)
        let id = scene.people[6].id
        let shown = dashboard.session?.people[id]?.version ?? 0
        let expected = correction([id: shown], .late, "Ada Byron", note: "Came by bus")
        #expect(dashboard.press(.enter) == [.correct(scene.body.id, expected, after: 20)])
        // A refusal loses nothing.
        _ = dashboard.take(.failed("It was changed meanwhile."))
        #expect(dashboard.form?.text(1) == "Came by bus")
        _ = dashboard.take(.corrected(scene.body.id, expected, [person(6, .late)], sequences: [23]))
        #expect(dashboard.form == nil)
    }

    @Test func `a host adds a walk-in`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("w")
        dashboard.press(.enter)
        dashboard.press(.enter)
        #expect(dashboard.press(.enter).isEmpty, "there is no name")
        #expect(dashboard.text().contains("Enter a name"))
        dashboard.press(.up)
        dashboard.press(.up)
        dashboard.press("Zoe Young")
        dashboard.press(.enter)
        dashboard.press("zoe@example.org")
        dashboard.press(.enter)
        dashboard.press("no phone")
        var person = AttendeeChange()
        (person.name, person.email, person.note) = ("Zoe Young", "zoe@example.org", "no phone")
        #expect(dashboard.press(.enter) == [.add(scene.body.id, person, after: 20)])
        var after = scene
        after.arrive("Zoe Young", minute: 4)
        _ = dashboard.take(.added(scene.body.id, after.attendees()[12], sequence: 21))
        #expect(dashboard.text().contains("Zoe Young: present. Press u to undo."))
        #expect(dashboard.session?.people.count == 13 && dashboard.form == nil)
    }

    @Test func `a host extends and ends the session, and sees an overlap before it is saved`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("+")
        #expect(dashboard.text().contains("+15m"))
        var change = SessionChange()
        change.endsAt = scene.body.endsAt + .minutes(15)
        let version = scene.body.version
        #expect(dashboard.press(.enter) == [.edit(scene.body.id, change, version: version, after: 20)])
        _ = dashboard.take(.overlaps(scene.body.id, "It overlaps Choir."))
        #expect(
            dashboard.text().contains("It overlaps Choir.") && dashboard.text().contains("Press Enter again"))
        change.allowOverlap = true
        #expect(dashboard.press(.enter) == [.edit(scene.body.id, change, version: version, after: 20)])
        var longer = scene
        longer.length = .minutes(135)
        _ = dashboard.take(.edited(scene.body.id, longer.body, sequence: 21))
        #expect(dashboard.text().contains("The session ends at 21:15. Press u to undo."))
        let end = SessionState.Mark(attendees: [], name: "New end 21:15", sequences: [21])
        #expect(dashboard.press("u") == [.revert(scene.body.id, end, redoes: false)])
        _ = dashboard.take(.reverted(scene.body.id, end, redoes: false, made: [22], []))
        dashboard.press("tsoon")
        #expect(dashboard.press(.enter).isEmpty && dashboard.text().contains("21:30, +15m or now"))
        dashboard.press(.escape)
        dashboard.press(":end the session")
        dashboard.press(.enter)
        guard case .edit(_, let ended, version: _, after: _) = dashboard.press(.enter).first else {
            Issue.record("no action")
            return
        }
        #expect(ended.endsAt == scene.now)
    }

    @Test func `the last row shows the result of an action, even if the room reports the end right after it`()
    {
        var dashboard = scene.dashboard(120, 30)
        var ended = scene
        ended.length = .seconds(1)
        let end = SessionState.Mark(attendees: [], name: "New end 21:00", sequences: [21])
        _ = dashboard.take(.reverted(scene.body.id, end, redoes: true, made: [22], []))
        _ = dashboard.take(scene.frame(22) { $0.session = ended.body })
        #expect(dashboard.text().contains("Redone: New end 21:00"))
        _ = dashboard.take(.tick(scene.now + Dashboard.noticeShows))
        #expect(dashboard.text().contains("The session is over"))
        // A reopened session has no offer, and the offer disappears after `offerShows`.
        _ = dashboard.take(scene.frame(23) { $0.session = scene.body })
        #expect(!dashboard.text().contains("The session is over"))
        _ = dashboard.take(scene.frame(24) { $0.session = ended.body })
        #expect(dashboard.text().contains("The session is over"))
        _ = dashboard.take(.tick(scene.now + Dashboard.noticeShows + Dashboard.offerShows))
        #expect(!dashboard.text().contains("The session is over"))
    }

    @Test func `the palette finds commands, people, polls and questions by some of their letters`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press(":adwlk")
        #expect(dashboard.palette?.entries.first?.item == .command(.addAttendee))
        #expect(dashboard.text().contains("12 of 30 checked in"), "the screen stays visible")
        dashboard.press(.escape)
        dashboard.press(":omarhad")
        #expect(dashboard.palette?.entries.first?.text == "Omar Haddad")
        guard case .readPerson(_, _, let person) = dashboard.press(.enter).first else {
            Issue.record("no action")
            return
        }
        #expect(person.name == "Omar Haddad" && dashboard.cover == .person)
        dashboard.press(.escape)
        dashboard.press(":helped most")
        dashboard.press(.enter)
        #expect(dashboard.pane == .questions && dashboard.session?.question == 1)
        let poll = Question(
            id: QuestionID(high: 2, low: 9), title: LocalizedText("Break?"), kind: .yesNo)
        let set = QuestionSet(name: "poll-1", questions: [poll], openByHand: false, version: 3)
        _ = dashboard.take(
            scene.frame(21) { $0.sets = [QuestionSetSummary(set, open: false, anonymityFixed: true)] })
        dashboard.press("O")
        #expect(dashboard.text().contains("Open the poll: Break?"))
        let opened = SetSwitch(set: "poll-1", heading: "Break?", change: .open(true), isAgain: true)
        #expect(dashboard.press(.enter).isEmpty)
        #expect(dashboard.press("y") == [.change(scene.body.id, opened, version: 3)])
        // Korean syllables are compared whole.
        #expect(FuzzyMatch.Search("김지").score(in: "김민지") != nil)
        #expect(FuzzyMatch.Search("지김").score(in: "김민지") == nil)
        let (near, far) = (FuzzyMatch.Search("an"), ["Ann", "Ada Nixon", "Alan"])
        #expect(far.map { near.score(in: $0) ?? 0 } == far.map { near.score(in: $0) ?? 0 }.sorted(by: >))
    }

    @Test func `the list of attendees can be sorted by arrival and by status`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("2s")
        #expect(dashboard.text().contains("newest first"))
        #expect(dashboard.session?.people.matches.first?.name == "Noah Clark")
        var now = scene
        now.arrive("Zoe Young", minute: 9)
        _ = dashboard.take(scene.frame(21) { $0.arrivals = [now.attendees()[12]] })
        #expect(dashboard.session?.people.matches.first?.name == "Zoe Young")
        dashboard.press("s")
        #expect(dashboard.session?.people.matches.first?.status == .late)
        let changed = person(0, .excused)
        _ = dashboard.take(scene.frame(22) { $0.changed = [changed] })
        #expect(dashboard.session?.people.matches.last?.id == changed.id)
        dashboard.press("s")
        #expect(
            dashboard.session?.people.matches.map(\.name)
                == dashboard.session?.people.matches.map(\.name).sorted())
    }

    @Test func `the journal is requested only while it is on the screen and has new events`() {
        var dashboard = scene.dashboard(80, 24)
        let id = scene.body.id
        #expect(dashboard.take(.tick(scene.now)).isEmpty)
        dashboard.press("5")
        #expect(dashboard.take(.tick(scene.now)) == [.readJournal(id, since: 0, upTo: 20)])
        #expect(dashboard.take(.tick(scene.now)).isEmpty, "one request at a time")
        _ = dashboard.take(.journal(id, scene.events, upTo: 20))
        #expect(dashboard.text().contains("Ada Byron corrected · present → late"), "\(dashboard.text())")
        #expect(dashboard.take(.tick(scene.now)).isEmpty, "nothing is new")
        _ = dashboard.take(scene.frame(21) { $0.attendance = scene.body.attendance })
        #expect(dashboard.take(.tick(scene.now)) == [.readJournal(id, since: 20, upTo: 21)])
        var large = scene.dashboard(120, 40)
        #expect(large.take(.tick(scene.now)).contains(.readJournal(id, since: 0, upTo: 20)))
    }

    @Test func `all written answers can be moderated where they are shown`() {
        var dashboard = scene.dashboard(80, 24)
        let question = scene.questions[2].0.id
        dashboard.press(.enter)
        let texts = ["Good", "Spam"].enumerated().map {
            TextAnswerBody(text: $0.element, at: scene.now, id: "t\($0.offset)", status: .visible)
        }
        _ = dashboard.take(.texts(question, texts, isLast: true))
        dashboard.press(.down)
        guard case .moderate(_, let hidden, after: 20) = dashboard.press("h").first else {
            Issue.record("no action")
            return
        }
        #expect(hidden.change == .text(question, "t1", .hidden))
        _ = dashboard.take(.moderated(scene.body.id, hidden, sequence: 22))
        #expect(
            dashboard.text().split(separator: "\n").contains { $0.contains("Spam") && $0.contains("hidden") })
        dashboard.press(.escape)
        #expect(dashboard.cover == nil)
    }

    @Test func `the help lists the keys of the pane, and they work while it is visible`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("?")
        #expect(
            dashboard.text().contains("12 of 30 checked in") && dashboard.text().contains("ask a poll now"))
        #expect(!dashboard.text().contains("mark as late"))
        dashboard.press("2")
        #expect(dashboard.text().contains("mark as late") && dashboard.showsHelp)
        dashboard.press("?")
        #expect(!dashboard.text().contains("mark as late"))
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
        let made = SessionState.Mark(attendees: [], name: shown.text, sequences: [24])
        #expect(dashboard.press("u") == [.revert(scene.body.id, made, redoes: false)])
        _ = dashboard.take(.reverted(scene.body.id, made, redoes: false, made: [25], []))
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
        #expect(dashboard.form == nil && dashboard.pane == .questions)
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
        #expect(dashboard.press("xy") == [.change(scene.body.id, closed, version: 3)])
        _ = dashboard.take(.changedSet(scene.body.id, closed))
        #expect(dashboard.text().contains("Closed: Break?"))
        let shared = SetSwitch(set: "poll-1", heading: "Break?", change: .shared(true))
        #expect(dashboard.press("ry") == [.change(scene.body.id, shared, version: 3)])
    }

    @Test func `results that are shared later appear in the order of their questions`() {
        var dashboard = scene.dashboard(120, 40)
        var shown: QuestionID?
        // Sets of the same position are ordered by name.
        let sets = (1...2).map { number in
            QuestionSet(
                name: "poll-\(number)",
                questions: (1...3).map {
                    Question(
                        id: QuestionID(high: UInt64(2 + number), low: $0),
                        title: LocalizedText("Q\(number).\($0)"), kind: .yesNo)
                }, openByHand: true, version: 3)
        }
        _ = dashboard.take(
            scene.frame(21) {
                $0.sets = sets.map { QuestionSetSummary($0, open: true, anonymityFixed: true) }
            })
        for index in [2, 0, 1] {
            for set in sets.reversed() {
                let question = set.questions[index]
                _ = dashboard.take(
                    scene.frame(21) {
                        $0.tally = TallyBody(question, in: set, count: TallyCount(for: question), latest: [])
                    })
            }
            guard index == 2 else { continue }
            // The last question is shown, and the others come before it.
            dashboard.press("b")
            shown = dashboard.session.map { $0.tallies[$0.question].questionId }
            #expect(shown == sets[1].questions[2].id)
        }
        let session = dashboard.session
        #expect(
            session?.tallies.filter { $0.set != QuestionSet.feedback }.map(\.title)
                == ["Q1.1", "Q1.2", "Q1.3", "Q2.1", "Q2.2", "Q2.3"])
        #expect(session.map { $0.tallies[$0.question].questionId } == shown)
    }

    @Test func `a poll has at most nine choices, and Enter in an empty one asks it`() {
        var dashboard = scene.dashboard(40, 12)
        dashboard.press("o")
        dashboard.press("Which?")
        for choice in 1...9 {
            dashboard.press(.enter)
            dashboard.press(String(choice))
        }
        #expect(dashboard.form?.fields.count == 10 && dashboard.text().contains("Choice 9  9"))
        dashboard.press(.up)
        dashboard.press(.backspace)
        #expect(
            dashboard.press(.enter) == [
                .ask(scene.body.id, question: "Which?", choices: ["1", "2", "3", "4", "5", "6", "7", "9"])
            ])
    }

    @Test func `a key copies the link, or what is selected, and the screen says so`() throws {
        var dashboard = scene.dashboard(80, 24)
        let link = try #require(dashboard.session?.url)
        #expect(dashboard.press("y") == [.copy(link)])
        #expect(dashboard.text().contains("Copied: "))
        dashboard.press("c")
        #expect(dashboard.press("y") == [.copy(link)])
        #expect(dashboard.cover == .code, "the code stays")
        dashboard.press(.escape)
        dashboard.press("2")
        #expect(dashboard.press("y") == [.copy(link)], "nobody is selected")
        dashboard.press(.down)
        let person = try #require(dashboard.session?.people.matches.first)
        let key = person.email ?? person.number ?? person.name
        #expect(dashboard.press("y") == [.copy(key)])
        dashboard.press(":")
        dashboard.press("copy the link")
        #expect(dashboard.press(.enter) == [.copy(key)])
        // A terminal without a clipboard shows the text.
        dashboard.hasClipboard = false
        #expect(dashboard.press("y").isEmpty && dashboard.text().contains(key))
    }

    @Test func `a search of 5,000 attendees looks at each once, and a longer one only at those it found`() {
        var large = Scene()
        for number in 0..<5_000 {
            large.arrive(number % 3 == 0 ? "Adam \(number)" : "Eve \(number)", minute: 0)
        }
        var people = People()
        people.beginReading()
        people.read(large.attendees(), isLast: true)
        people.look(for: "a", filter: nil)
        #expect(people.examined == 5_000)
        for query in ["ad", "ADA", "adam 1"] {
            let (before, found) = (people.examined, people.matches.count)
            people.look(for: query, filter: nil)
            #expect(people.examined - before == found, "\(query)")
        }
        #expect(people.matches.count == 369)
        // A shorter search looks at everybody again.
        people.look(for: "adam", filter: nil)
        #expect(people.matches.count == 1_667)
        // Letters with a mark are found in both of their forms.
        people.look(for: "e", filter: nil)
        people.look(for: "e\u{301}", filter: nil)
        #expect(people.matches.isEmpty)
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
        for pane in [Dashboard.Pane.attendees, .questions, .audience, .journal, .overview] {
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
        let layout = DashboardLayout(dashboard, .inSeoul(.english))
        let tabs = layout.grid.text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(tabs.firstIndex { $0.contains("1 All  2 People  3 Polls") })
        #expect(layout.target(column: 10, row: row) == .pane(.attendees))
        #expect(layout.target(column: 60, row: 5) == .code)
        _ = dashboard.take(.pressed(.pane(.attendees)))
        #expect(dashboard.pane == .attendees)
        _ = dashboard.take(.pressed(.code))
        #expect(dashboard.cover == .code)
    }

    @Test func `a mouse press closes the code or the palette, and the mouse does nothing behind them`() {
        var dashboard = scene.dashboard(80, 24)
        for key in ["c", ":"] {
            dashboard.press(key)
            _ = dashboard.take(.screen(.scrolled(up: false, column: 3, row: 20)))
            #expect(dashboard.session?.question == 0)
            let layout = DashboardLayout(dashboard, .inSeoul(.english))
            #expect(layout.target(column: 60, row: 9) == nil)
            _ = dashboard.take(.screen(.pressed(column: 60, row: 9)))
            #expect(dashboard.cover == nil && dashboard.palette == nil)
        }
        dashboard.press(":")
        let layout = DashboardLayout(dashboard, .inSeoul(.english))
        #expect(layout.target(column: 20, row: 13) == .entry(2))
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
                for keys in ["", "2", "3", "4", "5", "c", "?", ":", "w", "+", "2\u{20}m", "2?"] {
                    var dashboard = scene.dashboard(columns, rows)
                    dashboard.press(keys)
                    #expect(
                        DashboardLayout(dashboard, .inSeoul(.korean)).grid.size
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
        #expect(TimesPanel.length(.milliseconds(milliseconds), .inSeoul(.english)) == text)
    }

    @Test func `an attendee who is awaited again is no newest arrival, until the correction is undone`() {
        var dashboard = scene.dashboard(80, 24)
        let last = scene.people.count - 1
        var awaited = scene.people[last]
        awaited.status = .pending
        awaited.checkedInAt = nil
        let changed = AttendeeBody(forMembers: awaited, identifyBy: .email, sessionIsOver: false)
        _ = dashboard.take(scene.frame(21) { $0.changed = [changed] })
        #expect(dashboard.session?.newest.contains { $0.id == changed.id } == false)
        _ = dashboard.take(scene.frame(22) { $0.changed = [scene.attendees()[last]] })
        #expect(dashboard.session?.newest.first?.id == changed.id)
    }

    @Test func `a server that is silent for ten seconds is no longer shown as live`() {
        var dashboard = scene.dashboard(100, 30)
        _ = dashboard.take(.tick(scene.now + .seconds(9)))
        #expect(dashboard.text().contains("● live"))
        _ = dashboard.take(.tick(scene.now + .seconds(12)))
        #expect(dashboard.text().contains("● no answer for 12 s"))
        #expect(dashboard.text().contains("last update 12 s ago  R retry now"))
        #expect(dashboard.text(.korean).contains("● 12초째 응답 없음"))
        _ = dashboard.take(scene.update(.heard))
        #expect(dashboard.text().contains("● live"))
    }

    @Test func `what is stale is seen as stale, and R connects again`() throws {
        var dashboard = scene.dashboard(80, 24)
        func strip() -> String {
            dashboard.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[1]
        }
        /// Returns the colour of the number of people who are here.
        func ink() -> Colour? {
            DashboardLayout(dashboard, .inSeoul(.english)).grid[1, 5].style.ink
        }
        #expect(dashboard.press("R").isEmpty && dashboard.text().contains("Already connected"))
        #expect(ink() == nil)
        _ = dashboard.take(scene.update(.reconnecting(in: .seconds(30), because: .silent)))
        _ = dashboard.take(.tick(scene.now + .seconds(14)))
        #expect(strip() == " last update 14 s ago  R retry now")
        #expect(ink() == .faint)
        #expect(dashboard.press("R") == [.watch(scene.body.id)])
        // A second press does not cancel the attempt.
        #expect(dashboard.press("R").isEmpty && dashboard.text().contains("Connecting. Wait a moment"))
        // An attempt is no update.
        _ = dashboard.take(scene.update(.reconnecting(in: .seconds(1), because: .silent)))
        _ = dashboard.take(.tick(scene.now + .seconds(200)))
        #expect(strip() == " last update 3 min ago  R retry now")
        _ = dashboard.take(scene.update(scene.joined(recovered: false)))
        #expect(strip().contains("phones") && ink() == nil)
    }

    @Test func `a read of the journal that R ended is made again`() throws {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("5")
        _ = dashboard.take(.tick(scene.now))
        #expect(dashboard.session?.journal.isReading == true)
        _ = dashboard.take(scene.update(.reconnecting(in: .seconds(30), because: .silent)))
        #expect(dashboard.press("R") == [.watch(scene.body.id)])
        #expect(dashboard.session?.journal.isReading == false)
    }

    @Test func `the home view says how old it is, and R connects again`() {
        var dashboard = Dashboard(
            size: Size(columns: 80, rows: 24), now: scene.now, home: HomeState(), readEnd: { _, _, _ in nil })
        _ = dashboard.take(.home(.heard))
        _ = dashboard.take(.home(.reconnecting(in: .seconds(30), because: .silent)))
        _ = dashboard.take(.tick(scene.now + .seconds(20)))
        #expect(dashboard.text().contains("last update 20 s ago"))
        #expect(dashboard.press("R") == [.watchHome])
    }

    @Test func `a text that is higher than the screen scrolls to its end, and then the next text opens`() {
        var scene = scene
        scene.listen(.english)
        scene.asked[0].text = String(repeating: "word ", count: 99) + "last"
        var dashboard = scene.dashboard(40, 12)
        dashboard.press("4jj")
        dashboard.press(.enter)
        #expect(!dashboard.text().contains("last") && dashboard.text().contains("8/15"))
        let voice = dashboard.session?.voice
        for _ in 0..<7 { dashboard.press(.down) }
        #expect(dashboard.text().contains("last") && dashboard.text().contains("15/15"))
        dashboard.press(.pageUp)
        #expect(!dashboard.text().contains("last") && dashboard.session?.voice == voice)
        _ = dashboard.take(.screen(.scrolled(up: false, column: 1, row: 5)))
        _ = dashboard.take(.screen(.scrolled(up: false, column: 1, row: 5)))
        #expect(dashboard.text().contains("last"))
        dashboard.press(.down)
        #expect(dashboard.session?.voice != voice && dashboard.voiceRow == 0)
    }

    @Test func `C hides the code, so that the panes have their whole names`() {
        var dashboard = scene.dashboard(80, 24)
        #expect(dashboard.text().contains("2 People  3 Polls") && !dashboard.text().contains("2 Attendees"))
        dashboard.press("C")
        #expect(dashboard.text().contains("2 Attendees") && dashboard.text().contains("3 Questions"))
        dashboard.press("C")
        #expect(dashboard.text().contains("2 People"))
    }

    @Test func `a wide screen compares the session with the one before`() throws {
        var dashboard = scene.dashboard(120, 40)
        let read = dashboard.take(.tick(scene.now)).contains(
            .readPrevious(scene.body.id, scene.body.meetingId))
        #expect(read)
        #expect(
            !dashboard.take(.tick(scene.now)).contains { if case .readPrevious = $0 { true } else { false } })
        _ = dashboard.take(.previous(scene.body.id, scene.body))
        #expect(
            dashboard.text().contains("% answered · ") && dashboard.text().contains("% on time · session 2:"))
        var small = scene.dashboard(80, 24)
        #expect(!small.take(.tick(scene.now)).contains { if case .readPrevious = $0 { true } else { false } })
    }

    @Test func `the bars of arrivals are as wide as their span allows, and several minutes share a bar`() {
        func bars(_ minutes: ClosedRange<Int>, at now: Int) -> (heading: Bool, longest: Int) {
            var scene = Scene()
            scene.planned = 1000
            for minute in minutes { scene.arrive("Guest \(minute)", minute: minute, status: .present) }
            scene.now = Scene.startsAt + .minutes(now)
            let text = scene.dashboard(120, 40).text()
            let runs = text.split { !"▁▂▃▄▅▆▇█".contains($0) }.filter { $0.allSatisfy { $0 == "█" } }
            return (text.contains("Arrivals per 2 minutes"), runs.map(\.count).max() ?? 0)
        }
        #expect(!bars(-1...0, at: 1).heading)
        #expect(bars(-25...30, at: 31).heading)
    }

    @Test func `the journal says that it loads until it has been read`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("5")
        #expect(dashboard.text().contains("Loading…") && !dashboard.text().contains("No events yet"))
        _ = dashboard.take(.journal(scene.body.id, [], upTo: 20))
        #expect(dashboard.text().contains("No events yet"))
    }

    @Test func `a light module of the code has a light ground, so that no font leaves gaps`() {
        let grid = DashboardLayout(scene.dashboard(80, 24), .inSeoul(.english)).grid
        let light = grid.cells.filter { $0.character == "█" && $0.style.ink == .pureWhite }
        #expect(!light.isEmpty && light.allSatisfy { $0.style.ground == .pureWhite })
    }

    @Test(arguments: [(80, 24), (120, 40), (40, 12)])
    func `a long question from the audience can be read, in the list and alone`(columns: Int, rows: Int) {
        var scene = scene
        scene.listen(.english)
        let words = (1...80).map { "word\($0)" }
        scene.asked[0].text = words.joined(separator: " ")
        var dashboard = scene.dashboard(columns, rows)
        dashboard.press("4")
        // Until it is selected, it has one line. The pending question is first.
        #expect(dashboard.text().contains("word1 ") && !dashboard.text().contains("word20 "))
        dashboard.press(.down)
        dashboard.press(.down)
        #expect(dashboard.text().contains(columns == 40 ? "word8" : "word20"))
        #expect(dashboard.press(.enter).isEmpty && dashboard.cover == .voice)
        #expect(dashboard.text().contains("12 votes"))
        if columns > 40 { for word in words { #expect(dashboard.text().contains(word)) } }
        // The view has the history, and the keys of the pane work in it.
        let moderation = Event(
            sessionID: scene.body.id, sequence: 19, at: scene.now, kind: .moderated, attendeeID: nil,
            actor: .account(AccountID(high: 7, low: 1)),
            data: EventData(question: scene.asked[0].id))
        _ = dashboard.take(.journal(scene.body.id, [EventBody(moderation)], upTo: 20))
        if columns > 40 { #expect(dashboard.text().contains("19:04 question moderated")) }
        #expect(dashboard.press("h").count == 1)
        dashboard.press(.escape)
        #expect(dashboard.cover == nil && dashboard.pane == .audience)
    }

    @Test func `Enter opens all written answers, wrapped, and the keys scroll them`() {
        var dashboard = scene.dashboard(40, 12)
        let question = scene.questions[2].0.id
        #expect(dashboard.press(.enter) == [.readTexts(question)])
        let texts = (1...30).map {
            TextAnswerBody(text: "\($0) " + String(repeating: "long ", count: 12), at: scene.now)
        }
        _ = dashboard.take(.texts(question, Array(texts.prefix(20)), isLast: false))
        #expect(dashboard.text().contains("loading 20"))
        _ = dashboard.take(.texts(question, Array(texts.suffix(10)), isLast: true))
        #expect(dashboard.text().contains("30 answers") && dashboard.text().contains("▸ 1 long"))
        #expect(!dashboard.text().contains("long …"))
        dashboard.press(.end)
        #expect(dashboard.text().contains("▸ 30 long"))
        dashboard.press(.escape)
        #expect(dashboard.cover == nil)
    }

    @Test func `a written answer that is longer than the screen scrolls by lines, in both directions`() {
        var dashboard = scene.dashboard(40, 12)
        _ = dashboard.press(.enter)
        let long = (1...40).map { "line\($0)" + String(repeating: "-", count: 20) }.joined(separator: " ")
        let texts = [TextAnswerBody(text: long, at: scene.now), TextAnswerBody(text: "short", at: scene.now)]
        _ = dashboard.take(.texts(scene.questions[2].0.id, texts, isLast: true))
        let isSeen = { (dashboard: Dashboard, line: Int) in dashboard.text().contains("line\(line)-") }
        #expect(isSeen(dashboard, 8) && !isSeen(dashboard, 9))
        for line in 9...40 {
            dashboard.press(.down)
            #expect(isSeen(dashboard, line) && !isSeen(dashboard, line - 8), "\(line)")
        }
        dashboard.press(.down)
        #expect(dashboard.text().contains("▸ short"))
        dashboard.press(.up)
        #expect(isSeen(dashboard, 40) && !isSeen(dashboard, 32))
        dashboard.press(.pageUp)
        #expect(isSeen(dashboard, 34) && !isSeen(dashboard, 35))
        dashboard.press(.home)
        #expect(isSeen(dashboard, 1))
        dashboard.press(.end)
        #expect(dashboard.text().contains("▸ short"))
    }

    @Test func `where answers are held back, the screen says why`() {
        var scene = scene
        scene.poll(.english)
        var dashboard = scene.dashboard(120, 40)
        dashboard.press("3bb")
        #expect(dashboard.text().contains("7 more answers are held back to protect anonymity."))
        scene.polls[1].responses = 0
        dashboard = scene.dashboard(120, 40)
        dashboard.press("3bb")
        #expect(!dashboard.text().contains("held back"))
    }

    @Test func `without written answers, Enter says so`() {
        var scene = scene
        scene.questions = []
        var dashboard = scene.dashboard(80, 24)
        #expect(dashboard.press(.enter).isEmpty)
        #expect(dashboard.text().contains("No written answers yet"))
    }

    @Test func `times in another zone than the user's have a label, and an end on another day has its date`()
    {
        let dashboard = scene.dashboard(100, 30)
        #expect(!dashboard.text().contains("Seoul"))
        let abroad = DashboardLayout(dashboard, Look(.english, zone: .utc)).grid.text
        #expect(abroad.contains("19:04:12 Seoul") && abroad.contains("end 21:00  Seoul"), "\(abroad)")
        var night = scene
        night.length = .hours(8)
        #expect(night.dashboard(100, 30).text().contains("end 11-22 03:00"))
    }

    @Test func `the address at which people type the join code is beside the code`() {
        for (columns, rows) in [(80, 24), (120, 40), (60, 20)] {
            #expect(
                scene.dashboard(columns, rows).text().contains("192.168.178.20:8080"), "\(columns)×\(rows)")
        }
    }
}
