import Client
import CommandLine
import Meetings
import Outbound
import Phrases
import Terminal
import Testing
import Wire

@testable import HostCommands

extension LiveView {
    /// Returns the new lines without colours.
    fileprivate mutating func lines(_ update: RoomUpdate, _ call: Invocation, now: Instant) -> [String] {
        take(update, call, now: now).map(\.text)
    }
}

struct LiveViewTests {
    private let now = Instant(seconds: 1_795_255_205)
    private let session = SessionID.makeTimeless()

    private func call(_ language: Language = .english, _ words: [String] = []) throws -> Invocation {
        let command = try #require(HostCommands.all.first { $0.name == "watch" })
        return try Invocation(
            command: command, arguments: try Arguments(words, for: command), environment: [:],
            console: RecordingConsole(), language: language,
            commandSet: HostCommands.commandSet())
    }

    private func frame(_ sequence: Int64, _ change: (inout RoomFrame) -> Void) -> RoomUpdate {
        var frame = RoomFrame(room: .session(session), sequence: sequence)
        change(&frame)
        return .frame(frame)
    }

    private func attendance(_ present: Int, late: Int = 0, planned: Int = 30) -> Attendance {
        var count = HeadCount()
        (count.present, count.late) = (present, late)
        return Attendance(count, planned: planned, sessionIsOver: false)
    }

    private func person(_ name: String, _ status: RecordedStatus = .present) -> AttendeeBody {
        var attendee = Attendee(id: .makeTimeless(), sessionID: session, name: name)
        attendee.status = status
        return AttendeeBody(forMembers: attendee, identifyBy: .email, sessionIsOver: false)
    }

