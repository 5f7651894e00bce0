import Journal
import Meetings
import Seeds
import Testing

/// An offline door as its laptop sees it: it numbers what it does. The journal does not look at signatures.
private struct Laptop {
    let id: SatelliteID
    let codeHash: [UInt8]
    /// By how many minutes its clock is ahead.
    var ahead = 0
    private(set) var entries: [DoorEntry] = []

    init(_ id: SatelliteID, codeHash: [UInt8], ahead: Int = 0) {
        (self.id, self.codeHash, self.ahead) = (id, codeHash, ahead)
    }

    /// Adds an entry at a minute by the server's clock.
    @discardableResult
    mutating func note(_ kind: DoorEntry.Kind, _ guest: DoorEntry.Guest, at minute: Int) throws -> DoorEntry {
        let entry = try #require(
            DoorEntry(
                of: id, number: Int64(entries.count) + 1, kind, guest, at: at(minute + ahead),
                offset: Int64(ahead) * 60_000,
                signature: [UInt8](repeating: UInt8(entries.count % 7), count: 64))
        )
        entries.append(entry)
        return entry
    }

    mutating func note(_ kind: DoorEntry.Kind, _ attendee: Attendee, at minute: Int) throws {
        try note(kind, .attendee(attendee.id), at: minute)
    }

    mutating func letIn(_ attendee: Attendee, at minute: Int) throws { try note(.in, attendee, at: minute) }
}

/// A session that expects Kim, Lee and Park, with offline doors.
private struct Gate {
    let stage: Stage
    let host: AccountID
    let session: SessionID
    let meeting: MeetingID
    let slots: [Attendee]
    var kim: Attendee { slots[0] }
    var lee: Attendee { slots[1] }

    init(_ stage: Stage, recordsLeaving: Bool = false) async throws {
        self.stage = stage
        host = try await stage.account(1).id
        let record = try await stage.meeting(of: host, identifyBy: .number) {
            $0.checkOut = recordsLeaving ? .door : .notRecorded
        }
        (session, meeting) = (record.session.id, record.meeting.id)
        for (number, name) in ["Kim", "Lee", "Park"].enumerated() {
            _ = try await stage.add(name, number: String(40 + number), to: meeting, by: host)
        }
        slots = try await stage.attendees(of: session).sorted { $0.name < $1.name }
        stage.now = at(-30)
    }

    /// Adds an offline door that has joined.
    func laptop(door: Int, ahead: Int = 0, by actor: AccountID? = nil) async throws -> Laptop {
        let byte = UInt8(door)
        let satellite = try await stage.perform(
            AddSatellite(
                id: .make(at: stage.now), session: session, name: "Gate \(door)", door: door, hasNames: false,
                hasNumbers: false, sealingKey: nil, codeHash: [byte, 1], actor: actor ?? host))
        _ = try await join([byte, 1], key: byte)
        return Laptop(satellite.id, codeHash: [byte, 1], ahead: ahead)
    }

    func join(_ code: [UInt8], key: UInt8, token: UInt8? = nil) async throws -> Satellite {
        try await stage.perform(
            JoinSatellite(
                codeHash: code, publicKey: [UInt8](repeating: key, count: 32), tokenHash: [token ?? key, 2]))
    }

    @discardableResult
    func merge(_ entries: [DoorEntry], from sender: Laptop? = nil) async throws -> Int {
        try await stage.perform(
            MergeDoorEntries(
                entries, of: session, from: sender?.id, clockAhead: sender.map { Int64($0.ahead) * 60_000 }))
    }

