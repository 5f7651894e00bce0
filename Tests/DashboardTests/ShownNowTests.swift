import Client
import Meetings
import Phrases
import Terminal
import Testing
import Wire

@testable import Dashboard

/// What phones and the hall show, and the keys that change it.
struct ShownNowTests {
    @Test(arguments: [true, false])
    func `a key of the audience pane opens and closes its questions, and asks first`(asks: Bool) {
        var scene = Scene.usual()
        scene.listen(.english)
        var dashboard = scene.dashboard(120, 40, asksFirst: asks)
        dashboard.press("4")
        #expect(dashboard.text().contains("m close questions"))
        var actions = dashboard.press("m")
        if asks {
            #expect(actions.isEmpty && dashboard.text().contains("Close on 12 phones?  y yes  Esc no"))
            dashboard.press("n")
            dashboard.press("m")
            actions = dashboard.press("y")
        }
        #expect(actions == [.turnAudience(scene.body.id, open: false)])
        _ = dashboard.take(.turnedAudience(scene.body.id, open: false))
        #expect(dashboard.text().contains("Attendees can no longer ask questions") && !dashboard.isBusy)
    }

    private let scene: Scene = {
        var scene = Scene.usual()
        scene.poll(.english)
        return scene
    }()

    private func strip(_ dashboard: Dashboard) -> String {
        dashboard.text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[1]
    }

    private func sends(_ set: QuestionSet) -> DashboardEvent {
        scene.frame(21) { $0.sets = [Scene.summary(set)] }
    }

    @Test func `the strip at the top follows a poll from its opening to the end of the session`() {
        var dashboard = scene.dashboard(120, 40)
        #expect(strip(dashboard).contains("phones  ● Shall we take a break?  open · 7 answers"))
        #expect(strip(dashboard).contains("hall  question"))
        var poll = scene.polls[1]
        poll.shared = true
        _ = dashboard.take(sends(poll))
        #expect(strip(dashboard).contains("open · shared · 7 answers"))
        #expect(strip(dashboard).contains("hall  results"))
        // Phones keep the results of the poll that closed last.
        poll.openByHand = false
        _ = dashboard.take(sends(poll))
        #expect(strip(dashboard).contains("○ Shall we take a break?  closed · shared · 7 answers"))
        #expect(strip(dashboard).contains("hall  results"))
        poll.shared = false
        _ = dashboard.take(sends(poll))
        #expect(strip(dashboard).contains("○ Where do you come from?  closed · shared · 11 answers"))
        #expect(strip(dashboard).contains("hall  code"))
        _ = dashboard.take(.tick(Scene.startsAt + .hours(3)))
        _ = dashboard.take(scene.update(.heard))
        #expect(strip(dashboard).contains("hall  thanks"))
    }

    @Test func `several open polls show the newest and the number of the others`() {
        var dashboard = scene.dashboard(80, 24)
        var poll = scene.polls[2]
        poll.openByHand = true
        _ = dashboard.take(sends(poll))
        #expect(strip(dashboard).contains("● What shall we read next?  open · 0 answers  +1"))
    }

    @Test func `without a poll, the strip says that phones show the check-in, and later nothing`() {
        var dashboard = Scene.usual().dashboard(80, 24)
        #expect(strip(dashboard).contains("phones  check-in") && strip(dashboard).contains("hall  code"))
        _ = dashboard.take(.tick(Scene.startsAt + .hours(3)))
        _ = dashboard.take(scene.update(.heard))
        #expect(strip(dashboard).contains("phones  nothing to answer"))
    }

