package import Meetings

/// The satellite that this process is: a door that works without the network. A process without one is a
/// server.
package struct OwnSatellite: Sendable {
    package let id: SatelliteID
    /// The only session of the satellite.
    package let session: SessionID
    /// Returns the milliseconds by which the laptop's clock is ahead of the storage's clock, which follows
    /// the server's.
    package let clockAhead: @Sendable () -> Int64
    /// Returns the signature of a message by the laptop's key.
    package let sign: @Sendable ([UInt8]) -> [UInt8]

    package init(
        _ id: SatelliteID, in session: SessionID, clockAhead: @escaping @Sendable () -> Int64,
        sign: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.id, self.session) = (id, session)
        (self.clockAhead, self.sign) = (clockAhead, sign)
    }
}
