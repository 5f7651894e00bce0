package import Wire

/// Stores the tokens of one sign-in. If several calls find the tokens expired, the keeper renews the tokens
/// only once for all of them.
///
/// If a client uses a refresh token again after more than a minute, the server ends the sign-in. Another
/// process may have renewed the tokens, so the keeper reads the saved tokens before a renewal, and again if
/// the server rejects the renewal.
package actor SignInKeeper {
    private var current: SavedSignIn
    private var renewal: Task<Result<SavedSignIn, APIError>, Never>?
    private let reload: @Sendable () -> SavedSignIn?
    private let save: @Sendable (SavedSignIn) -> Void

    /// - Parameters:
    ///   - reload: returns the saved sign-in, or nil if it was deleted.
    ///   - save: saves a new pair of tokens. The keeper calls `save` before any request uses the new tokens.
    package init(
        _ signIn: SavedSignIn, reload: @escaping @Sendable () -> SavedSignIn?,
        save: @escaping @Sendable (SavedSignIn) -> Void
    ) {
        current = signIn
        self.reload = reload
        self.save = save
    }

    /// The access token as of now. It may have expired.
    package var accessToken: String { current.accessToken }

    /// Returns an access token that is not `stale`.
    ///
    /// - Throws: the server's problem if the sign-in has ended, or the error of the renewal.
    package func renewed(
        after stale: String, by refresh: @escaping @Sendable (String) async throws(APIError) -> TokenBody
    ) async throws(APIError) -> String {
        if current.accessToken != stale { return current.accessToken }
        let running = renewal ?? start(stale, refresh)
        renewal = running
        let result = await running.value
        renewal = nil
        current = try result.get()
        return current.accessToken
    }

    private func start(
        _ stale: String, _ refresh: @escaping @Sendable (String) async throws(APIError) -> TokenBody
    ) -> Task<Result<SavedSignIn, APIError>, Never> {
        let (old, reload, save) = (current, reload, save)
        return Task {
            if let saved = reload(), saved.accessToken != stale { return .success(saved) }
            do throws(APIError) {
                let new = old.renewed(by: try await refresh(old.refreshToken))
                save(new)
                return .success(new)
            } catch {
                if error.code != nil, let saved = reload(), saved.accessToken != stale {
                    return .success(saved)
                }
                return .failure(error)
            }
        }
    }
}