    @Test func `a key that changes all phones asks once, and only y changes them`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("3b")
        #expect(dashboard.session?.shownSet?.set == "poll-3")
        dashboard.press("b")
        #expect(dashboard.press("r").isEmpty)
        #expect(dashboard.text().contains("Share with 12 phones?  y yes  Esc no  Shall we take a break?"))
        // The second press of the same key is the mistake that the question prevents.
        #expect(dashboard.press("r").isEmpty)
        #expect(dashboard.text().contains("Nothing was changed"))
        let shared = SetSwitch(set: "poll-2", heading: "Shall we take a break?", change: .shared(true))
        #expect(dashboard.press("ry") == [.change(scene.body.id, shared, version: 3)])
        _ = dashboard.take(.changedSet(scene.body.id, shared))
        dashboard.press("x")
        #expect(dashboard.text().contains("Close on 12 phones?"))
        dashboard.press(.escape)
        #expect(dashboard.pane == .questions && dashboard.question == nil)
        // A mouse click is no answer.
        dashboard.press("x")
        #expect(dashboard.take(.pressed(.pane(.overview))).isEmpty && dashboard.pane == .questions)
        dashboard.press("b")
        dashboard.press("x")
        #expect(dashboard.text().contains("Reopen on 12 phones?"))
    }

    @Test func `a question is void if somebody has made the change meanwhile`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("3bb")
        dashboard.press("x")
        var poll = scene.polls[1]
        poll.openByHand = false
        poll.version = 4
        _ = dashboard.take(sends(poll))
        #expect(dashboard.press("y").isEmpty)
        #expect(dashboard.text().contains("Nothing to change"))
    }

    @Test func `y changes only the version that the host saw`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("3bb")
        dashboard.press("x")
        var poll = scene.polls[1]
        (poll.shared, poll.version) = (true, 4)
        _ = dashboard.take(sends(poll))
        #expect(dashboard.press("y").isEmpty)
        #expect(dashboard.text().contains("Somebody changed it meanwhile."))
    }

    @Test func `the wheel does not move what a question is about`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("3bb")
        dashboard.press("x")
        let shown = dashboard.text()
        _ = dashboard.take(.screen(.scrolled(up: false, column: 3, row: 20)))
        #expect(dashboard.text() == shown && dashboard.question != nil)
    }

    @Test(arguments: [true, false])
    func `a screen that is too small to show a question changes no phone`(asks: Bool) {
        var dashboard = scene.dashboard(39, 24, asksFirst: asks)
        dashboard.press("3bb")
        #expect(dashboard.press("x").isEmpty && dashboard.question == nil)
        dashboard = scene.dashboard(80, 24)
        dashboard.press("3bb")
        dashboard.press("x")
        _ = dashboard.take(.screen(.resized(Size(columns: 80, rows: 11))))
        #expect(dashboard.press("y").isEmpty)
    }

    @Test func `keys do not ask if the host has switched it off, or if nobody has checked in`() {
        var dashboard = scene.dashboard(80, 24, asksFirst: false)
        dashboard.press("3bb")
        #expect(dashboard.press("x").count == 1)
        var empty = Scene()
        empty.ask(.english)
        empty.poll(.english)
        dashboard = empty.dashboard(80, 24)
        dashboard.press("3bb")
        #expect(dashboard.press("x").count == 1)
    }

    @Test func `the words of the footer say what the keys do now`() {
        var dashboard = scene.dashboard(80, 24)
        dashboard.press("3")
        // The form for feedback is no poll, so x acts on the open poll.
        #expect(dashboard.text().contains("x close  r share"))
        dashboard.press("b")
        #expect(dashboard.text().contains("x open  r share"))
        dashboard.press("bb")
        #expect(dashboard.text().contains("x reopen  r hide"))
    }

    @Test func `the list shows each set with its state, its answers and its age`() {
        var dashboard = scene.dashboard(120, 40)
        var opening = EventData(set: "poll-1", fields: ["open"])
        opening.changes = nil
        let event = Event(
            sessionID: scene.body.id, sequence: 18, at: scene.now - .minutes(64), kind: .edited,
            attendeeID: nil, actor: .account(AccountID(high: 7, low: 1)), data: opening)
        dashboard.press("3")
        // The pane needs the journal for the ages.
        #expect(
            dashboard.take(.tick(scene.now)).contains(.readJournal(scene.body.id, since: 0, upTo: 20)))
        _ = dashboard.take(.journal(scene.body.id, [EventBody(event)], upTo: 20))
        var poll = scene.polls[1]
        poll.shared = true
        _ = dashboard.take(sends(poll))
        _ = dashboard.take(.tick(scene.now + .minutes(3)))
        let lines = dashboard.text().split(separator: "\n").map(String.init)
        func line(_ text: String) -> String {
            lines.dropFirst(2).first { $0.contains(text) && $0.contains("answers") } ?? ""
        }
        #expect(line("Where do you").contains("closed · shared  11 answers  1 h 7 min"))
        #expect(line("Shall we").contains("● Shall we take a break?"))
        #expect(line("Shall we").contains("open · shared   7 answers      3 min"))
        #expect(line("What shall we").contains("prepared   0 answers"))
        // A click selects the set.
        _ = dashboard.take(.pressed(.set("poll-3")))
        #expect(dashboard.session?.shownSet?.set == "poll-3")
    }
}
