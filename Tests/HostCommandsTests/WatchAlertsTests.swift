import Client
import CommandLine
import Meetings
import Phrases
import Terminal
import Testing
import Wire

@testable import HostCommands

struct WatchAlertsTests {
    @Test func `notifications use both common sequences, and tmux passes them on in an envelope`() {
        let text = TerminalAlert.notification(title: "Study", body: "Ready")
        #expect(text == "\u{1B}]9;Study: Ready\u{7}\u{1B}]777;notify;Study;Ready\u{7}")
        #expect(TerminalAlert.throughTmux("\u{1B}]9;x\u{7}") == "\u{1B}Ptmux;\u{1B}\u{1B}]9;x\u{7}\u{1B}\\")
    }

    @Test func `watch ends at a moment of the session, also if an edit moves it, or at a time`() throws {
        let start = LiveView().now()
        func body(minutes: Int) -> SessionBody {
            let meeting = Meeting(id: .makeTimeless(), name: "Study group", timeZone: .utc, createdAt: start)
            let session = Session(
                id: session, meetingID: meeting.id, round: 1, startsAt: start,
                endsAt: start + .minutes(minutes), plannedCount: 0, joinCode: "K7QX2M")
            let none = FeedbackSummary(
                questions: 0, responses: 0, promise: .named, shared: false, openByHand: nil)
            return SessionBody(session, of: meeting, headCount: HeadCount(), feedback: none, at: start)
        }
        let ended = try WatchEnd("ended", of: body(minutes: 60))
        #expect(!ended.isReached(in: body(minutes: 60), at: start + .minutes(60)))
        #expect(ended.isReached(in: body(minutes: 60), at: start + .minutes(61)))
        #expect(!ended.isReached(in: body(minutes: 90), at: start + .minutes(61)))
        #expect(!ended.isReached(in: nil, at: start + .minutes(61)))
        let opened = try WatchEnd("opened", of: body(minutes: 60))
        #expect(opened.isReached(in: body(minutes: 60), at: start))
        let time = try WatchEnd("+10m", of: body(minutes: 60))
        #expect(!time.isReached(in: nil, at: start + .minutes(9)))
        #expect(time.isReached(in: nil, at: start + .minutes(11)))
        #expect(!WatchEnd.isReadable("soon") && !WatchEnd.isReadable("checked-in=3"))
    }

    @Test func `a time of --until is on the session's day, and an impossible or past time is refused`() throws
    {
        let zone = try #require(Zone("Europe/Berlin"))
        func at(_ text: String) throws -> Instant {
            try #require(WhenText.start(text, now: Instant(seconds: 1_774_000_000), in: zone))
        }
        func body(_ start: String, hours: Int) throws -> SessionBody {
            let starts = try at(start)
            let meeting = Meeting(id: .makeTimeless(), name: "Study group", timeZone: zone, createdAt: starts)
            let session = Session(
                id: session, meetingID: meeting.id, round: 1, startsAt: starts,
                endsAt: starts + .hours(hours),
                plannedCount: 0, joinCode: "K7QX2M")
            let none = FeedbackSummary(
                questions: 0, responses: 0, promise: .named, shared: false, openByHand: nil)
            return SessionBody(session, of: meeting, headCount: HeadCount(), feedback: none, at: starts)
        }
        let now = try at("2026-03-27 12:00")
        let evening = try body("2026-03-30 19:00", hours: 2)
        let end = try WatchEnd("20:30", of: evening, now: now)
        #expect(!end.isReached(in: evening, at: try at("2026-03-30 20:29")))
        #expect(end.isReached(in: evening, at: try at("2026-03-30 20:30")))
        // A session past midnight: 1:00 is on the next day once that of the first day is over.
        let night = try body("2026-03-27 11:00", hours: 15)
        let late = try WatchEnd("1:00", of: night, now: now)
        #expect(!late.isReached(in: night, at: try at("2026-03-28 00:59")))
        // Clocks skip 2:30 on 29 March 2026, and 11:30 of the 27th is over.
        #expect(throws: CommandFailure.self) {
            try WatchEnd("2:30", of: try body("2026-03-29 1:00", hours: 5), now: now)
        }
        #expect(throws: CommandFailure.self) { try WatchEnd("2026-03-29 2:30", of: evening, now: now) }
        #expect(throws: CommandFailure.self) { try WatchEnd("11:30", of: night, now: now) }
    }

    private let lost = RoomUpdate.reconnecting(in: .seconds(1), because: .silent)
    private let session = SessionID.makeTimeless()

    private func frame(_ checkedIn: Int, of planned: Int = 3) -> RoomUpdate {
        var (frame, count) = (RoomFrame(room: .session(session), sequence: Int64(checkedIn)), HeadCount())
        count.present = checkedIn
        frame.attendance = Attendance(count, planned: planned, sessionIsOver: false)
        return .frame(frame)
    }

    private func call() throws -> Invocation {
        let command = try #require(HostCommands.all.first { $0.name == "watch" })
        return try Invocation(
            command: command, arguments: try Arguments([], for: command), environment: [:],
            console: RecordingConsole(), language: .english, commandSet: HostCommands.commandSet())
    }

    /// Returns the alerts after each update.
    private func alerts(
        after updates: [RoomUpdate], goal: WatchGoal? = nil, from start: LiveView = LiveView()
    ) throws -> [[WatchAlerts.Alert]] {
        var (view, alerts) = (start, WatchAlerts(goal: goal, of: start))
        let call = try call()
        return updates.map { update in
            _ = view.take(update, call)
            return alerts.alerts(after: update, in: view)
        }
    }

    @Test func `a lost connection gives one alert for each loss`() throws {
        let joined = RoomUpdate.joined(
            Joined(
                joined: .session(session), id: 1, epoch: "e", sequence: 1, recovered: true,
                now: Instant(milliseconds: 1)))
        #expect(
            try alerts(after: [lost, lost, joined, lost]) == [[.connectionLost], [], [], [.connectionLost]])
    }

    @Test func `the first arrival and the planned number give one alert each`() throws {
        #expect(
            try alerts(after: [frame(0), frame(1), frame(2), frame(3), frame(4)])
                == [[], [.firstArrival], [], [.goal], []])
        #expect(try alerts(after: [frame(5, of: 0)]) == [[.firstArrival]], "nobody planned a number")
    }

    @Test func `the goal of --until prevails over the planned number`() throws {
        #expect(
            try alerts(after: [frame(3), frame(5)], goal: WatchGoal("checked-in=5"))
                == [[.firstArrival], [.goal]])
    }

    @Test func `what had happened before the command gives no alert`() throws {
        var view = LiveView()
        _ = view.take(frame(3), try call())
        #expect(try alerts(after: [frame(4)], from: view) == [[]])
    }

    @Test func `the clipboard gets the text in base64`() {
        #expect(Clipboard.sequence(for: "한") == "\u{1B}]52;c;7ZWc\u{7}")
    }

    @Test func `the browser is the user's, or that of a screen, or none`() {
        #expect(LinkCommands.browser(["BROWSER": "w3m:lynx"]) == "w3m")
        #expect(LinkCommands.browser(["DISPLAY": ":0"]) == "xdg-open")
        #expect(LinkCommands.browser(["WSL_DISTRO_NAME": "x"]) == "wslview")
        #expect(LinkCommands.browser([:]) == nil)
    }
}
