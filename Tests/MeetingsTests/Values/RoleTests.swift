import Meetings
import Testing

struct RoleTests {
    @Test func `owners and hosts run a meeting, and viewers only see it`() {
        #expect(Role.allCases.filter(\.isHost) == [.owner, .host])
    }
}
