import Meetings
import Synchronization
import Testing
import Wire

@testable import Server

/// Tests of the lines in which sign-ins of unknown clients wait.
@Suite(.timeLimit(.minutes(1)))
struct SignInLinesTests {
    @Test func `the delay is 1 s after one wrong password, doubles with each, and is 30 s at most`() {
        let delays = [0, 1, 2, 4, 8, 16, 30, 30].map { Duration.seconds($0) }
        #expect((0..<8).map(SignInLines.delay) == delays)
        #expect(SignInLines.delay(after: 1_000_000) == .seconds(30))
        #expect(SignInLines.Delay(failures: 4, age: .seconds(3)).rest == .seconds(5))
        #expect(SignInLines.Delay(failures: 4, age: .minutes(3)).rest == .zero)
        #expect(SignInLines.Delay(failures: 1, age: .zero).wait(behind: 2) == .seconds(1 + 2 + 4))
    }

    @Test func `the passwords of a line are checked one at a time, in order, and another line does not wait`()
        async throws
    {
        let (lines, clock) = Self.made()
        let begun = Begun()
        let gates = (0..<3).map { _ in Gate() }
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(
                Task {
                    try await lines.turn("a", "hall") {
                        begun.append(number)
                        await gates[number].wait()
                    }
                })
            try await eventually("number \(number) waits") {
                begun.all.count + lines.waitingCount == number + 1
            }
        }
        try await lines.turn("b", "hall") {}
        for number in 0..<3 {
            try await eventually("number \(number) has its turn") {
                begun.all == Array(0...number)
            }
            #expect(lines.waitingCount == 2 - number)
            gates[number].open()
        }
        for task in tasks { try await task.value }
        #expect(lines.waitingCount == 0 && clock.pauses.isEmpty)
    }

    @Test func `a request that would wait for more than 40 s is refused, and learns for how long`()
        async throws
    {
        let (lines, clock) = Self.made(holdsPauses: true)
        let attacked = SignInLines.Delay(failures: 20, age: .seconds(2))
        let first = Task { try await lines.turn("a", "hall", attacked) { true } }
        try await eventually("the first waits") { clock.pauses == [.seconds(28)] }
        let refused = await Self.refusal { try await lines.turn("a", "hall", attacked) {} }
        #expect(refused?.code == .tooManyAttempts && refused?.retryAfterSeconds == 18)
        // The same account from another address has a line of its own.
        try await lines.turn("a elsewhere", "home") {}
        clock.endPauses()
        #expect(try await first.value)
        #expect(lines.waitingCount == 0)
    }

    @Test func `the places of an address are limited, and another address has its own`() async throws {
        let (lines, clock) = Self.made(holdsPauses: true)
        let delay = SignInLines.Delay(failures: 1, age: .zero)
        let waiting = (0..<SignInLines.mostOfOrigin).map { number in
            Task { try await lines.turn("\(number)", "hall", delay) {} }
        }
        try await eventually("all wait") { lines.waitingCount == SignInLines.mostOfOrigin }
        let refused = await Self.refusal { try await lines.turn("x", "hall", delay) {} }
        #expect(refused?.code == .tooManyAttempts && refused?.retryAfterSeconds == 1)
        // A password that must not wait needs no place.
        try await lines.turn("y", "hall") {}
        let other = Task { try await lines.turn("x", "home", delay) {} }
        try await eventually("the other address waits") {
            lines.waitingCount == SignInLines.mostOfOrigin + 1
        }
        clock.endPauses()
        for task in waiting + [other] { try await task.value }
        #expect(lines.waitingCount == 0)
    }

    @Test func `a line goes on after a check that fails`() async throws {
        let (lines, _) = Self.made()
        let refused = await Self.refusal {
            try await lines.turn("a", "hall") {
                throw RequestError(.notSignedIn)
            }
        }
        #expect(refused?.code == .notSignedIn)
        try await lines.turn("a", "hall") {}
    }

    private static func made(holdsPauses: Bool = false) -> (SignInLines, HeldClock) {
        let clock = HeldClock(holds: holdsPauses)
        return (SignInLines(clock), clock)
    }

    private static func refusal(_ body: () async throws -> Void) async -> RequestError? {
        do { try await body() } catch { return error as? RequestError }
        return nil
    }
}

extension SignInLines {
    fileprivate func turn<Result>(
        _ line: String, _ origin: String, _ delay: Delay = Delay(), _ check: () async throws -> Result
    ) async throws -> Result {
        try await inTurn(line, from: origin, delay: { delay }, check)
    }
}

/// A clock whose pauses last until the test ends them.
private final class HeldClock: ServerClock {
    private let gate = Gate()
    private let begun = Mutex<[Duration]>([])

    var now: Instant { start }
    var pauses: [Duration] { begun.withLock { $0 } }

    init(holds: Bool) {
        if !holds { gate.open() }
    }

    func endPauses() { gate.open() }

    func pause(for duration: Duration) async {
        begun.withLock { $0.append(duration) }
        await gate.wait()
    }
}

/// The numbers of the checks that have begun, in order.
private final class Begun: Sendable {
    private let numbers = Mutex<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }

    func append(_ number: Int) { numbers.withLock { $0.append(number) } }
}

/// Lets tasks wait until the test opens it.
private final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
