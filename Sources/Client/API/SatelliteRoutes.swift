package import Meetings
package import Wire

/// A new offline door.
package struct NewSatellite: Encodable, Sendable {
    package let name: String
    package let door: Int
    package let names: Bool
    package let numbers: Bool

    package init(name: String, door: Int, names: Bool, numbers: Bool) {
        (self.name, self.door, self.names, self.numbers) = (name, door, names, numbers)
    }
}

extension APIClient {
    package func addSatellite(_ satellite: NewSatellite, to session: SessionID) async throws(APIError)
        -> SatelliteCreatedBody
    { try await post(satellitePath(session), satellite) }

    package func satellites(of session: SessionID) async throws(APIError) -> [SatelliteBody] {
        let body: SatellitesBody = try await get(satellitePath(session))
        return body.items
    }

    package func revokeSatellite(_ id: SatelliteID, of session: SessionID) async throws(APIError) {
        _ = try await send(APICall("DELETE", "\(satellitePath(session))/\(id)"))
    }

    package func satelliteDoubles(of session: SessionID) async throws(APIError) -> [DoorDoubleBody] {
        try await all("\(satellitePath(session))/doubles")
    }

    /// Accepts or rejects the held entries of a revoked offline door, at most a few hundred at once.
    package func decideHeld(_ id: SatelliteID, of session: SessionID, accept: Bool) async throws(APIError)
        -> HeldEntriesBody
    {
        struct Body: Encodable { let accept: Bool }
        return try await post("\(satellitePath(session))/\(id)/held", Body(accept: accept))
    }

    private func satellitePath(_ session: SessionID) -> String { "/api/v1/sessions/\(session)/satellites" }
}