    @Test func `names, late people and the time have colours, and a line is cut before it is painted`() throws
    {
        var view = LiveView()
        let paint = Paint(isOn: true, theme: .terminal, colours: 8)
        let line = try #require(
            view.take(
                frame(7) {
                    $0.attendance = attendance(2, late: 1)
                    $0.arrivals = [person("Kim"), person("Lee", .late)]
                }, try call(), now: now
            ).first)
        #expect(line.painted(Paint.none) == line.text)
        let begin = "\u{1B}[90m10:00:05  \u{1B}[0min 3/30 · \u{1B}[33mlate 1\u{1B}[0m  + "
        #expect(line.painted(paint) == begin + "\u{1B}[32mKim\u{1B}[0m, \u{1B}[33mLee\u{1B}[0m")
        #expect(line.painted(paint, width: 32) == begin + "\u{1B}[32mK…\u{1B}[0m")
        #expect(
            view.line(for: .lateLimit, try call(), now: now).painted(paint).hasSuffix(
                "\u{1B}[33marrivals are late from now on\u{1B}[0m"))
    }

    @Test func `compact lines have counts without names, and each counts once`() throws {
        var view = LiveView()
        let compact = try call(.english, ["--compact"])
        func arrival(_ sequence: Int64) -> RoomUpdate {
            frame(sequence) {
                $0.attendance = attendance(2)
                $0.arrivals = [person("Kim")]
            }
        }
        #expect(view.lines(arrival(7), compact, now: now) == ["10:00:05  in 2/30"])
        #expect(view.lines(arrival(8), compact, now: now) == [])
    }

    @Test func `the names of arrivals are on the same line as the counts`() throws {
        var view = LiveView()
        let lines = view.lines(
            frame(7) {
                $0.attendance = attendance(2)
                $0.arrivals = [person("Kim"), person("이준\u{1B}[0m")]
            }, try call(), now: now)
        #expect(lines == ["10:00:05  in 2/30  + Kim, 이준[0m"])
    }

    @Test
    func `opening, start, late limit, end and the absent people are reported once, by the server's clock`()
        throws
    {
        let starts = now + .minutes(5)
        let planned = Session(
            id: session, meetingID: .makeTimeless(), round: 1, startsAt: starts, endsAt: starts + .hours(1),
            lateAfterMinutes: 10, joinCode: "K7QX2M")
        let meeting = Meeting(id: planned.meetingID, name: "Study group", timeZone: .utc, createdAt: now)
        let body = SessionBody(planned, of: meeting, headCount: HeadCount(), feedback: .none, at: now)
        var view = LiveView(startingWith: body)
        #expect(view.milestones(at: now + .hours(9)) == [], "the client has not joined")
        // The server's clock is two minutes ahead.
        _ = view.take(
            .joined(
                Joined(
                    joined: .session(session), id: 1, epoch: "e", sequence: 1, recovered: true,
                    now: now + .minutes(2))), try call(), now: now)
        #expect(view.milestones(at: now + .minutes(3) - .milliseconds(1)) == [])
        #expect(view.milestones(at: now + .minutes(3)) == [.started])
        #expect(view.milestones(at: now + .minutes(3)) == [])
        #expect(view.milestones(at: now + .minutes(13)) == [], "an arrival at the limit is on time")
        #expect(view.milestones(at: now + .minutes(14)) == [.lateLimit])
        #expect(view.milestones(at: now + .hours(2)) == [.ended])
        #expect(view.line(for: .ended, try call(), now: now).text == "10:00:05  the session has ended")
        #expect(
            view.line(absent: ["Kim", "Lee"], unnamed: 5, try call(.korean), now: now).text
                == "10:00:05  결석: Kim, Lee, 외 이름 없는 5명")
        #expect(view.line(absent: [], unnamed: 0, try call(), now: now).text == "10:00:05  nobody is absent")
    }

    @Test func `of many arrivals at once, four are named and the others are counted`() throws {
        var view = LiveView()
        let update = frame(7) {
            $0.attendance = attendance(50)
            $0.arrivals = (1...50).map { person("P\($0)") }
        }
        #expect(
            view.lines(update, try call(.korean), now: now) == ["10:00:05  체크인 50/30  + P1, P2, P3, P4 외 46명"]
        )
        #expect(view.arrived.count == 50)
    }

    @Test func `a view has caught up when it has the names of all arrivals that the counts include`() throws {
        var view = LiveView()
        let joined = Joined(
            joined: .session(session), id: 1, epoch: "e", sequence: 1, recovered: true, now: now)
        _ = view.take(.joined(joined), try call(), now: now)
        func isCaughtUp(toCome: Int?, at sequence: Int64) throws -> Bool {
            let update = frame(sequence) {
                $0.attendance = attendance(51)
                $0.arrivalsToCome = toCome
            }
            _ = view.take(update, try call(), now: now)
            return view.isCaughtUp
        }
        #expect(try !isCaughtUp(toCome: 1, at: 50))
        #expect(view.resumption != nil, "a client that stops between the frames goes on from here")
        #expect(try isCaughtUp(toCome: nil, at: 51))
    }

    @Test func `if the server omits names, the view shows how many arrivals are not shown`() throws {
        var view = LiveView()
        let call = try call()
        _ = view.take(frame(7) { $0.arrivals = [person("Kim"), person("Lee")] }, call, now: now)
        #expect(view.seen == 2)
        let lines = view.lines(
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
        #expect(view.lines(frame(7) { $0.attendance = attendance(2) }, call, now: now).count == 1)
        #expect(view.lines(frame(8) { $0.attendance = attendance(2) }, call, now: now).isEmpty)
    }

    @Test func `the view prints a lost connection and the reconnection`() throws {
        var view = LiveView()
        let call = try call()
        let lost = RoomUpdate.reconnecting(in: .seconds(2), because: .closed(code: 1001, reason: ""))
        #expect(view.lines(lost, call, now: now) == ["10:00:05  connection lost; retrying in 2 s"])
        let joined = Joined(
            joined: .session(session), id: 1, epoch: "e", sequence: 3, recovered: true, now: now)
        #expect(view.lines(.joined(joined), call, now: now) == ["10:00:05  connected again"])
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
            let lines = view.lines(frame(7) { $0.tally = tally }, try call(language), now: now)
            #expect(lines == ["10:00:05  \(title): \(label) 3"])
            let chart = TallyText.write(tally, try call(language), countsRest: true)
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
        // A room always sends a frame after a join.
        _ = view.take(joined(7, recovered: true), call, now: now)
        #expect(!view.isCaughtUp && view.resumption == nil)
        _ = view.take(frame(7) { $0.more = true }, call, now: now)
        #expect(!view.isCaughtUp && view.resumption == nil)
        _ = view.take(frame(7) { _ in }, call, now: now)
        #expect(view.isCaughtUp && view.resumption?.text == "e:7@\(now.milliseconds)")
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

    @Test func `watch prints documented codes as JSON, and never the name of a case with its values`() throws
    {
        let problem = Problem(code: .notAllowed, in: .english)
        let gone = CloseCode.roomGone.rawValue
        let updates: [(RoomUpdate, String?)] = [
            (.ended(.closed(code: gone, reason: "room_gone")), "room_gone"),
            (.ended(.closed(code: gone, reason: "")), "room_gone"),
            (.ended(.closed(code: 4001, reason: "")), "not_authorized"),
            (.ended(.stopped), "stopped"), (.ended(.unreachable("x(1)")), "unreachable"),
            (.ended(.refused(problem)), "refused"),
            (.reconnecting(in: .seconds(1), because: .silent), "silent"),
            (.reconnecting(in: .seconds(1), because: .unreachable("Failed (7)")), "unreachable"),
            (.reconnecting(in: .seconds(1), because: .closed(code: 1006, reason: "went (away)")), "closed"),
            (.reconnecting(in: .seconds(1), because: .closed(code: 1001, reason: "")), "going_away"),
            (.refused(problem), nil), (.heard, nil),
        ]
        for (update, code) in updates {
            let line = WatchLine(update, in: LiveView())
            #expect(line.reason == code)
            let text = String(decoding: WireJSON.bytes(line), as: UTF8.self)
            #expect(!text.contains(#/[a-z][A-Za-z]*\(/#), "\(text)")
        }
    }
}
