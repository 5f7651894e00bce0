package import Wire

extension APIClient {
    /// Joins a session of the server as an offline door.
    package func joinAsOfflineDoor(code: String, publicKey: String) async throws(APIError)
        -> SatelliteJoinedBody
    {
        try await post("/api/v1/satellites", ["code": code, "publicKey": publicKey])
    }

    /// Returns the session as an offline door may know it; nil if it has not changed since the snapshot with
    /// this tag.
    package func offlineSnapshot(since tag: String?) async throws(APIError) -> Versioned<SatelliteSnapshot>? {
        var call = APICall("GET", "/api/v1/satellite/snapshot")
        if let tag { call.headers.append(("If-None-Match", tag)) }
        do throws(APIError) { return try await versioned(call) } catch {
            if case .notQRing(_, status: 304) = error { return nil }
            throw error
        }
    }

    /// Gives the server entries of offline doors, and returns those that the caller lacks.
    package func exchange(_ request: DoorExchangeRequest) async throws(APIError) -> DoorExchangeBody {
        try await post("/api/v1/satellite/entries", request)
    }

    /// Returns the offline door that this server is.
    package func offlineIdentity() async throws(APIError) -> OfflineIdentityBody {
        try await get("/api/v1/offline-door")
    }

    /// Exchanges entries with another offline door. Both bodies are encrypted for the two.
    package func exchange(_ request: SealedExchangeRequest) async throws(APIError) -> SealedExchangeBody {
        try await post("/api/v1/offline-door/entries", request)
    }
}
