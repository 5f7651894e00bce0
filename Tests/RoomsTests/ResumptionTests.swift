import Rooms
import Testing

/// Tests of the decision how a client joins a room at the position that it has reached.
struct ResumptionTests {
    @Test func `a client joins at the position that the room has published, or without one`() {
        for since in [nil, 5 as Int64?] {
            var resumption = Resumption(since: since)
            #expect(resumption.first == .join(since: since))
            #expect(resumption.next(after: .joined) == .end)
        }
    }

    @Test func `news that memory has no more come from the journal, or else a snapshot replaces them`() {
        var resumption = Resumption(since: 5)
        #expect(resumption.next(after: .needsNews) == .readNews(after: 5))
        #expect(resumption.readNews(hasAll: true) == .join(since: 5))
        #expect(resumption.readNews(hasAll: false) == .join(since: nil))
    }

    @Test func `a position that the database has not reached gets a snapshot at once`() {
        var resumption = Resumption(since: 5)
        #expect(resumption.next(after: .isBehind) == .readSequence)
        #expect(resumption.readSequence(4) == .join(since: nil))
        #expect(resumption.readSequence(nil) == .refuse)
    }

    @Test(arguments: [5, 6] as [Int64])
    func `a position that the database has reached is awaited, and never gets an older snapshot`(
        stored: Int64
    ) {
        var resumption = Resumption(since: 5)
        #expect(resumption.next(after: .isBehind) == .readSequence)
        #expect(resumption.readSequence(stored) == .awaitCommits(until: 5))
        var other = resumption
        #expect(resumption.waited(isPublished: true) == .join(since: 5))
        #expect(resumption.next(after: .joined) == .end)
        #expect(other.waited(isPublished: false) == .tryAgain)
        #expect(other.failedToReadSequence() == .tryAgain)
    }

    @Test func `a client waits once, and a room that is gone is found again once`() {
        var resumption = Resumption(since: 5)
        _ = resumption.waited(isPublished: true)
        #expect(resumption.next(after: .isGone) == .findRoom)
        #expect(resumption.foundRoom() == .join(since: 5))
        #expect(resumption.next(after: .isBehind) == .tryAgain)
        #expect(resumption.next(after: .isGone) == .refuse)
    }
}
