import Journal
import Meetings

/// Whose place an attendee has, and what they are found by.
extension Connection {
    private static let most = Verification.mostOfAKind
    private static let strayPlaces = Query(
        "check places",
        """
        SELECT p.session, p.attendee FROM places p LEFT JOIN attendees a ON a.id = p.attendee LEFT JOIN sessions s ON s.id = a.session
        LEFT JOIN people q ON q.id = p.person
        WHERE a.session IS NOT p.session OR q.meeting IS NOT s.meeting LIMIT \(most)
        """)
    // Case and composition are folded by our own rule, which SQL does not have. Names are kept with the
    // person alone.
    private static let keys = Query(
        "check keys",
        "SELECT session, id, identity, key FROM attendees WHERE key IS NOT NULL AND identity <> ''")

    func strayPlaces() throws(JournalError) -> [Finding] {
        try all(Self.strayPlaces) { row in
            let attendee: AttendeeID? = row.idIfAny(1)
            return Finding(.placeElsewhere, row.idIfAny(0), ["attendee": attendee?.text ?? "–"])
        }
    }

    func keyDifferences() throws(JournalError) -> [Finding] {
        let found: [Finding?] = try all(Self.keys) { row in
            if IdentityKey(row.text(2)).text == row.text(3) { return nil }
            let attendee: AttendeeID? = row.idIfAny(1)
            return Finding(.keyDiffers, row.idIfAny(0), ["attendee": attendee?.text ?? "–"])
        }
        return Array(found.compactMap { $0 }.prefix(Self.most))
    }
}
