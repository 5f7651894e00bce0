import Client
import CommandLine
import Meetings
import Outbound
import Phrases
import Testing
import Wire

@testable import HostCommands

struct LiveViewTests {
    private let now = Instant(seconds: 1_795_255_205)
    private let session = SessionID.makeTimeless()

    private func call(_ language: Language = .english) throws -> Invocation {
        let command = try #require(HostCommands.all.first { $0.name == "watch" })
        return Invocation(
            command: command, arguments: try Arguments([], for: command), environment: [:],
            console: RecordingConsole(), language: language,
            commandSet: HostCommands.commandSet())
    }

    private func frame(_ sequence: Int64, _ change: (inout RoomFrame) -> Void) -> RoomUpdate {
        var frame = RoomFrame(room: .session(session), sequence: sequence)
        change(&frame)
        return .frame(frame)
    }

    private func attendance(_ present: Int, planned: Int = 30) -> Attendance {
        var count = HeadCount()
        count.present = present
        return Attendance(count, planned: planned, sessionIsOver: false)
    }

    private func person(_ name: String) -> AttendeeBody {
        AttendeeBody(
            forMembers: Attendee(id: .makeTimeless(), sessionID: session, name: name), identifyBy: .email,
            sessionIsOver: false)
    }

    @Test func `the names of arrivals are on the same line as the counts`() throws {
        var view = LiveView()
        let lines = view.take(
            frame(7) {
                $0.attendance = attendance(2)
                $0.arrivals = [person("Kim"), person("이준\u{1B}[0m")]
            }, try call(), now: now)
        #expect(lines == ["10:00:05  in 2/30  + Kim, 이준[0m"])
    }

    @Test func `of many arrivals at once, four are named and the others are counted`() throws {
        var view = LiveView()
        let update = frame(7) {
            $0.attendance = attendance(50)
            $0.arrivals = (1...50).map { person("P\($0)") }
        }
        #expect(
            view.take(update, try call(.korean), now: now) == ["10:00:05  체크인 50/30  + P1, P2, P3, P4 외 46명"])
        #expect(view.arrived.count == 50)
    }

    @Test func `if the server omits names, the view shows how many arrivals are not shown`() throws {
        var view = LiveView()
        let call = try call()
        _ = view.take(frame(7) { $0.arrivals = [person("Kim"), person("Lee")] }, call, now: now)
        #expect(view.seen == 2)
        let lines = view.take(
            frame(2000) {
                $0.attendance = attendance(1500)
                $0.arrivalsOmitted = 1498
            }, call, now: now)
        #expect(view.seen == 1500)
        #expect(lines.last == "10:00:05  1498 arrivals are not shown; qring attendee list shows all")
    }

    @Test func `the view does not print counts that did not change`() throws {
        var view = LiveView()
        let call = try call()
        #expect(view.take(frame(7) { $0.attendance = attendance(2) }, call, now: now).count == 1)
        #expect(view.take(frame(8) { $0.attendance = attendance(2) }, call, now: now).isEmpty)
    }

    @Test func `the view prints a lost connection and the reconnection`() throws {
        var view = LiveView()
        let call = try call()
        let lost = RoomUpdate.reconnecting(in: .seconds(2), because: .closed(code: 1001, reason: ""))
        #expect(view.take(lost, call, now: now) == ["10:00:05  connection lost; retrying in 2 s"])
        let joined = Joined(
            joined: .session(session), id: 1, epoch: "e", sequence: 3, recovered: true, now: now)
        #expect(view.take(.joined(joined), call, now: now) == ["10:00:05  connected again"])
        _ = view.take(frame(9) { _ in }, call, now: now)
        #expect(view.position == RoomPosition(epoch: "e", sequence: 9))
    }

    @Test func `the result of a question is printed in the host's language`() throws {
        let pace = Question(
            id: .makeTimeless(), title: LocalizedText(["en": "How is the pace?", "ko": "속도가 어떤가요?"]),
            kind: .multipleChoice(
                choices: [.init(id: "good", label: LocalizedText(["en": "Just right", "ko": "적당해요"]))],
                minSelections: 1, maxSelections: 1))
        var count = TallyCount(for: pace)
        for _ in 1...3 { count.add(.choices(["good"]), to: pace) }
        let set = QuestionSet(questions: [pace], anonymous: true, responses: 3, publishedResponses: 3)
        let tally = TallyBody(pace, in: set, count: count, latest: [])
        for (language, title, label) in [
            (Language.english, "How is the pace?", "Just right"), (.korean, "속도가 어떤가요?", "적당해요"),
        ] {
            var view = LiveView()
            let lines = view.take(frame(7) { $0.tally = tally }, try call(language), now: now)
            #expect(lines == ["10:00:05  \(title): \(label) 3"])
            let chart = TallyText.write(tally, try call(language))
            #expect(chart.hasPrefix("\(title)\n") && chart.contains("  \(label)  3  100% ███"))
        }
    }

    @Test func `a view has caught up when it has received the frames from before its join`() throws {
        let call = try call()
        func joined(_ sequence: Int64, recovered: Bool) -> RoomUpdate {
            .joined(
                Joined(
                    joined: .session(session), id: 1, epoch: "e", sequence: sequence, recovered: recovered,
                    now: now))
        }
        var view = LiveView()
        _ = view.take(frame(5) { _ in }, call, now: now)
        _ = view.take(joined(7, recovered: true), call, now: now)
        #expect(!view.isCaughtUp)
        _ = view.take(frame(7) { _ in }, call, now: now)
        #expect(view.isCaughtUp)
        _ = view.take(joined(7, recovered: true), call, now: now)
        #expect(view.isCaughtUp)
        // The view has not received the snapshot yet.
        _ = view.take(joined(3, recovered: false), call, now: now)
        #expect(!view.isCaughtUp && view.position == nil)
    }

    @Test func `a goal is a number of check-ins or responses, and is reached at that number`() throws {
        #expect(WatchGoal("checked-in=50")?.count == 50)
        for text in ["checked-in=50", "responses=9"] { #expect(WatchGoal(text)?.text == text) }
        for wrong in ["", "checked-in", "checked-in=", "checked-in=x", "present=5", "responses=-1"] {
            #expect(WatchGoal(wrong) == nil)
        }
        let goal = try #require(WatchGoal("checked-in=2"))
        var view = LiveView()
        #expect(!goal.isReached(by: view))
        _ = view.take(frame(1) { $0.attendance = attendance(2) }, try call(), now: now)
        #expect(goal.isReached(by: view))
    }
}
