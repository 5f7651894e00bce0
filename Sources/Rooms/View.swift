package import Meetings
package import Wire

/// The part of a room's data that a subscriber may see.
package enum View: Hashable, Sendable, CaseIterable {
    /// The view of the meeting's members: counts, tallies, arrivals with names, and the current code.
    case session
    /// The view of a hall's screen: counts, shared tallies, and the current code.
    case presenter
    /// The view of attendees: counts, and the tallies that the host shares.
    case audience

    /// Returns the name of this view's room.
    package func name(of session: SessionID) -> RoomName {
        switch self {
        case .session: .session(session)
        case .presenter: .presenter(session)
        case .audience: .audience(session)
        }
    }

    var showsNames: Bool { self == .session }
    var showsCode: Bool { self != .audience }

    func shows(_ set: QuestionSet) -> Bool { self == .session || set.shared }

    /// Whether this view may show that the set exists. Only members may see the sets that a host prepares for
    /// later.
    func knows(_ set: QuestionSet) -> Bool {
        self == .session
            || !set.isCheckIn && (set.name == QuestionSet.feedback || set.openByHand != nil || set.shared)
    }
}

/// A frame for the subscribers of one view whose position is `from`. When they have received it, their
/// position is `to`.
package struct Publication: Sendable {
    package let view: View
    package let from: Int64
    package let to: Int64
    package let frame: RoomFrame
}

/// A set with its tallies, as read from the store.
package struct SetResults: Sendable {
    package let set: QuestionSet
    package let tallies: [TallyBody]
    /// The texts for members, of each question that takes texts.
    package let texts: [QuestionTexts]

    package init(set: QuestionSet, tallies: [TallyBody], texts: [QuestionTexts] = []) {
        self.set = set
        self.tallies = tallies
        self.texts = texts
    }
}
