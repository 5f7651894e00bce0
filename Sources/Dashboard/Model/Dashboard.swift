internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// Everything that is on the screen, as a value. Events change it (`Dashboard+…`), and `DashboardLayout`
/// draws it.
struct Dashboard: Sendable {
    enum Pane: Int, CaseIterable, Sendable { case overview, attendees, questions }
    /// What lies over everything.
    enum Cover: Sendable { case help, code }

    struct Notice: Sendable {
        let text: Phrase
        let values: [String: String]
        let isTrouble: Bool
        let until: Instant
    }

    var size: Size
    /// By the server's clock, as far as it has said it.
    var now: Instant
    /// What the server's clock is ahead of this machine's.
    var ahead = Duration.zero
    /// Nil until it is first shown, where it was begun with a session.
    var home: HomeState?
    /// Nil where the home view is shown.
    var session: SessionState?
    var pane = Pane.overview
    var cover: Cover?
    /// Whether keys are letters of the search.
    var isTyping = false
    var notice: Notice?
    /// Whether a mark is on its way.
    var isBusy = false

    static let noticeShows = Duration.seconds(6)

    mutating func say(_ text: Phrase, _ values: [String: String] = [:], trouble: Bool = false) {
        notice = Notice(text: text, values: values, isTrouble: trouble, until: now + Self.noticeShows)
    }
}

enum DashboardEvent: Sendable {
    case tick(Instant)
    case screen(ScreenEvent)
    /// What was pressed, as the layout named it.
    case pressed(Target)
    case room(SessionID, RoomUpdate)
    case home(RoomUpdate)
    case people(SessionID, [AttendeeBody], isLast: Bool)
    case opened(SessionBody)
    /// `before` it was so; `sequence` where the journal tells it.
    case marked(SessionID, AttendeeBody, sequence: Int64?)
    /// A mark was taken back; the attendee as they are now, where it is known.
    case undone(SessionID, Int64, AttendeeBody?)
    case failed(String)
}

/// What is to be done outside.
enum DashboardAction: Hashable, Sendable {
    case watchHome
    case watch(SessionID)
    case unwatch
    case readPeople(SessionID)
    case mark(SessionID, AttendeeID, AttendanceStatus, version: Int, after: Int64)
    case undo(SessionID, Int64, AttendeeID)
    case quit
    /// The room ended in a way that this program tells as a failure.
    case fail(RoomEnd)
}

/// What a press of the mouse means somewhere.
enum Target: Hashable, Sendable {
    case pane(Dashboard.Pane)
    case attendee(AttendeeID)
    case session(SessionID)
    case code
    case nextQuestion
}
