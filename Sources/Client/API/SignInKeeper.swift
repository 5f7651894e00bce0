package import Wire

/// Holds the tokens of one sign-in, and renews them once for all calls that find them expired.
///
/// Reusing a refresh token after a minute ends the whole sign-in. Another process may have renewed it, so the
/// saved pair is read before a renewal, and again if the renewal is rejected.
package actor SignInKeeper {
    private var current: SavedSignIn
    private var renewal: Task<Result<SavedSignIn, APIError>, Never>?
    private let reload: @Sendable () -> SavedSignIn?
    private let save: @Sendable (SavedSignIn) -> Void

    /// - Parameters:
    ///   - reload: what is saved now; nil where it is gone.
    ///   - save: called with every new pair before it is used.
    package init(
        _ signIn: SavedSignIn, reload: @escaping @Sendable () -> SavedSignIn?,
        save: @escaping @Sendable (SavedSignIn) -> Void
    ) {
        current = signIn
        self.reload = reload
        self.save = save
    }

    package var accessToken: String { current.accessToken }

    /// A token other than `stale`; throws where the sign-in has ended.
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
