internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The state of everything on the screen, as a value. Events change it (`Dashboard+…`), and `DashboardLayout`
/// draws it.
struct Dashboard: Sendable {
    enum Pane: Int, CaseIterable, Sendable { case overview, attendees, questions, audience }
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
    /// The poll that the host is writing; nil if the form is closed.
    var poll: PollForm?
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
    /// The server changed the status or the pin of what an attendee has written.
    case moderated(SessionID, Moderation, sequence: Int64?)
    /// The server has opened this poll.
    case asked(SessionID, set: String)
    /// The server has opened, closed, shared or unshared a set.
    case changedSet(SessionID, SetSwitch)
    case failed(String)
}

/// An action that must happen outside the dashboard's state.
enum DashboardAction: Hashable, Sendable {
    case watchHome
    case watch(SessionID)
    case unwatch
    case readPeople(SessionID)
    case mark(SessionID, AttendeeID, AttendanceStatus, version: Int, after: Int64)
    case undo(SessionID, Int64, AttendeeID?)
    case moderate(SessionID, Moderation, after: Int64)
    case ask(SessionID, question: String, choices: [String])
    case change(SessionID, SetSwitch, version: Int)
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
    case voice(Voices.ID)
}

/// A host's change of what an attendee has written.
struct Moderation: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case question(AudienceQuestionID, QuestionChange, version: Int)
        case text(QuestionID, String, TextStatus)
    }

    let change: Change
    /// The text, for messages.
    let text: String
}

/// A change of a question set: it opens or closes, or its results are shared or not.
struct SetSwitch: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case open(Bool)
        case shared(Bool)
    }

    let set: String
    let heading: String
    let change: Change
}

/// The form for a poll: its question and its choices. The last choice is always empty.
struct PollForm: Hashable, Sendable {
    var question = ""
    var choices = [""]
    /// The line with the cursor: 0 for the question, then the choices.
    var line = 0

    static let mostChoices = 9
    static let mostCharacters = 200

    var written: [String] { choices.filter { !$0.isEmpty } }

    var current: String {
        get { line == 0 ? question : choices[line - 1] }
        set {
            let text = String(newValue.prefix(Self.mostCharacters))
            if line == 0 { question = text } else { choices[line - 1] = text }
            if choices.last?.isEmpty == false, choices.count < Self.mostChoices { choices.append("") }
        }
    }

    mutating func move(by step: Int) { line = min(max(line + step, 0), choices.count) }
}
