import Meetings
import Testing

struct RoleTests {
    @Test func `owners and hosts may change a meeting, and viewers only read it`() {
        #expect(Role.allCases.filter(\.isHost) == [.owner, .host])
    }
}
