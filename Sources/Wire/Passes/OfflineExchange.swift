package import Meetings

/// The offline door that answers at an address. Its key, which only the real server vouches for, proves it.
package struct OfflineIdentityBody: Codable, Hashable, Sendable {
    package let satelliteId: SatelliteID

    package init(_ satellite: SatelliteID) { satelliteId = satellite }
}

/// Entries from one offline door to another. Nobody else in the hall can read or change them.
package struct SealedExchangeRequest: Readable, Codable, Sendable {
    /// The offline door that sends the entries.
    package let satelliteId: SatelliteID
    /// A `DoorExchangeRequest`, encrypted for the two offline doors: base64url without padding.
    package let sealed: String

    /// The most entries in one exchange between offline doors, so that the request has less than 64 KB.
    package static let mostEntries = 200

    package init(reading fields: Fields) {
        satelliteId = fields.id("satelliteId", of: Satellite.self, required: true) ?? ID(high: 0, low: 0)
        sealed = fields.text("sealed", required: true, 1...62_000) ?? ""
    }

    package init(from satellite: SatelliteID, sealed: String) {
        (satelliteId, self.sealed) = (satellite, sealed)
    }
}

/// The answer to another offline door.
package struct SealedExchangeBody: Codable, Sendable {
    /// A `DoorExchangeBody`, encrypted for the two offline doors: base64url without padding.
    package let sealed: String

    package init(sealed: String) { self.sealed = sealed }
}
