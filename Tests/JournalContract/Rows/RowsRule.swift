package import Journal

/// A rule about rows that every engine must fulfil. An engine's tests run each rule of `RowsRule.all` on a
/// new, empty engine.
package struct RowsRule: Sendable, CustomStringConvertible {
    package let description: String
    package let check: @Sendable (any Engine) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (any Engine) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// Creates a rule that needs only one connection.
    init(_ description: String, rows check: @escaping @Sendable (any WritableRows) throws -> Void) {
        self.init(description) { engine in try check(engine.openWriter()) }
    }

    package static let all: [RowsRule] =
        batches + accounts + meetings + lists + sessions + windows + overlaps + attendees + arrivals + events
        + questions + responses
        + presenters + storedResponses + corrections + memberships + rosters + places + rounds
        + longTexts + arrivalMinutes + jobReports + audience + mails + mailings + matching + actions
        + devices
}
