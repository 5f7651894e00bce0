import Meetings
import Rooms
import Testing
import Wire

struct ViewTests {
    /// Returns all texts that a view can receive: flushes, a catch-up and a snapshot.
    private func text(of view: View, shared: Bool) throws -> String {
        var stage = Stage(sets: [
            results(fives: 1, shared: shared),
            results("poll", fives: 1, shared: shared, question: QuestionID(high: 3, low: 4)),
        ])
        stage.arrive(3)
        stage.change(AttendeeID(high: 7, low: 1), to: .late)
        stage.remove(AttendeeID(high: 7, low: 2))
        _ = stage.commit(isEdited: true)
        _ = stage.show(CodeBody(url: "HTTPS://EXAMPLE.ORG/C/SECRET2", joinCode: "SECRET", expiresInMs: 9000))
        _ = stage.apply(results(fives: 4, shared: shared))
        var all = stage.flushAll(for: view).map(\.frame)
        all += try #require(stage.room.catchUp(from: 0, view: view, at: Stage.startsAt)).map(\.frame)
        all.append(stage.room.snapshot(for: view, at: Stage.startsAt))
        return all.map { String(decoding: WireJSON.bytes($0), as: UTF8.self) }.joined(separator: "\n")
    }

    @Test(arguments: [(View.presenter, false), (.presenter, true), (.audience, false), (.audience, true)])
    func `only members see names`(view: View, shared: Bool) throws {
        let sent = try text(of: view, shared: shared)
        for secret in [
            "Person", "@example.org", "\"arrivals\"", "\"changed\"", "\"removed\"", "arrivalsOmitted",
        ] {
            #expect(!sent.contains(secret))
        }
        #expect(sent.contains("\"attendance\""))
    }

    @Test func `members see names, codes and unshared tallies`() throws {
        let sent = try text(of: .session, shared: false)
        for part in [
            "Person 1", "p3@example.org", "SECRET2", "\"tallies\":[{", "\"tally\":{", "\"arrivals\":[{",
            "\"removed\":[",
        ] {
            #expect(sent.contains(part), "\(part)")
        }
    }

    @Test func `a frame lists an attendee once who arrived, was corrected and arrived again`() throws {
        var stage = Stage()
        let other = stage.arrive()
        let twice = stage.arrive()
        stage.change(twice, to: .pending)
        stage.arriveAgain(twice)
        _ = stage.commit()
        let arrivals = stage.flushAll(for: .session).compactMap(\.frame.arrivals).flatMap(\.self)
        #expect(arrivals.map(\.id) == [other, twice])
        #expect(arrivals.map(\.status) == [.present, .present])
    }

    @Test(arguments: [false, true]) func `the audience never sees the code`(shared: Bool) throws {
        let sent = try text(of: .audience, shared: shared)
        for secret in ["SECRET", "K7QX2M", "joinCode", "checkInUrl", "\"code\""] {
            #expect(!sent.contains(secret))
        }
    }

    @Test func `a presenter's screen shows the code`() throws {
        #expect(try text(of: .presenter, shared: false).contains("SECRET2"))
    }

