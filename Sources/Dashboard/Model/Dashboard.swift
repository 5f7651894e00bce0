internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The state of everything on the screen, as a value. Events change it (`Dashboard+…`), and `DashboardLayout`
/// draws it.
struct Dashboard: Sendable {
    enum Pane: Int, CaseIterable, Sendable { case overview, attendees, questions }
    /// A view that covers the whole screen.
    enum Cover: Sendable { case help, code }

    struct Notice: Sendable {
        let text: Phrase
        let values: [String: String]
        let isTrouble: Bool
        let until: Instant
    }

    var size: Size
    /// The current time by the server's clock. Until the server has sent its time, this is the machine's
    /// clock.
    var now: Instant
    /// The difference between the server's clock and this machine's clock; positive if the server's clock is
    /// ahead.
    var ahead = Duration.zero
    /// The home view; nil if the dashboard began with a session and the home view has not been opened yet.
    var home: HomeState?
    /// The open session; nil while the home view is visible.
    var session: SessionState?
    var pane = Pane.overview
    var cover: Cover?
    /// Whether the user is typing a search, so that keys are letters.
    var isTyping = false
    var notice: Notice?
    /// Whether a correction is on its way to the server.
    var isBusy = false

    static let noticeShows = Duration.seconds(6)

    mutating func say(_ text: Phrase, _ values: [String: String] = [:], trouble: Bool = false) {
        notice = Notice(text: text, values: values, isTrouble: trouble, until: now + Self.noticeShows)
    }
}

enum DashboardEvent: Sendable {
    case tick(Instant)
    case screen(ScreenEvent)
    /// The user clicked a target of the layout.
    case pressed(Target)
    case room(SessionID, RoomUpdate)
    case home(RoomUpdate)
    case people(SessionID, [AttendeeBody], isLast: Bool)
    case opened(SessionBody)
    /// The server corrected an attendee. `sequence` is the correction's number in the journal, if it was
    /// found.
    case marked(SessionID, AttendeeBody, sequence: Int64?)
    /// The server undid a correction. The attendee is nil if it could not be read again.
    case undone(SessionID, Int64, AttendeeBody?)
    case failed(String)
}

/// An action that must happen outside the dashboard's state.
enum DashboardAction: Hashable, Sendable {
    case watchHome
    case watch(SessionID)
    case unwatch
    case readPeople(SessionID)
    case mark(SessionID, AttendeeID, AttendanceStatus, version: Int, after: Int64)
    case undo(SessionID, Int64, AttendeeID)
    case quit
    /// The room ended for a reason that this program reports as a failure.
    case fail(RoomEnd)
}

/// An object on the screen that reacts to a mouse click.
enum Target: Hashable, Sendable {
    case pane(Dashboard.Pane)
    case attendee(AttendeeID)
    case session(SessionID)
    case code
    case nextQuestion
}
