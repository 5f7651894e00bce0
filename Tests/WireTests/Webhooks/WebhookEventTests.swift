import Meetings
import Testing

struct WebhookEventTests {
    @Test func `the host's page offers each event of web hooks that a host can choose`() throws {
        let script = try RepositoryFile.text("Public/host/meeting-webhooks.js")
        let list = try #require(script.firstMatch(of: #/const events = \[([^\]]*)\]/#)?.output.1)
        let names = list.matches(of: #/"([^"]+)"/#).map { String($0.output.1) }
        #expect(names == WebhookEvent.choices.map(\.rawValue))
    }
}