    @Test(arguments: [View.presenter, .audience]) func `only members see unshared tallies`(view: View)
        throws
    {
        let hidden = try text(of: view, shared: false)
        #expect(
            !hidden.contains("How was it?") && !hidden.contains("\"tally\"")
                && hidden.contains("\"tallies\":[]"))
        let shown = try text(of: view, shared: true)
        #expect(shown.contains("\"tally\":{") && shown.contains("\"tallies\":[{"))
    }

    @Test(arguments: [View.presenter, .audience])
    func `a room sends a tally to presenter and audience when the host shares it later`(view: View) {
        var stage = Stage(sets: [results(fives: 2, shared: false)])
        #expect(stage.apply(results(fives: 2, shared: true)) == .flushNow)
        let sent = stage.flushAll(for: view)
        #expect(sent.compactMap(\.frame.tally).map(\.answers) == [2])
        #expect(sent.first?.frame.feedback?.shared == true)
    }

    @Test(arguments: View.allCases)
    func `only the hall's screen gets the questions of an open poll, until its results are shared`(
        view: View
    ) {
        let tea = Question(
            id: QuestionID(high: 3, low: 8), title: LocalizedText("Tea?"),
            kind: .multipleChoice(
                choices: [.init(id: "a", label: LocalizedText("Yes"))], minSelections: 1, maxSelections: 1))
        var hidden = Question(
            id: QuestionID(high: 3, low: 9), title: LocalizedText("Later?"), kind: .rating(scale: 5))
        hidden.isHidden = true
        for (open, shared) in [(true, false), (true, true), (false, false)] {
            let set = QuestionSet(name: "poll-1", questions: [tea, hidden], openByHand: open, shared: shared)
            let room = Stage(sets: [SetResults(set: set, tallies: [])]).room
            let asked = room.snapshot(for: view, at: Stage.startsAt).snapshot?.sets?.first?.asked
            let isAsked = view == .presenter && open && !shared
            #expect(asked?.map(\.title) == (isAsked ? ["Tea?"] : nil))
            #expect(asked?.first?.choices?.map(\.label) == (isAsked ? ["Yes"] : nil))
        }
    }

    @Test func `a room does not send a tally that the host no longer shares`() {
        var stage = Stage(sets: [results(fives: 2, shared: true)])
        _ = stage.apply(results(fives: 3, shared: false))
        #expect(stage.flushAll(for: .audience).compactMap(\.frame.tally).isEmpty)
    }

    @Test
    func `the audience sees whether answers are anonymous once that is fixed, and members always see it`()
        throws
    {
        for (moment, isFixed) in [(Stage.startsAt - .milliseconds(1), false), (Stage.startsAt, true)] {
            var stage = Stage(sets: [results(fives: 0, shared: false)])
            stage.arrive(1)
            _ = stage.commit(isEdited: true)
            _ = stage.apply(results(fives: 1, shared: true))
            for view in [View.session, .audience] {
                var frames = [stage.room.snapshot(for: view, at: moment)]
                frames += try #require(stage.room.catchUp(from: 0, view: view, at: moment)).map(\.frame)
                frames += stage.flush(for: [view], now: moment).publications.map(\.frame)
                let sessions = frames.compactMap { $0.session ?? $0.snapshot?.session }.map(\.feedback)
                let sets = frames.compactMap { $0.sets ?? $0.snapshot?.sets }.flatMap { $0 }
                let isShown = isFixed || view == .session
                #expect(
                    (sessions + frames.compactMap(\.feedback)).allSatisfy { ($0.anonymous != nil) == isShown }
                )
                #expect(
                    !sets.isEmpty
                        && sets.allSatisfy {
                            ($0.anonymous != nil) == isShown && $0.anonymityFixed == isFixed
                        })
            }
        }
    }

    @Test(arguments: View.allCases) func `a room publishes the number of responses that are held back`(
        view: View
    ) {
        let first = results(fives: 3, shared: true)
        var set = first.set
        set.promise = .anonymous
        var stage = Stage(sets: [SetResults(set: set, tallies: first.tallies)])
        for (responses, published, pending) in [(4, 3, 1), (5, 3, 2), (6, 6, 0), (7, 6, 1), (7, 7, 0)] {
            (set.responses, set.publishedResponses) = (responses, published)
            _ = stage.apply(SetResults(set: set, tallies: first.tallies))
            #expect(
                stage.flushAll(for: view).compactMap(\.frame.sets).flatMap { $0 }.map(\.pending) == [pending])
        }
    }

    @Test func `a room does not send an unchanged tally again`() {
        var stage = Stage(sets: [results(fives: 2, shared: true)])
        _ = stage.apply(results(fives: 2, shared: true))
        #expect(stage.flushAll(for: .audience).compactMap(\.frame.tally).isEmpty)
        _ = stage.apply(results(fives: 3, shared: true))
        _ = stage.apply(results(fives: 4, shared: true))
        #expect(stage.flushAll(for: .audience).compactMap(\.frame.tally).map(\.answers) == [4])
    }

    @Test func `a frame has the news and a tally, and further tallies are at its position`() {
        var stage = Stage()
        stage.arrive(60)
        for poll in 0..<2 { _ = stage.apply(poll == 0 ? results(fives: 1, shared: true) : Self.poll(1)) }
        let sent = stage.flushAll()
        #expect(sent.chains(from: 0))
        #expect(sent.map(\.to) == [50, 50, 60])
        #expect(sent.map { $0.frame.tally == nil } == [false, false, true])
        #expect(sent.map { $0.frame.arrivals?.count } == [50, nil, 10])
    }

    private static func poll(_ number: Int) -> SetResults {
        results("poll-\(number)", fives: 1, shared: true, question: QuestionID(high: 5, low: UInt64(number)))
    }

    @Test func `the feedback set comes before the other sets`() {
        let sets = ["zebra", QuestionSet.feedback, "ant"].enumerated().map { index, name in
            results(name, fives: 1, shared: true, question: QuestionID(high: 5, low: UInt64(index)))
        }
        let snapshot = Stage(sets: sets).room.snapshot(for: .audience, at: Stage.startsAt).snapshot
        #expect(snapshot?.tallies.map(\.set) == ["feedback", "ant", "zebra"])
    }

    @Test func `a room sends a new code only to the views that may see it`() {
        var stage = Stage()
        let code = CodeBody(url: "HTTPS://EXAMPLE.ORG/C/2", joinCode: "SECRET", expiresInMs: 10_000)
        #expect(stage.show(Stage.code) == .none)
        #expect(stage.show(code) == .flushNow)
        let (publications, _) = stage.flush()
        #expect(publications.map(\.view) == [.session, .presenter])
        #expect(publications.allSatisfy { $0.frame.code == code && $0.from == 0 && $0.to == 0 })
    }

    @Test func `a room that has no code any more sends the session without a code`() {
        var stage = Stage()
        #expect(stage.show(nil) == .flushNow)
        let (publications, _) = stage.flush(for: [.session])
        let sent = publications.first?.frame
        #expect(sent?.session != nil && sent?.session?.joinCode == nil && sent?.session?.checkInUrl == nil)
        #expect(stage.room.snapshot(for: .session, at: Stage.startsAt).snapshot?.code == nil)
    }

    @Test func `a room sends an edited session to every view`() {
        var stage = Stage()
        stage.session.plannedCount = 40
        stage.meeting.name = "Renamed"
        stage.respond()
        _ = stage.commit(isEdited: true)
        let (publications, _) = stage.flush()
        #expect(publications.map { $0.frame.session?.meetingName } == ["Renamed", "Renamed", "Renamed"])
        #expect(publications.allSatisfy { $0.frame.attendance?.planned == 40 })
    }

    @Test func `each frame names the room of its view`() {
        var stage = Stage()
        stage.arrive(1)
        let id = stage.session.id.text
        #expect(
            stage.flush().publications.map(\.frame.room) == [
                "session:\(id)", "presenter:\(id)", "audience:\(id)",
            ])
    }
}