    func satellite(_ laptop: Laptop) async throws -> Satellite {
        try #require(
            try await stage.storage.read { rows throws(JournalError) in try rows.satellite(laptop.id) })
    }

    /// Returns the doubles as pairs of minutes, in any order of people.
    func doubles() async throws -> [[Int]] {
        let (found, count) = try await stage.storage.read { rows throws(JournalError) in
            // Pages of two, and all at once.
            var (pages, last) = ([[Int]](), (AttendeeID, Int)?.none)
            repeat {
                let page = try rows.doubles(of: session, after: last, limit: 2)
                pages += page.map { [minute($0.double.first.at), minute($0.double.second.at)] }
                last = page.count == 2 ? (page[1].attendee.id, page[1].number) : nil
            } while last != nil
            let found = try rows.doubles(of: session, after: nil, limit: 100)
            #expect(pages == found.map { [minute($0.double.first.at), minute($0.double.second.at)] })
            return (found, try rows.doubleCount(of: session))
        }
        #expect(found.count == count)
        return found.map { [minute($0.double.first.at), minute($0.double.second.at)] }
    }

    private func minute(_ instant: Instant) -> Int { Int(instant.since(at(0)).components.seconds / 60) }

    /// Returns the minutes at which the attendee came in, left, and so on.
    func moves(of attendee: Attendee) async throws -> [Int]? {
        try await stage.attendee(attendee.id)?.doorMoments.map(minute)
    }

    func states(of laptop: Laptop) async throws -> [StoredDoorEntry.State] {
        try await stage.storage.read { rows throws(JournalError) in
            try rows.doorEntries(of: laptop.id, after: 0, limit: 1000).map(\.state)
        }
    }
}

