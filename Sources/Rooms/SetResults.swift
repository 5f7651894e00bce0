package import Meetings
package import Wire

/// A set with its tallies as they were read.
package struct SetResults: Sendable {
    package let set: QuestionSet
    package let tallies: [TallyBody]

    package init(set: QuestionSet, tallies: [TallyBody]) {
        self.set = set
        self.tallies = tallies
    }
}
