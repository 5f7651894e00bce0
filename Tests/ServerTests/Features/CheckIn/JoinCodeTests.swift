import Journal
import Meetings
import Synchronization
import Testing

@testable import Server

/// Tests of the table of rotating join codes, and of the delays of wrong codes.
@Suite struct JoinCodeTests {
    private func exchange(_ code: String, _ site: Site) async throws -> Int {
        try await site.send("POST", "/api/v1/grants", json: "{\"joinCode\": \"\(code)\"}").status
    }

    private func code(_ session: Session, _ site: Site) -> String {
        RotatingJoinCode.text(of: session, at: site.services.codeClock.now, keys: site.keys)
    }

    private func rotate(_ cast: Cast, _ site: Site, renewsCode: Bool = false) async throws -> Session {
        try await site.storage.perform(
            EditSession(
                id: cast.session, settings: .init(codeKind: .rotating), renewsCode: renewsCode,
                actor: cast.owner)
        ).record.session
    }

    @Test func `the server knows a rotating join code as soon as its session is committed`() async throws {
        try await Site.open { site in
            // The first look-up builds the table while no session has rotating codes.
            #expect(try await exchange("222222", site) == 422)
            let cast = try await site.cast()
            let session = try await rotate(cast, site)
            let first = code(session, site)
            #expect(try await exchange(first, site) == 201)
            #expect(try await exchange(cast.record.session.joinCode, site) == 422)
            let renewed = try await rotate(cast, site, renewsCode: true)
            #expect(try await exchange(first, site) == 422)
            #expect(try await exchange(code(renewed, site), site) == 201)
            let fixed = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeKind: .static), actor: cast.owner))
            #expect(try await exchange(code(renewed, site), site) == 422)
            #expect(try await exchange(fixed.record.session.joinCode, site) == 201)
            _ = try await rotate(cast, site)
            try await site.storage.perform(
                DeleteMeeting(id: cast.meeting, confirmation: "Meeting", actor: cast.owner))
            #expect(try await exchange(code(renewed, site), site) == 422)
        }
    }

    @Test func `the server knows a rotating join code from the first moment of check-in to the last`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let next = try await site.storage.perform(
                ContinueMeeting(
                    meeting: cast.meeting, startsAt: at(300), endsAt: at(360),
                    settings: .init(codeKind: .rotating), actor: cast.owner))
            #expect(try await exchange(code(next.session, site), site) == 422)
            site.clock.set(at(239))
            #expect(try await exchange("222222", site) == 422)
            for (minute, status) in [(240, 201), (300, 201), (360, 201)] {
                site.clock.set(at(minute))
                #expect(try await exchange(code(next.session, site), site) == status, "\(minute)")
            }
            site.clock.set(at(364))
            #expect(try await exchange(code(next.session, site), site) == 422)
        }
    }

    @Test func `each join code is equally likely`() {
        // The first of eight random bytes changes every character, so that no remainder of one byte shows.
        let codes = (0..<3000).map { JoinCode.text(of: [UInt8](repeating: UInt8($0 % 256), count: 8)) }
        #expect(Set(codes).count == 256)
        #expect(codes.allSatisfy { JoinCode.normalized($0) == $0 })
    }

    @Test func `answers to wrong join codes are delayed, and right codes never wait`() async throws {
        try await Site.open { site in
            let cast = try await site.cast()
            let right = cast.record.session.joinCode
            for number in 1...(Delays.wrongCodes.free + 3) {
                #expect(try await exchange("ZZZZZZ", site) == 422, "\(number)")
                #expect(try await exchange(right, site) == 201, "\(number)")
            }
            #expect(site.clock.pauses == [.milliseconds(10), .milliseconds(20)])
            // The browser's mark slows down earlier, and a browser that discards it is counted by address.
            let cookie = ("Cookie", "qring_device=\(String(repeating: "A", count: 26))")
            for _ in 1...12 {
                _ = try await site.send("POST", "/", form: "joinCode=ZZZZZZ", headers: [cookie])
            }
            #expect(site.clock.pauses.last == .milliseconds(140))
            #expect(try await exchange(right, site) == 201)
        }
    }

    @Test func `only a limited number of answers wait, and the others get an answer at once`() async throws {
        let clock = HeldClock()
        let delays = Delays(clock)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<Delays.mostOfOrigin {
                group.addTask { await delays.pause(for: .seconds(1), origin: "hall") }
            }
            try await eventually("the requests wait") { clock.waiting == Delays.mostOfOrigin }
            #expect(await delays.pause(for: .seconds(1), origin: "hall") == false)
            #expect(await delays.pause(for: .zero, origin: "hall"))
            for number in Delays.mostOfOrigin..<Delays.mostAtOnce {
                group.addTask { await delays.pause(for: .seconds(1), origin: "\(number)") }
            }
            try await eventually("the requests wait") { clock.waiting == Delays.mostAtOnce }
            #expect(await delays.pause(for: .seconds(1), origin: "other") == false)
            clock.release()
            for try await hasWaited in group { #expect(hasWaited) }
            clock.release()
        }
        async let again = delays.pause(for: .seconds(1), origin: "hall")
        try await eventually("the request waits") { clock.waiting == 1 }
        clock.release()
        #expect(await again)
    }

    @Test func `repeated check-ins wait by their grant, or by their address if they send the code itself`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            _ = try await site.arrive(20, in: cast.session)
            func enter(_ proof: String, _ number: Int) async throws -> Int {
                try await site.send(
                    "POST", "/api/v1/check-ins",
                    json: #"{"\#(proof)", "name": "x", "email": "P\#(number)@example.org"}"#
                ).status
            }
            for number in 0..<5 {
                #expect(try await enter(#"grant": "\#(cast.grant)"#, number) == 200)
            }
            #expect(
                site.clock.pauses == [
                    .milliseconds(200), .milliseconds(400), .milliseconds(600), .milliseconds(800),
                ])
            #expect(try await enter(#"grant": "\#(cast.grant)"#, 5) == 409)
            let direct = #"joinCode": "\#(cast.record.session.joinCode)"#
            for number in 0..<12 { #expect(try await enter(direct, number) == 200) }
            #expect(site.clock.pauses.dropFirst(4) == [.milliseconds(100)])
            // A first check-in does not wait, whatever its address has sent.
            #expect(try await enter(direct, 100) == 201)
            #expect(site.clock.pauses.count == 5)
        }
    }

    @Test func `300 people behind one address, of whom 200 mistype, do not wait, with or without a cookie`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let session = try await rotate(cast, site)
            let code = code(session, site)
            for number in 0..<300 {
                if number < 200 {
                    #expect(try await site.send("POST", "/", form: "joinCode=ZZZZZZ").status == 422)
                }
                let cookie = ("Cookie", "qring_device=\(String(repeating: "0", count: 23))\(100 + number)")
                let page = try await site.send(
                    "POST", "/", form: "joinCode=\(code)", headers: number % 2 == 0 ? [cookie] : [])
                #expect(page.status == 200)
            }
            #expect(site.clock.pauses.isEmpty)
        }
    }

    @Test func `typed and scanned rotating codes slow down a browser, and an address, that gets many grants`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let session = try await rotate(cast, site)
            let cookie = ("Cookie", "qring_device=\(String(repeating: "C", count: 26))")
            for _ in 0..<12 {
                _ = try await site.send(
                    "POST", "/", form: "joinCode=\(code(session, site))", headers: [cookie])
            }
            #expect(site.clock.pauses == [.milliseconds(100)])
            for _ in 12..<(Delays.grantsOfAddress.free + 2) {
                #expect(try await exchange(code(session, site), site) == 201)
            }
            #expect(site.clock.pauses.dropFirst() == [.milliseconds(1)])
        }
    }

    @Test func `a delayed grant has the moment of its request, when the code was still valid`() async throws {
        try await Site.open { site in
            let session = try await rotate(try await site.cast(), site)
            let cookie = ("Cookie", "qring_device=\(String(repeating: "D", count: 26))")
            let text = code(session, site)
            site.clock.endPauses(at: at(1))
            var page = try await site.send("POST", "/", form: "joinCode=\(text)", headers: [cookie])
            while site.clock.pauses.isEmpty {
                page = try await site.send("POST", "/", form: "joinCode=\(text)", headers: [cookie])
                try #require(page.status == 200)
            }
            let found = try #require(page.text.firstMatch(of: #/value="(qgr_[0-9A-Z]+)"/#))
            let grant = try #require(Grant(String(found.1), keys: site.keys))
            #expect(site.clock.now == at(1) && grant.moment == at(0))
        }
    }

    @Test func `a browser that names many people who are checked in gets slow answers, and is not refused`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            _ = try await site.arrive(8, in: cast.session)
            let code = cast.record.session.joinCode
            let cookie = ("Cookie", "qring_device=\(String(repeating: "B", count: 26))")
            func enter(_ email: String) async throws -> Int {
                try await site.send(
                    "POST", "/api/v1/check-ins",
                    json: #"{"joinCode": "\#(code)", "name": "x", "email": "\#(email)"}"#, headers: [cookie]
                ).status
            }
            for number in 0..<7 { #expect(try await enter("P\(number)@example.org") == 200) }
            #expect(site.clock.pauses == [.milliseconds(100), .milliseconds(200)])
            // A first check-in does not wait.
            #expect(try await enter("new@example.org") == 201)
            #expect(site.clock.pauses.count == 2)
        }
    }
}

/// A clock whose pauses last until the test releases them.
private final class HeldClock: ServerClock {
    private let held = Mutex<[CheckedContinuation<Void, Never>]>([])

    var now: Instant { start }
    var waiting: Int { held.withLock { $0.count } }

    func pause(for duration: Duration) async {
        await withCheckedContinuation { continuation in held.withLock { $0.append(continuation) } }
    }

    func release() {
        let all = held.withLock { held in
            defer { held = [] }
            return held
        }
        for one in all { one.resume() }
    }
}
