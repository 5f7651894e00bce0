package import Meetings
package import Wire

/// How much of a room somebody sees.
package enum View: Hashable, Sendable, CaseIterable {
    /// Members of the meeting: counts, tallies, arrivals with names, the current code.
    case session
    /// A hall's screen: counts, shared tallies, the current code.
    case presenter
    /// Attendees: counts, and tallies where the host shares them.
    case audience

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

    /// Whether it hears that there is such a set: what a host prepares for later is for members alone.
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
