import Foundation
import Journal
import Meetings
import Testing

@testable import Server

@Suite(.timeLimit(.minutes(1))) struct OutboxTests {
    @Test func `the files of an erased account's mails are deleted within a minute`() async throws {
        try await Site.inFolder { folder in
            try await Site.open(in: folder) { site in
                let id = try await site.storage.perform(
                    Act { transaction throws(JournalError) -> AccountID in
                        _ = try transaction.account("operator@example.org")
                        return try transaction.account("kim@example.org").id
                    })
                let answer = try await site.send(
                    "POST", "/api/v1/accounts/password-resets", json: #"{"email": "kim@example.org"}"#)
                #expect(answer.status == 202)
                func files() -> [String] {
                    (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/outbox")) ?? []
                }
                // The mail is queued after the answer.
                try await eventually("a mail is in the outbox") { files().count == 1 }
                for courier in site.server.couriers { await courier.drain(within: .seconds(30)) }
                let deletion = DeleteAccount(
                    id: id, .dataFolder, confirmation: "kim@example.org", meetings: .delete)
                try await site.storage.perform(deletion)
                await site.pass(to: site.clock.now + .minutes(1))
                #expect(files().isEmpty)
            }
        }
    }
}
