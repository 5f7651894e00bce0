internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The state of everything on the screen, as a value. Events change it (`Dashboard+…`), and `DashboardLayout`
/// draws it.
struct Dashboard: Sendable {
    enum Pane: Int, CaseIterable, Sendable { case overview, attendees, questions, audience, journal }
    /// A view that covers the panes or the whole screen.
    enum Cover: Sendable { case code, texts, person, voice }

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
    /// Whether the code beside the panes is hidden, so that they have the whole width.
    var hidesCode = false
    /// Whether the keys are listed at the bottom of the screen.
    var showsHelp = false
    /// The open form, such as a poll that the host is writing.
    var form: EntryForm?
    var palette: Palette?
    /// The output of the command that `:` has started.
    var commandPane: CommandPane?
    /// The number of commands that `:` has started.
    var commandsRun = 0
    /// Whether the user is typing a search, so that keys are letters.
    var isTyping = false
    var notice: Notice?
    /// The change of all phones that waits for the host's answer.
    var question: PhoneQuestion?
    /// The first visible row of the open text.
    var voiceRow = 0
    /// Whether a key that changes all phones asks first.
    let asksFirst: Bool
    /// Whether a correction is on its way to the server.
    var isBusy = false
    /// The language of the texts that the palette searches.
    var language: Language
    /// Whether the terminal may have a clipboard.
    var hasClipboard: Bool
    let readEnd: EndReader
    /// The commands of the command line.
    let commands: LineCommands

    init(
        size: Size, now: Instant, home: HomeState? = nil, language: Language = .english,
        hasClipboard: Bool = true, asksFirst: Bool = true, commands: LineCommands = .none,
        readEnd: @escaping EndReader
    ) {
        self.size = size
        self.now = now
        self.home = home
        self.language = language
        self.hasClipboard = hasClipboard
        self.asksFirst = asksFirst
        self.readEnd = readEnd
        self.commands = commands
    }

    /// Whether the screen shows only the size that the dashboard needs.
    var isTooSmall: Bool {
        size.columns < DashboardLayout.smallest.columns || size.rows < DashboardLayout.smallest.rows
    }

    static let noticeShows = Duration.seconds(6)
    /// The time for which the dashboard says that the server's disk is full, after each response about it.
    static let fullStorageShows = Duration.seconds(60)

    mutating func say(
        _ text: Phrase, _ values: [String: String] = [:], trouble: Bool = false,
        for duration: Duration = Dashboard.noticeShows
    ) {
        notice = Notice(text: text, values: values, isTrouble: trouble, until: now + duration)
    }
}

enum DashboardEvent: Sendable {
    case tick(Instant)
    case screen(ScreenEvent)
    /// A response said that the server's disk is full.
    case storageIsFull
    /// The user clicked a target of the layout.
    case pressed(Target)
    case room(SessionID, RoomUpdate)
    case home(RoomUpdate)
    case people(SessionID, [AttendeeBody], isLast: Bool)
    case opened(SessionBody)
    /// The server made a correction, as far as it got. `sequences` are its events in the journal, if they
    /// were found.
    case corrected(SessionID, Correction, [AttendeeBody], sequences: [Int64])
    case added(SessionID, AttendeeBody, sequence: Int64?)
    /// The server undid or redid a change. `made` has the events of the undoing.
    case reverted(SessionID, SessionState.Mark, redoes: Bool, made: [Int64], [AttendeeBody])
    /// The server changed the session.
    case edited(SessionID, SessionBody, sequence: Int64?)
    /// The session would overlap another one, so the server refused to change it.
    case overlaps(SessionID, String)
    case totals(AttendeeID, SeriesTotals?)
    case rounds(AttendeeID, [SessionState.PersonDetails.Round], isLast: Bool)
    case journal(SessionID, [EventBody], upTo: Int64)
    /// The server changed the status or the pin of a question or text.
    case moderated(SessionID, Moderation, sequence: Int64?)
    /// The server has opened this poll.
    case asked(SessionID, set: String)
    /// The server has opened, closed, shared or unshared a set.
    case changedSet(SessionID, SetSwitch)
    /// The server has opened or closed the questions from the audience.
    case turnedAudience(SessionID, open: Bool)
    /// A page of the texts that answer a question.
    case texts(QuestionID, [TextAnswerBody], isLast: Bool)
    /// The session before this one; nil if there is none.
    case previous(SessionID, SessionBody?)
    case failed(String)
    /// The words that can follow in a command line.
    case completed(String, [LineCommands.Completion])
    /// A command that `:` has started has printed, asked or ended.
    case command(id: Int, CommandEvent)
}

/// An action that must happen outside the dashboard's state.
enum DashboardAction: Hashable, Sendable {
    case watchHome
    case watch(SessionID)
    case unwatch
    case readPeople(SessionID)
    case readTexts(QuestionID)
    /// Puts a text into the terminal's clipboard.
    case copy(String)
    case correct(SessionID, Correction, after: Int64)
    case add(SessionID, AttendeeChange, after: Int64)
    case edit(SessionID, SessionChange, version: Int, after: Int64)
    /// Undoes the mark's events. If `redoes` is true, they are the events of an undoing.
    case revert(SessionID, SessionState.Mark, redoes: Bool)
    case readPerson(SessionID, MeetingID, AttendeeBody)
    /// Reads the session before this one of the meeting.
    case readPrevious(SessionID, MeetingID)
    case readJournal(SessionID, since: Int64, upTo: Int64)
    case moderate(SessionID, Moderation, after: Int64)
    case ask(SessionID, question: String, choices: [String])
    case change(SessionID, SetSwitch, version: Int)
    /// Lets attendees ask, or not.
    case turnAudience(SessionID, open: Bool)
    /// Looks for the words that can follow in a command line.
    case complete(String, LineCommands.Context)
    case runLine(String, LineCommands.Context, id: Int)
    case answerLine(String, id: Int)
    case stopLine(id: Int)
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
    case set(String)
    case voice(Voices.ID)
    /// A row of the palette.
    case entry(Int)
}

/// A host's change of a question from the audience or of a text.
struct Moderation: Hashable, Sendable {
    enum Change: Hashable, Sendable {
        case question(AudienceQuestionID, QuestionChange, version: Int)
        case text(QuestionID, String, TextStatus)
    }

    let change: Change
    /// The text, for messages.
    let text: String
}

/// A question before a change of all phones.
enum PhoneQuestion: Hashable, Sendable {
    /// A change of a set, with the version that the host saw.
    case set(SetSwitch, version: Int)
    /// Whether attendees can ask.
    case audience(open: Bool)
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
    /// Whether the change opens a set that attendees have seen before.
    var isAgain = false
}
