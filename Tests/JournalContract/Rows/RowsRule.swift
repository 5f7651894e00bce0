package import Journal

/// One thing that every engine does. An engine's tests run `RowsRule.all`, each on an engine of its own that
/// is still empty.
package struct RowsRule: Sendable, CustomStringConvertible {
    package let description: String
    package let check: @Sendable (any Engine) async throws -> Void

    init(_ description: String, _ check: @escaping @Sendable (any Engine) async throws -> Void) {
        self.description = description
        self.check = check
    }

    /// A rule of one connection.
    init(_ description: String, rows check: @escaping @Sendable (any WritableRows) throws -> Void) {
        self.init(description) { engine in try check(engine.openWriter()) }
    }

    package static let all: [RowsRule] =
        batches + accounts + meetings + lists + sessions + windows + overlaps + attendees + arrivals + events
        + questions + responses
        + presenters + storedResponses + corrections + memberships + rosters + places + rounds
        + arrivalMinutes
}
