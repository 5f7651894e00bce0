package import Meetings

/// What one batch did to one session, for the rooms. The names in it come from the rows, not from the
/// journal, and are kept by nobody.
package struct SessionChange: Sendable {
    package let id: SessionID
    /// As committed. Nil only where the session was deleted.
    package internal(set) var record: SessionRecord?
    package internal(set) var events: [Event] = []
    /// Those who came in, in order.
    package var arrivals: [Attendee] = []
    /// Those who were here and are otherwise now.
    package var changed: [Attendee] = []
    package var removed: [AttendeeID] = []
    /// Sets that have new results, or were edited, opened, closed or shared.
    package var sets: Set<String> = []
    package var isEdited = false
    package internal(set) var isDeleted = false

    init(id: SessionID) { self.id = id }
}
