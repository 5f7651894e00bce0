package import Meetings
package import Wire

/// A question set with its tallies, as read from the database.
package struct SetResults: Sendable {
    package let set: QuestionSet
    package let tallies: [TallyBody]

    package init(set: QuestionSet, tallies: [TallyBody]) {
        self.set = set
        self.tallies = tallies
    }
}
