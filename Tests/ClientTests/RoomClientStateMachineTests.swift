import Phrases
import Testing
import Wire

@testable import Client

struct RoomClientStateMachineTests {
    private let room = "session:01M7X9JCZD0KGT7Q6XKPEVTE5F"

    /// Returns a machine that is connected and has joined the room in epoch `e1`. If `sequence` is not nil,
    /// the machine has also received a snapshot with that sequence.
    private func joined(at sequence: Int64? = 41) -> RoomClientStateMachine {
        var machine = RoomClientStateMachine(rooms: [room])
        _ = machine.start()
        _ = machine.connected()
        _ = machine.joined(room, epoch: "e1", recovered: false)
        if let sequence { _ = machine.received(room, sequence: sequence, isSnapshot: true, jitter: 0) }
        return machine
    }

    @Test func `a new client connects and joins without a position`() {
        var machine = RoomClientStateMachine(rooms: [room])
        #expect(machine.start() == [.connect])
        #expect(machine.connected() == [.send(#"{"join":"\#(room)","id":1}"#)])
        #expect(machine.joined(room, epoch: "e1", recovered: false) == [.report(.joined)])
    }

    @Test func `after a lost connection, the client waits, reconnects and resumes at its position`() {
        var machine = joined()
        #expect(
            machine.closed(code: 1001, reason: "", jitter: 1)
                == [
                    .report(.reconnecting(in: .milliseconds(500), because: .closed(code: 1001, reason: ""))),
                    .wait(.milliseconds(500)),
                ])
        #expect(machine.waited() == [.connect])
        #expect(
            machine.connected() == [
                .send(#"{"join":"\#(room)","since":{"epoch":"e1","sequence":41},"id":2}"#)
            ])
    }

    @Test func `the client sends a given position with its first join`() {
        var machine = RoomClientStateMachine(
            rooms: [room], positions: [room: RoomPosition(epoch: "e0", sequence: 7)])
        _ = machine.start()
        #expect(
            machine.connected() == [.send(#"{"join":"\#(room)","since":{"epoch":"e0","sequence":7},"id":1}"#)]
        )
    }

    @Test func `during a recovery, each received frame updates the client's position`() {
        var machine = joined(at: 41)
        _ = machine.closed(code: 4002, reason: "slow", jitter: 0)
        _ = machine.waited()
        _ = machine.connected()
        _ = machine.joined(room, epoch: "e1", recovered: true)
        _ = machine.received(room, sequence: 60, isSnapshot: false, jitter: 0)
        #expect(machine.positions[room] == RoomPosition(epoch: "e1", sequence: 60))
    }

    @Test func `a client that could not recover has no position until the next snapshot`() {
        var machine = joined(at: 41)
        _ = machine.closed(code: 1001, reason: "", jitter: 0)
        _ = machine.waited()
        _ = machine.connected()
        _ = machine.joined(room, epoch: "e2", recovered: false)
        #expect(machine.positions[room] == nil)
        _ = machine.received(room, sequence: 3, isSnapshot: true, jitter: 0)
        #expect(machine.positions[room] == RoomPosition(epoch: "e2", sequence: 3))
    }

    @Test(arguments: [1000, 1008, 1009, 4003] as [UInt16])
    func `the client stops after a final close code`(code: UInt16) {
        var machine = joined()
        #expect(
            machine.closed(code: code, reason: "r", jitter: 0) == [
                .report(.ended(.closed(code: code, reason: "r")))
            ])
        #expect(machine.waited().isEmpty && machine.start().isEmpty)
    }

    @Test(arguments: [1001, 1006, 1005, 4002] as [UInt16])
    func `the client reconnects after a temporary close code`(code: UInt16) {
        var machine = joined()
        _ = machine.closed(code: code, reason: "", jitter: 0)
        #expect(machine.waited() == [.connect])
    }

    @Test func `after close code 4001 the client renews its token once, and stops after the second 4001`() {
        var machine = joined()
        #expect(machine.closed(code: 4001, reason: "", jitter: 0) == [.renew])
        #expect(machine.renewed() == [.connect])
        _ = machine.connected()
        #expect(
            machine.closed(code: 4001, reason: "", jitter: 0) == [
                .report(.ended(.closed(code: 4001, reason: "")))
            ])
    }

    @Test func `the client stops if its token cannot be renewed`() {
        var machine = joined()
        _ = machine.closed(code: 4001, reason: "", jitter: 0)
        #expect(machine.notRenewed() == [.report(.ended(.closed(code: 4001, reason: "")))])
    }

    @Test func `after each successful join, the client may renew its token again`() {
        var machine = joined()
        for _ in 1...3 {
            #expect(machine.closed(code: 4001, reason: "", jitter: 0) == [.renew])
            _ = machine.renewed()
            _ = machine.connected()
            _ = machine.joined(room, epoch: "e1", recovered: true)
        }
    }

    @Test func `the client stops if the first connection fails, and retries if a later one fails`() {
        var machine = RoomClientStateMachine(rooms: [room])
        _ = machine.start()
        #expect(machine.failedToConnect("refused", jitter: 0) == [.report(.ended(.unreachable("refused")))])
        machine = joined()
        _ = machine.closed(code: 1001, reason: "", jitter: 0)
        _ = machine.waited()
        #expect(machine.failedToConnect("refused", jitter: 0).last == .wait(.milliseconds(500)))
    }

    @Test func `if the sequence goes back, the client reconnects and joins without a position`() {
        var machine = joined(at: 41)
        let actions = machine.received(room, sequence: 40, isSnapshot: false, jitter: 0)
        #expect(actions.first == .disconnect)
        _ = machine.waited()
        #expect(machine.connected() == [.send(#"{"join":"\#(room)","id":2}"#)])
    }

    @Test func `the client accepts a repeated sequence, because one flush can send several frames`() {
        var machine = joined(at: 41)
        #expect(machine.received(room, sequence: 41, isSnapshot: false, jitter: 0) == [.report(.frame)])
    }

    @Test func `the client stops when the last of its rooms refuses the join`() {
        let problem = Problem(code: .notAllowed, in: .english)
        var machine = RoomClientStateMachine(rooms: [room, "home"])
        _ = machine.start()
        _ = machine.connected()
        #expect(machine.refused(id: 1, problem) == [.report(.refused)])
        #expect(
            machine.refused(id: 2, problem) == [
                .report(.refused), .disconnect, .report(.ended(.refused(problem))),
            ])
    }

    @Test func `a stopped client disconnects and reports its end only once`() {
        var machine = joined()
        #expect(machine.stop() == [.disconnect, .report(.ended(.stopped))])
        #expect(machine.stop().isEmpty)
    }

    @Test func `the retry delay doubles up to its limit, and a successful join resets the delay`() {
        let backOff = RoomBackOff(first: .seconds(1), longest: .seconds(10))
        #expect(
            (1...6).map { backOff.delay(before: $0, jitter: 1) } == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        #expect(backOff.delay(before: 3, jitter: 0) == .seconds(2))
        #expect(backOff.delay(before: 500, jitter: 1) == .seconds(10))
        var machine = joined()
        for _ in 1...4 {
            _ = machine.closed(code: 1001, reason: "", jitter: 1)
            _ = machine.waited()
            _ = machine.connected()
        }
        _ = machine.joined(room, epoch: "e1", recovered: true)
        #expect(machine.closed(code: 1001, reason: "", jitter: 1).last == .wait(.milliseconds(500)))
    }

    @Test func `a room position is read from the text that it writes, and malformed texts are rejected`() {
        #expect(RoomPosition("a:b:41") == RoomPosition(epoch: "a:b", sequence: 41))
        #expect(RoomPosition("e:41")?.text == "e:41")
        for wrong in ["", "41", ":41", "e:", "e:-1", "e:x"] { #expect(RoomPosition(wrong) == nil) }
    }
}
