import Foundation
package import Journal
import Meetings
import Secrets
package import Wire

/// The account commands that work directly on the data folder, while no server uses it.
package struct AccountAdministration: Sendable {
    private let storage: Storage
    private let settings: ServerSettings

    package init(_ storage: Storage, folder: String) {
        self.storage = storage
        settings = ServerSettings(dataFolder: folder)
    }

    /// Creates an account as a sign-up does. The server's sign-up mode does not limit this command.
    /// - Parameter isOperator: whether the account is an operator's account. The first account always is.
    /// - Throws: `Refusal`, `JournalError`, `SecretsError`.
    package func create(email: String, name: String, password: String, isOperator: Bool) async throws
        -> AccountBody
    {
        let fields = ["email": email, "name": name, "password": password]
        let request = try Fields.read(
            SignUpRequest.self, from: try JSONDocument(Array(try JSONEncoder().encode(fields))))
        let hash = try await PasswordHasher().hash(Password(request.password).text)
        let account = try await storage.perform(
            CreateAccount(
                email: request.email, name: request.name, passwordHash: hash.encoded,
                profile: request.profile, signUp: .open,
                proof: isOperator ? .dataFolder : .setUp))
        if account.admin { SetupToken.remove(at: settings.setupTokenPath) }
        return AccountBody(account)
    }

    package func makeOperator(_ email: String) async throws(JournalError) -> AccountBody {
        let account = try await storage.perform(MakeOperator(email: email))
        SetupToken.remove(at: settings.setupTokenPath)
        return AccountBody(account)
    }

    private static let page = 200

    /// Returns all accounts, oldest first.
    package func list() async throws(JournalError) -> [AccountBody] {
        var all: [AccountBody] = []
        while true {
            let cursor = all.last?.id
            let page = try await storage.read { rows throws(JournalError) in
                try rows.accounts(after: cursor, limit: Self.page)
            }
            all += page.map { AccountBody($0) }
            if page.count < Self.page { return all }
        }
    }
}