extension CommandRule {
    static let satellites: [CommandRule] = [
        CommandRule("a laptop joins once by its code, and repeats a lost answer with its own key only") {
            stage in
            let gate = try await Gate(stage)
            let satellite = try await stage.perform(
                AddSatellite(
                    id: .make(at: stage.now), session: gate.session, name: "Gate 1", door: 1, hasNames: true,
                    hasNumbers: false, sealingKey: [9], codeHash: [1], actor: gate.host))
            await expectRefused(.satelliteCodeNotValid) { _ = try await gate.join([2], key: 5) }
            let joined = try await gate.join([1], key: 5, token: 6)
            #expect(joined.id == satellite.id && joined.joinedAt == stage.now && joined.sealingKey == [9])
            await expectRefused(.satelliteCodeNotValid) { _ = try await gate.join([1], key: 7) }
            #expect(try await gate.join([1], key: 5, token: 8).tokenHash == [8, 2])
            let found = try await stage.storage.read { rows throws(JournalError) in
                [try rows.satellite(tokenHash: [6, 2])?.id, try rows.satellite(tokenHash: [8, 2])?.id]
            }
            #expect(found == [nil, satellite.id])
            stage.now = stage.now + Satellite.repeatWindow + .milliseconds(1)
            await expectRefused(.satelliteCodeNotValid) { _ = try await gate.join([1], key: 5) }
        },
        CommandRule("a code ends after a week, with a revocation, and with its creator's right") { stage in
            let gate = try await Gate(stage)
            let other = try await stage.account(2).id
            try await stage.makeHost(other, of: gate.meeting)
            func add(_ code: UInt8, by actor: AccountID) async throws -> Satellite {
                try await stage.perform(
                    AddSatellite(
                        id: .make(at: stage.now), session: gate.session, name: "Gate", door: 1,
                        hasNames: false, hasNumbers: false, sealingKey: nil, codeHash: [code], actor: actor))
            }
            let revoked = try await add(1, by: gate.host)
            _ = try await add(2, by: other)
            _ = try await add(3, by: gate.host)
            try await stage.perform(RevokeSatellite(revoked.id, of: gate.session, actor: gate.host))
            try await stage.perform(RevokeSatellite(revoked.id, of: gate.session, actor: gate.host))
            await expectRefused(.satelliteCodeNotValid) { _ = try await gate.join([1], key: 1) }
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.setRole(.viewer, of: other, in: gate.meeting)
                })
            await expectRefused(.satelliteCodeNotValid) { _ = try await gate.join([2], key: 2) }
            await expectRefused(.notAllowed) { _ = try await add(4, by: other) }
            await expectRefused(.notAllowed) {
                try await stage.perform(RevokeSatellite(revoked.id, of: gate.session, actor: other))
            }
            stage.now = stage.now + Satellite.codeLifetime + .milliseconds(1)
            await expectRefused(.satelliteCodeNotValid) { _ = try await gate.join([3], key: 3) }
        },
        CommandRule("a session has a limited number of offline doors, and none after its end") { stage in
            let gate = try await Gate(stage)
            func add(_ number: Int) async throws {
                try await stage.perform(
                    AddSatellite(
                        id: .make(at: stage.now), session: gate.session, name: "Gate", door: 1,
                        hasNames: false, hasNumbers: false, sealingKey: nil,
                        codeHash: [UInt8(number), 3], actor: gate.host))
            }
            for number in 0..<Satellite.mostOfSession { try await add(number) }
            await expectRefused(.limitReached(.satellite, limit: Satellite.mostOfSession)) {
                try await add(200)
            }
            stage.now = at(61)
            await expectRefused(.sessionOver) { try await add(201) }
        },
        CommandRule("entries check people in once, at the corrected time, with the door's number") { stage in
            let gate = try await Gate(stage)
            var laptop = try await gate.laptop(door: 3, ahead: 120)
            try laptop.letIn(gate.kim, at: 4)
            try laptop.letIn(gate.lee, at: 12)
            stage.now = at(40)
            #expect(try await gate.merge(laptop.entries, from: laptop) == 2)
            let kim = try #require(try await stage.attendee(gate.kim.id))
            #expect(kim.checkedInAt == at(4) && kim.method == .offlineDoor && kim.door == 3)
            #expect(kim.status == .present)
            #expect(try await stage.attendee(gate.lee.id)?.status == .late)
            let event = try #require(
                try await stage.events(of: gate.session).last { $0.attendeeID == kim.id })
            #expect(event.kind == .checkedIn && event.actor == .server && event.at == at(40))
            #expect(event.data == EventData(status: .present, before: .pending, method: .offlineDoor))
            let satellite = try await gate.satellite(laptop)
            #expect(satellite.received == 2 && satellite.seenAt == at(40) && satellite.offset == 7_200_000)
            let events = try await stage.events(of: gate.session)
            #expect(try await gate.merge(laptop.entries, from: laptop) == 0)
            #expect(try await stage.events(of: gate.session) == events)
            // A host can undo the admission in the journal, as any other one.
            _ = try await stage.perform(
                UndoCorrection(session: gate.session, sequence: event.sequence, actor: gate.host))
            #expect(try await stage.attendance(of: gate.session).checkedIn == 1)
            try await stage.expectWhole(gate.session)
        },
        CommandRule("an entry waits for its predecessor, and one number never has two contents") { stage in
            let gate = try await Gate(stage)
            var (one, copy) = (try await gate.laptop(door: 1), try await gate.laptop(door: 2))
            for person in gate.slots { try one.letIn(person, at: 1) }
            #expect(try await gate.merge(Array(one.entries.dropFirst())) == 0)
            #expect(try await gate.merge([one.entries[0], one.entries[2]]) == 1)
            #expect(try await gate.merge(one.entries) == 2)
            copy = Laptop(one.id, codeHash: one.codeHash)
            try copy.letIn(gate.lee, at: 2)
            await expectRefused(.doorEntriesDiffer) { try await gate.merge(copy.entries, from: copy) }
            // Another door that relays the copy is not to blame.
            #expect(try await gate.merge(copy.entries) == 0)
            let stranger = Laptop(.makeTimeless(), codeHash: [])
            copy = stranger
            try copy.letIn(gate.lee, at: 2)
            #expect(try await gate.merge(copy.entries) == 0)
        },
        CommandRule("an earlier entry that arrives later moves the check-in, and the other is a double") {
            stage in
            let gate = try await Gate(stage)
            var (one, two) = (try await gate.laptop(door: 1), try await gate.laptop(door: 2, ahead: -90))
            try one.letIn(gate.kim, at: 20)
            try two.letIn(gate.kim, at: 5)
            stage.now = at(30)
            try await gate.merge(one.entries)
            #expect(try await stage.attendee(gate.kim.id)?.status == .late)
            try await gate.merge(two.entries)
            let kim = try #require(try await stage.attendee(gate.kim.id))
            #expect(kim.checkedInAt == at(5) && kim.status == .present && kim.door == 2)
            #expect(try await gate.doubles() == [[5, 20]])
            #expect(try await stage.attendance(of: gate.session).checkedIn == 1)
            try await stage.expectWhole(gate.session)
        },
        CommandRule("a check-in by phone and one at an offline door are a double, in any order of time") {
            stage in
            let gate = try await Gate(stage)
            var laptop = try await gate.laptop(door: 1)
            stage.now = at(10)
            _ = try await stage.perform(
                Admit(.identity(IdentityKey("40")), to: gate.session, door: 7, actor: gate.host))
            _ = try await stage.perform(
                Admit(.identity(IdentityKey("41")), to: gate.session, door: 7, actor: gate.host))
            try laptop.letIn(gate.kim, at: 15)
            try laptop.letIn(gate.lee, at: 3)
            try await gate.merge(laptop.entries)
            #expect(try await gate.doubles().sorted { $0[0] < $1[0] } == [[3, 10], [10, 15]])
            let (kim, lee) = (
                try #require(try await stage.attendee(gate.kim.id)),
                try #require(try await stage.attendee(gate.lee.id))
            )
            #expect(kim.checkedInAt == at(10) && kim.method == .door && kim.door == 7)
            #expect(lee.checkedInAt == at(3) && lee.method == .offlineDoor && lee.door == 1)
            // The laptop undoes the entry, and the door with a network has let the person in.
            try laptop.note(.undone(2), gate.lee, at: 16)
            try await gate.merge(laptop.entries)
            let after = try #require(try await stage.attendee(gate.lee.id))
            #expect(after.checkedInAt == at(10) && after.method == .door && after.door == 7)
            #expect(try await gate.doubles() == [[10, 15]])
            try await stage.expectWhole(gate.session)
        },
        CommandRule("a person whose only entry was undone is expected again") { stage in
            let gate = try await Gate(stage)
            var laptop = try await gate.laptop(door: 1)
            try laptop.letIn(gate.kim, at: 1)
            stage.now = at(2)
            try await gate.merge(laptop.entries)
            try laptop.note(.undone(1), gate.kim, at: 3)
            try await gate.merge(laptop.entries)
            let kim = try #require(try await stage.attendee(gate.kim.id))
            #expect(kim.status == .pending && kim.checkedInAt == nil && kim.door == nil && kim.method == nil)
            try laptop.letIn(gate.kim, at: 6)
            try await gate.merge(laptop.entries)
            #expect(try await gate.moves(of: gate.kim) == [6])
            #expect(try await gate.doubles().isEmpty)
            try await stage.expectWhole(gate.session)
        },
        CommandRule(
            "whatever order entries of three doors arrive in, records and doubles follow from the set"
        ) {
            stage in
            let gate = try await Gate(stage, recordsLeaving: true)
            var random = SeededNumbers(seed: 20_261_130)
            var laptops: [Laptop] = []
            for door in 1...3 { laptops.append(try await gate.laptop(door: door, ahead: 40 * (door - 2))) }
            for index in laptops.indices {
                var minute = 0
                for number in 1...30 as ClosedRange<Int64> {
                    minute += Int.random(in: 0...2, using: &random)
                    let person = gate.slots[Int.random(in: 0..<3, using: &random)]
                    let earlier = laptops[index].entries.last { $0.guest == .attendee(person.id) }
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0, 1: try laptops[index].note(.out, person, at: minute)
                    case 2:
                        guard let undone = earlier?.number, undone < number else { fallthrough }
                        try laptops[index].note(.undone(undone), person, at: minute)
                    default: try laptops[index].letIn(person, at: minute)
                    }
                }
            }
            stage.now = at(70)
            // Parts arrive in any order, some twice, and some too early.
            for _ in 0..<60 {
                let laptop = laptops[Int.random(in: 0..<3, using: &random)]
                let first = Int.random(in: 0..<laptop.entries.count, using: &random)
                let part = laptop.entries[first...].prefix(Int.random(in: 1...9, using: &random))
                try await gate.merge(Array(part), from: laptop)
            }
            for laptop in laptops { try await gate.merge(laptop.entries, from: laptop) }
            var doubles = 0
            for person in gate.slots {
                let state = DoorHistory(
                    laptops.flatMap(\.entries).filter { $0.guest == .attendee(person.id) })
                let written = try #require(try await stage.attendee(person.id))
                #expect(written.doorMoments == state.moves.map(\.at))
                #expect(written.status.countsAsCheckedIn == !state.moves.isEmpty)
                doubles += state.doubles.count
            }
            #expect(try await gate.doubles().count == doubles)
            #expect(doubles > 5)
            for laptop in laptops {
                #expect(try await gate.satellite(laptop).received == Int64(laptop.entries.count))
            }
            try await stage.expectWhole(gate.session)
        },
        CommandRule("entries after a revocation are held, and change nothing until a host accepts them") {
            stage in
            let gate = try await Gate(stage)
            var (lost, other) = (try await gate.laptop(door: 1), try await gate.laptop(door: 2))
            try lost.letIn(gate.kim, at: 1)
            stage.now = at(2)
            try await gate.merge(lost.entries, from: lost)
            try await stage.perform(RevokeSatellite(lost.id, of: gate.session, actor: gate.host))
            try lost.letIn(gate.lee, at: 3)
            try other.letIn(gate.lee, at: 8)
            stage.now = at(9)
            // The other door has met the lost one, and relays its entries.
            try await gate.merge(lost.entries + other.entries, from: other)
            #expect(try await gate.states(of: lost) == [.merged, .held])
            #expect(try await gate.moves(of: gate.lee) == [8])
            #expect(try await gate.doubles().isEmpty)
            await expectRefused(.notFound(.satellite)) {
                _ = try await stage.perform(
                    DecideHeldEntries(
                        of: .makeTimeless(), in: gate.session, accepts: true, actor: gate.host))
            }
            let decided = try await stage.perform(
                DecideHeldEntries(of: lost.id, in: gate.session, accepts: true, actor: gate.host))
            #expect(decided.decided == 1 && !decided.hasMore)
            #expect(try await gate.moves(of: gate.lee) == [3])
            #expect(try await gate.doubles() == [[3, 8]])
            try lost.letIn(gate.slots[2], at: 10)
            try await gate.merge(lost.entries, from: lost)
            let rejected = try await stage.perform(
                DecideHeldEntries(of: lost.id, in: gate.session, accepts: false, actor: gate.host))
            #expect(rejected.decided == 1)
            #expect(try await gate.states(of: lost) == [.merged, .merged, .rejected])
            #expect(try await gate.moves(of: gate.slots[2]) == [])
            try await stage.expectWhole(gate.session)
        },
        CommandRule("a held entry of an unknown pass waits, and is rejected if it leads to nobody by then") {
            stage in
            let gate = try await Gate(stage)
            var lost = try await gate.laptop(door: 1)
            try await stage.perform(RevokeSatellite(lost.id, of: gate.session, actor: gate.host))
            let issued = PassID.makeShort()
            try lost.note(.in, .pass(issued), at: 3)
            try lost.note(.in, .pass(.makeShort()), at: 4)
            try await gate.merge(lost.entries)
            #expect(try await gate.states(of: lost) == [.held, .held])
            let kim = gate.kim.id
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    guard let person = try transaction.rows.person(inSlotOf: kim) else { return }
                    try transaction.rows.insert(
                        Pass(id: issued, person: person, createdAt: transaction.now))
                })
            let decided = try await stage.perform(
                DecideHeldEntries(of: lost.id, in: gate.session, accepts: true, actor: gate.host))
            #expect(decided.decided == 2)
            #expect(try await gate.states(of: lost) == [.merged, .rejected])
            #expect(try await gate.moves(of: gate.kim) == [3])
            try await stage.expectWhole(gate.session)
        },
        CommandRule("held and rejected entries, however many, keep no other entry from counting") { stage in
            let gate = try await Gate(stage)
            var (lost, other) = (try await gate.laptop(door: 1), try await gate.laptop(door: 2))
            try await stage.perform(RevokeSatellite(lost.id, of: gate.session, actor: gate.host))
            for _ in 0...MergeDoorEntries.mostOfAttendee { try lost.letIn(gate.kim, at: 1) }
            while try await gate.merge(
                Array(lost.entries.dropFirst(Int(gate.satellite(lost).received)))) > 0
            {}
            try other.letIn(gate.kim, at: 5)
            try await gate.merge(other.entries)
            #expect(try await gate.moves(of: gate.kim) == [5])
            var (decided, hasMore) = (0, true)
            while hasMore {
                let part = try await stage.perform(
                    DecideHeldEntries(of: lost.id, in: gate.session, accepts: false, actor: gate.host))
                (decided, hasMore) = (decided + part.decided, part.hasMore)
            }
            #expect(decided == lost.entries.count)
            try other.note(.undone(1), gate.kim, at: 6)
            try other.letIn(gate.kim, at: 7)
            try await gate.merge(other.entries)
            #expect(try await gate.moves(of: gate.kim) == [7])
            #expect(try await gate.states(of: other) == [.merged, .merged, .merged])
            // The list of those that no longer count begins with what a host has corrected.
            try await stage.perform(
                CorrectAttendee(attendee: gate.kim.id, status: .awaited, actor: gate.host))
            try other.letIn(gate.kim, at: 9)
            stage.now = at(10)
            try await gate.merge(other.entries)
            let session = gate.session
            let listed = try await stage.storage.read { rows throws(JournalError) in
                try rows.overruledDoorEntries(of: session, limit: 4).map(\.state)
            }
            #expect(listed == [.overruled, .overruled, .overruled, .rejected])
        },
        CommandRule("an entry gives the person the seat of a reply that waits") { stage in
            let gate = try await Gate(stage)
            var laptop = try await gate.laptop(door: 1)
            _ = try await stage.perform(
                SetReplies(
                    of: gate.session, mode: .open, capacity: .some(1), mostGuests: 0, code: "GATE",
                    actor: gate.host))
            var replies: [Reply] = []
            for number in ["99", "40"] {
                replies.append(
                    try await stage.perform(
                        SendReply(
                            to: "GATE", name: "Kim", identity: number, answer: .yes, guests: 0,
                            language: "en")))
            }
            #expect(replies.map(\.status) == [.accepted, .waiting])
            try laptop.letIn(gate.kim, at: 2)
            stage.now = at(3)
            try await gate.merge(laptop.entries)
            let (id, session) = (replies[1].id, gate.session)
            let (reply, settings) = try await stage.storage.read { rows throws(JournalError) in
                (try rows.reply(id), try rows.replySettings(of: session))
            }
            #expect(reply?.status == .accepted && reply?.attendee == gate.kim.id)
            #expect(settings?.counts.waiting == 0)
            try await stage.expectWhole(gate.session)
        },
        CommandRule("an entry ends the person's stay in another session, unless that began later") { stage in
            let gate = try await Gate(stage, recordsLeaving: true)
            var laptop = try await gate.laptop(door: 1)
            let other = try await stage.perform(
                ContinueMeeting(
                    meeting: gate.meeting, startsAt: at(0), endsAt: at(60), allowOverlap: true,
                    actor: gate.host)
            ).session.id
            for (number, minute) in [("40", 2), ("41", 20)] {
                stage.now = at(minute)
                _ = try await stage.perform(
                    Admit(.identity(IdentityKey(number)), to: other, actor: gate.host))
            }
            try laptop.letIn(gate.kim, at: 10)
            try laptop.letIn(gate.lee, at: 10)
            // The entries arrive after the end of both sessions.
            stage.now = at(70)
            try await gate.merge(laptop.entries)
            let slots = try await stage.attendees(of: other).sorted { $0.name < $1.name }
            #expect(try await gate.moves(of: slots[0]) == [2, 10])
            #expect(try await gate.moves(of: slots[1]) == [20])
            #expect(try await gate.moves(of: gate.kim) == [10])
            for session in [gate.session, other] { try await stage.expectWhole(session) }
        },
        CommandRule("the entries of a door whose creator is no host any more are held") { stage in
            let gate = try await Gate(stage)
            let other = try await stage.account(2).id
            try await stage.makeHost(other, of: gate.meeting)
            var laptop = try await gate.laptop(door: 1, by: other)
            try laptop.letIn(gate.kim, at: 1)
            try await stage.perform(
                Act { transaction throws(JournalError) in
                    try transaction.rows.setRole(.steward, of: other, in: gate.meeting)
                })
            try await gate.merge(laptop.entries, from: laptop)
            #expect(try await gate.states(of: laptop) == [.held])
        },
        CommandRule("a host's correction overrules the entries before it, and not those after it") { stage in
            let gate = try await Gate(stage)
            var (one, two) = (try await gate.laptop(door: 1), try await gate.laptop(door: 2))
            try one.letIn(gate.kim, at: 5)
            stage.now = at(6)
            try await gate.merge(one.entries)
            try await stage.perform(
                CorrectAttendee(attendee: gate.kim.id, status: .awaited, actor: gate.host))
            let own = try await stage.storage.read { rows throws(JournalError) in
                let all = try rows.attendees(of: gate.session, statuses: nil, text: nil, after: nil, limit: 9)
                return try rows.ownDoorMoves(of: all, in: gate.session, after: nil)
            }
            let kim = try #require(own.first { $0.attendee.id == gate.kim.id })
            #expect(kim.moves.isEmpty && kim.overruled.map(\.entry) == one.entries)
            try two.letIn(gate.kim, at: 9)
            stage.now = at(10)
            try await gate.merge(two.entries)
            #expect(try await gate.moves(of: gate.kim) == [9])
            #expect(try await gate.states(of: one) == [.overruled])
            // Both doors have let the person in, so the host still sees the double.
            #expect(try await gate.doubles() == [[5, 9]])
            try await stage.expectWhole(gate.session)
        },
        CommandRule("a pass that the laptop did not know leads to its person, unless it was revoked before") {
            stage in
            let gate = try await Gate(stage)
            var laptop = try await gate.laptop(door: 1)
            let key = NewSigningKey(publicKey: [1], secret: [2], replacing: nil)
            _ = try await stage.perform(
                IssuePasses(
                    meeting: gate.meeting, to: .roster(after: nil), session: nil, key: key, actor: gate.host))
            let passes = try await stage.storage.read { rows throws(JournalError) in
                try rows.passes(inSlotsOf: gate.session, after: nil, through: gate.slots.map(\.id).max()!)
            }
            #expect(Set(passes.map(\.attendee)) == Set(gate.slots.map(\.id)))
            func pass(of attendee: Attendee) -> PassID {
                passes.first { $0.attendee == attendee.id }?.pass.id ?? .makeTimeless()
            }
            stage.now = at(4)
            try await stage.perform(
                RevokePass(id: pass(of: gate.lee), meeting: gate.meeting, actor: gate.host))
            try laptop.note(.in, .pass(pass(of: gate.kim)), at: 2)
            try laptop.note(.in, .pass(pass(of: gate.lee)), at: 5)
            try laptop.note(.in, .pass(.makeShort()), at: 6)
            try laptop.letIn(gate.kim, at: 7)
            try await gate.merge(laptop.entries)
            #expect(try await gate.moves(of: gate.kim) == [2])
            #expect(try await gate.moves(of: gate.lee) == [])
            #expect(try await gate.doubles() == [[2, 7]])
            #expect(try await gate.states(of: laptop) == [.merged, .rejected, .rejected, .merged])
        },
        CommandRule(
            "an entry for another session's attendee changes nothing, and one for a merged record does"
        ) {
            stage in
            let gate = try await Gate(stage)
            let other = try await stage.meeting(of: gate.host, name: "Other", allowOverlap: true)
            stage.now = at(0)
            let stranger = try await stage.perform(
                AddAttendee(session: other.session.id, name: "Choi", status: .awaited, actor: gate.host)
            ).0
            var laptop = try await gate.laptop(door: 1)
            try laptop.letIn(stranger, at: 1)
            try laptop.letIn(gate.kim, at: 2)
            try await stage.perform(
                MergeAttendees(attendee: gate.kim.id, into: gate.lee.id, actor: gate.host))
            try await gate.merge(laptop.entries)
            #expect(try await stage.attendee(stranger.id)?.status == .pending)
            #expect(try await gate.moves(of: gate.lee) == [2])
            #expect(try await gate.states(of: laptop) == [.rejected, .merged])
            try await stage.expectWhole(gate.session)
        },
        CommandRule("an entry outlives the attendee, and ends with its session") { stage in
            let gate = try await Gate(stage)
            var laptop = try await gate.laptop(door: 1)
            try laptop.letIn(gate.kim, at: 1)
            try laptop.letIn(gate.lee, at: 1)
            stage.now = at(2)
            try await gate.merge(laptop.entries)
            try await stage.perform(
                RemoveAttendee(attendee: gate.kim.id, erases: true, actor: gate.host))
            try laptop.note(.out, gate.kim, at: 3)
            try await gate.merge(laptop.entries)
            #expect(try await gate.states(of: laptop).count == 3)
            let other = try await stage.meeting(of: gate.host, name: "Other", from: 200, to: 260)
            _ = try await stage.perform(
                DeleteMeeting(id: gate.meeting, confirmation: "Meeting", actor: gate.host))
            let id = laptop.id
            let left = try await stage.storage.read { rows throws(JournalError) in
                (
                    try rows.satellite(id) == nil,
                    try rows.doorEntry(1, of: id) == nil,
                    try rows.doorRecord(of: gate.lee.id) == nil
                )
            }
            #expect(left == (true, true, true))
            #expect(try await stage.record(other.session.id) != nil)
        },
    ]
}
