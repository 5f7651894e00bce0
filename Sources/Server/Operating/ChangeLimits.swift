import HTTPServer
import Journal
import Meetings
import Synchronization
import Wire

/// Limits how fast one account may add data. The limit counts units of about 4 KB. An account may spend
/// `mostUnits` at once, and regains ten units each second. Limits on counts, such as the sessions of a
/// meeting, are rules of the journal. Any thread may use it.
final class ChangeLimits: Sendable {
    /// The most units that an account can have. One change costs one unit, and one more for each 4 KB of its
    /// body.
    static let mostUnits = 10_000
    /// The units that a sign-in costs, because each one stores two tokens for months.
    static let unitsOfSignIn = 20
    /// The number of roster slots that fit into one unit.
    static let slotsInUnit = 16
    /// The bytes of one unit.
    static let bytesOfUnit = 4_096
    private static let timeOfUnit = Duration.milliseconds(100)

    /// If there are this many entries, the accounts that have regained all their units are removed.
    private static let manyAccounts = 10_000
    /// The time, on a clock that never runs backwards, at which each account has regained all units.
    private let full = Mutex<[AccountID: Duration]>([:])

    /// Returns whether the account has at least this number of units.
    func canSpend(_ units: Int, _ account: AccountID, at now: Duration) -> Bool {
        full.withLock { full in
            max(full[account] ?? now, now) + Self.timeOfUnit * units - now <= Self.timeOfUnit * Self.mostUnits
        }
    }

    /// Spends units of the account and returns nil. If the account has too few units, the function spends
    /// nothing and returns the number of seconds that the account must wait. A change that costs more than
    /// `mostUnits` needs all units of the account, which then regains the rest before any other change.
    func wait(_ account: AccountID, spending units: Int, at now: Duration) -> Int? {
        full.withLock { full in
            if full.count >= Self.manyAccounts { full = full.filter { $0.value > now } }
            let spent = max(full[account] ?? now, now)
            let needed = Self.timeOfUnit * min(units, Self.mostUnits)
            let over = spent + needed - now - Self.timeOfUnit * Self.mostUnits
            if over > .zero { return Int(over.components.seconds) + 1 }
            full[account] = spent + Self.timeOfUnit * units
            return nil
        }
    }
}

extension RequestContext {
    /// Spends units for a change of the caller's account, before the change is made. Reads and sign-outs cost
    /// nothing.
    /// - Throws: 429 `too_many_changes`.
    func countChange(on route: Route) throws {
        guard let account = caller.token?.accountID, route.countsAsChange else { return }
        try count(1 + request.body.count / ChangeLimits.bytesOfUnit, of: account)
    }

    /// Spends units for the sessions that the request plans: for their roster slots, and for their copies of
    /// the latest session's question sets.
    /// - Throws: 429 `too_many_changes`.
    func count(newSessions sessions: Int) async throws {
        let (meeting, now) = (meeting, now)
        let (people, bytes) = try await storage.read { rows throws(JournalError) -> (Int, Int) in
            let latest = try rows.latestSession(of: meeting.id)?.session.id
            let bytes = try latest.map { id throws(JournalError) in
                try rows.questionsSize(of: id, set: nil).bytes
            }
            let people = try rows.personCount(of: meeting.id)
            guard meeting.regulars == .everybody else { return (people, bytes ?? 0) }
            let held = try rows.lastHeldSession(of: meeting.id, at: now)
            return (people + (held?.headCount.checkedIn ?? 0), bytes ?? 0)
        }
        try count(
            Self.unitsOfSlots(people, sessions) + bytes * sessions / ChangeLimits.bytesOfUnit, of: accountID)
    }

    /// Spends units for a copy of a question set. The copy costs nothing if the account may not see the
    /// session, because then the command refuses it.
    /// - Parameter set: nil for all sets of the session.
    /// - Throws: 429 `too_many_changes`.
    func count(copiesOf set: String?, from session: SessionID) async throws {
        let account = accountID
        let bytes = try await storage.read { rows throws(JournalError) -> Int in
            guard let record = try rows.session(session),
                try rows.canRead(account, record.meeting.id)
            else { return 0 }
            return try rows.questionsSize(of: session, set: set).bytes
        }
        try count(bytes / ChangeLimits.bytesOfUnit, of: account)
    }

    /// Spends units for the people that the request may add to the roster: each needs a slot in every open
    /// session of the meeting.
    /// - Throws: 429 `too_many_changes`.
    func countSlots(ofNewPeople people: Int) async throws {
        let (meeting, now) = (meeting.id, now)
        let sessions = try await storage.scan { rows throws(JournalError) in
            try rows.idsOfSessionsNotOver(of: meeting, at: now).count
        }
        try count(Self.unitsOfSlots(people, sessions), of: accountID)
    }

    private static func unitsOfSlots(_ people: Int, _ sessions: Int) -> Int {
        // The command refuses to write more slots than this.
        min(people * sessions, RosterLimits.mostSlotsAtOnce) / ChangeLimits.slotsInUnit
    }

    /// Spends units of the account.
    /// - Throws: 429 `too_many_changes`.
    func count(_ units: Int, of account: AccountID) throws {
        guard
            let seconds = services.changes.wait(account, spending: units, at: services.clock.elapsed)
        else { return }
        throw RequestError(.tooManyChanges, ["seconds": String(seconds)], retryAfterSeconds: seconds)
    }
}
