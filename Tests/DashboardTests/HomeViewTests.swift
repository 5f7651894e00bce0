import Client
import Foundation
import Meetings
import Terminal
import Testing
import Wire

@testable import Dashboard

struct HomeViewTests {
    private let now = Scene.startsAt + .minutes(4)

    private func session(
        _ number: UInt64, _ name: String, startsIn minutes: Int, here: Int = 0, planned: Int = 30
    ) -> SessionBody {
        let meeting = Meeting(
            id: MeetingID(high: 5, low: number), name: name, timeZone: Zone("Asia/Seoul") ?? .utc,
            createdAt: now)
        let starts = now + .minutes(minutes)
        let session = Session(
            id: SessionID(high: 6, low: number), meetingID: meeting.id, round: 1, startsAt: starts,
            endsAt: starts + .hours(1),
            plannedCount: planned, joinCode: "K7QX2M")
        var head = HeadCount()
        head.present = here
        return SessionBody(session, of: meeting, headCount: head, feedback: .none, at: now)
    }

    private func dashboard(_ sessions: [SessionBody], _ columns: Int = 80, _ rows: Int = 24) -> Dashboard {
        var dashboard = Dashboard(
            size: Size(columns: columns, rows: rows), now: now, home: HomeState(), readEnd: { _, _, _ in nil }
        )
        _ = dashboard.take(
            .home(
                .joined(Joined(joined: .home, id: 1, epoch: "e", sequence: nil, recovered: false, now: now))))
        _ = dashboard.take(.home(.home(HomeFrame(snapshot: .init(sessions: sessions, nearest: nil)))))
        return dashboard
    }

    private var several: [SessionBody] {
        [
            session(1, "Tomorrow", startsIn: 24 * 60), session(2, "In an hour", startsIn: 60),
            session(3, "독서 모임", startsIn: -4, here: 12),
            session(4, "This morning", startsIn: -300, here: 30),
            session(5, "Last week", startsIn: -7 * 24 * 60, here: 5, planned: 0),
        ]
    }

    @Test func `today's sessions come first, and the nearest session is at the top`() {
        let home = dashboard(several).home
        #expect(
            home?.order(at: now).map(\.meetingName) == [
                "독서 모임", "In an hour", "This morning", "Tomorrow", "Last week",
            ])
        #expect(home?.selected == SessionID(high: 6, low: 3))
    }

    @Test func `the list updates its counts, and sessions are added and removed`() {
        var dashboard = dashboard(several)
        _ = dashboard.take(.home(.home(HomeFrame(session: session(3, "독서 모임", startsIn: -4, here: 13)))))
        #expect(dashboard.text().contains("13/30"))
        _ = dashboard.take(.home(.home(HomeFrame(session: session(9, "New", startsIn: 10)))))
        #expect(dashboard.text().contains("New"))
        _ = dashboard.take(.home(.home(HomeFrame(removed: [SessionID(high: 6, low: 3)]))))
        #expect(!dashboard.text().contains("독서"))
        #expect(dashboard.home?.selected == SessionID(high: 6, low: 9))
    }

    @Test func `a round of today that has ended stays beside the meeting's next round, until midnight`() {
        func round(_ number: UInt64, startsIn minutes: Int, here: Int) -> SessionBody {
            let meeting = Meeting(
                id: MeetingID(high: 5, low: 1), name: "Study group", timeZone: .utc, createdAt: now)
            let session = Session(
                id: SessionID(high: 7, low: number), meetingID: meeting.id, round: Int(number),
                startsAt: now + .minutes(minutes), endsAt: now + .minutes(minutes + 1), joinCode: "K7QX2M")
            var head = HeadCount()
            head.present = here
            return SessionBody(session, of: meeting, headCount: head, feedback: .none, at: now)
        }
        let all = [
            round(1, startsIn: -7 * 24 * 60, here: 9), round(2, startsIn: -2, here: 12),
            round(3, startsIn: 7 * 24 * 60, here: 0), round(4, startsIn: 14 * 24 * 60, here: 0),
        ]
        var home = HomeState()
        for round in all { home.take(.home(HomeFrame(session: round)), now: now) }
        #expect(home.order(at: now).map(\.round) == [2, 3])
        #expect(home.order(at: now).first?.attendance.checkedIn == 12)
        #expect(home.order(at: now + .hours(24)).map(\.round) == [3])
        #expect(home.order(at: now + .hours(24 * 30)).map(\.round) == [4])
    }

    @Test func `after a start with a session, h opens the list with that session selected`() {
        var dashboard = Dashboard(size: Size(columns: 80, rows: 24), now: now, readEnd: { _, _, _ in nil })
        _ = dashboard.open(session(2, "In an hour", startsIn: 60))
        #expect(dashboard.press("h") == [.unwatch, .watchHome])
        #expect(dashboard.session == nil)
        _ = dashboard.take(
            .home(
                .joined(Joined(joined: .home, id: 1, epoch: "e", sequence: nil, recovered: false, now: now))))
        _ = dashboard.take(.home(.home(HomeFrame(snapshot: .init(sessions: several, nearest: nil)))))
        #expect(dashboard.text().contains("독서 모임"))
        #expect(dashboard.press(.enter) == [.watch(SessionID(high: 6, low: 2))])
        #expect(dashboard.press("h") == [.unwatch], "home is watched already")
    }

    @Test func `Enter opens the selected session, and h leads back to the list`() {
        var dashboard = dashboard(several)
        dashboard.press("j")
        #expect(dashboard.press(.enter) == [.watch(SessionID(high: 6, low: 2))])
        #expect(dashboard.press("h") == [.unwatch])
        #expect(dashboard.session == nil)
        #expect(dashboard.press("q") == [.quit])
    }

    @Test func `the list of sessions looks as approved`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
        // The title is removed, because it has this machine's date and time.
        func body(_ dashboard: Dashboard) -> String {
            dashboard.text().split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(
                separator: "\n")
        }
        for (name, text) in [
            ("home-80x24", body(dashboard(several))), ("home-40x12", body(dashboard(several, 40, 12))),
            ("home-empty-80x24", body(dashboard([]))), ("home-later-80x24", body(dashboard([several[0]]))),
        ] {
            let file = folder.appending(path: "\(name).txt")
            if ProcessInfo.processInfo.environment["QRING_GOLDEN"] == "write" {
                try Data(text.utf8).write(to: file)
            }
            #expect(text == (try String(contentsOf: file, encoding: .utf8)), "\(name) is now:\n\(text)")
        }
    }
}
