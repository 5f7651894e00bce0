package import Meetings
package import Wire

/// How much of a room a subscriber sees.
package enum View: Hashable, Sendable, CaseIterable {
    /// Members of the meeting: counts, tallies, arrivals with names, the current code.
    case session
    /// The screen of a hall: counts, shared tallies, the current code.
    case presenter
    /// Attendees: counts, and the tallies that a host shares.
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

    /// Whether the view shows that the set exists. Sets that a host prepares for later are for members only.
    func knows(_ set: QuestionSet) -> Bool {
        self == .session
            || !set.isCheckIn && (set.name == QuestionSet.feedback || set.openByHand != nil || set.shared)
    }
}

/// A frame for the subscribers of one view whose position is `from`; their position is `to` afterwards.
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

    package init(set: QuestionSet, tallies: [TallyBody]) {
        self.set = set
        self.tallies = tallies
    }
}
