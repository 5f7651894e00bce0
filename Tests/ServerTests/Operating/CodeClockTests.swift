import Journal
import Meetings
import Testing

@testable import Server

@Suite struct CodeClockTests {
    private let clock = TwoClocks()

    /// Lets a second pass, and compares the code clock with its source.
    private func pass(_ codes: CodeClock, _ count: Int = 1, with nodes: NodeStatus? = nil) {
        for _ in 0..<count {
            clock.pass(.seconds(1))
            codes.compare(with: nodes)
        }
    }

    @Test func `the code clock follows the wall clock within two seconds after it was set forward`() {
        let codes = CodeClock(clock)
        clock.jump(.hours(5))
        #expect(codes.now == start)
        pass(codes, 2)
        #expect(codes.now == start + .hours(5) + .seconds(2))
        clock.pass(.milliseconds(700))
        #expect(codes.now == clock.now)
    }

    @Test func `the code clock never goes back, and agrees with the wall clock after ten times the step`() {
        let codes = CodeClock(clock)
        clock.jump(.zero - .minutes(1))
        var last = codes.now
        for _ in 0..<590 {
            pass(codes)
            // A code that is valid for 30 s is valid for at most 33 s and a part of a second.
            #expect(codes.now >= last + .milliseconds(900))
            last = codes.now
        }
        #expect(codes.now > clock.now)
        pass(codes, 20)
        #expect(codes.now == clock.now)
    }

    @Test func `a server that starts with its clock set back continues with the stored time`() {
        let codes = CodeClock(clock, notBefore: start + .seconds(10))
        #expect(codes.now == start + .seconds(10))
        pass(codes, 50)
        #expect(codes.now > clock.now && codes.now < clock.now + .seconds(6))
        pass(codes, 60)
        #expect(codes.now == clock.now)
    }

    @Test func `a server with a wrong clock begins with the database's time`() {
        let status = NodeStatus(others: 1, silence: .zero, skew: .seconds(90))
        #expect(CodeClock(clock, nodes: status).now == clock.now - .seconds(90))
    }

    @Test func `servers that share a database follow its clock`() {
        let codes = CodeClock(clock)
        pass(codes, 3, with: NodeStatus(others: 1, silence: .zero, skew: .zero - .seconds(1)))
        #expect(codes.now == clock.now + .seconds(1))
    }

    @Test func `a step of the wall clock does not move codes that follow the database's clock`() {
        let codes = CodeClock(clock)
        pass(codes, 2, with: NodeStatus(others: 1, silence: .zero, skew: .zero))
        clock.jump(.hours(1))
        // The difference has not been measured again yet.
        pass(codes, 1, with: NodeStatus(others: 1, silence: .zero, skew: .zero))
        pass(codes, 3, with: NodeStatus(others: 1, silence: .zero, skew: .hours(1)))
        #expect(codes.now == clock.now - .hours(1))
    }

    @Test func `without contact to the database, codes follow the steady clock`() {
        let codes = CodeClock(clock)
        clock.jump(.hours(1))
        pass(codes, 5, with: NodeStatus(others: 1, silence: .seconds(4), skew: .zero))
        #expect(codes.now == start + .seconds(5))
    }

    @Test func `a server shows and accepts the codes of the new time after its clock was set forward`()
        async throws
    {
        try await Site.open { site in
            let cast = try await site.cast()
            let session = try await site.storage.perform(
                EditSession(id: cast.session, settings: .init(codeKind: .rotating), actor: cast.owner)
            ).record.session
            site.clock.jump(to: at(5))
            await site.pass(to: at(5) + .seconds(1))
            await site.pass(to: at(5) + .seconds(2))
            let code = CheckInCode.text(of: session, at: at(5) + .seconds(2), keys: site.keys)
            let answer = try await site.send("POST", "/api/v1/grants", json: #"{"code": "\#(code)"}"#)
            #expect(answer.status == 201)
        }
    }
}

/// A clock whose wall time and steady time can differ.
private final class TwoClocks: ServerClock {
    private let wall = HandClock(start)
    private let steady = HandClock(Instant(milliseconds: 0))

    var now: Instant { wall.now }
    var elapsed: Duration { steady.now.since(Instant(milliseconds: 0)) }

    func pass(_ duration: Duration) {
        wall.set(wall.now + duration)
        steady.set(steady.now + duration)
    }

    /// Sets the wall clock forward or back.
    func jump(_ step: Duration) { wall.set(wall.now + step) }
}
