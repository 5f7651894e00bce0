import CommandLine
import HostCommands
import Meetings
import Phrases
import SQLiteJournal

private typealias Messages = CommandPhrases.Admin

/// The command `qring admin verify`, which checks the data of a server.
let verifyCommand = CommandDeclaration(
    "admin verify", Messages.verify,
    examples: [.init("admin verify --data /var/lib/qring", Messages.verifyExample)],
    options: [.data, .database, .json(fields: ["ok", "counts", "findings"])],
    notes: Messages.verifyNotes, hasServer: false
) { call throws(CommandFailure) in
    let (folder, database) = (call.dataFolderPath, call.database)
    let progress = ProgressBar(call)
    defer { progress.end() }
    let verification = try await call.onThread(in: folder) { (interruption) throws(OperatingError) in
        guard let snapshot = snapshot(of: database, secretIn: nil) else {
            return try Verification.run(on: folder)
        }
        return try Verification.run(onCopyOf: snapshot, in: folder) { phase, done, all in
            progress.show(phase.phrase, done, of: all)
            return interruption.goesOn
        }
    }
    progress.end()
    let faults = verification.faults
    if call.wantsJSON {
        call.json(VerifyAnswer(verification))
    } else if faults.isEmpty {
        let counts = verification.counts
        call.out(
            Messages.verified,
            [
                "sessions": "\(counts.sessions)", "attendees": "\(counts.attendees)",
                "checkedIn": "\(counts.checkedIn)",
                "events": "\(counts.events)", "responses": "\(counts.responses)",
            ])
    } else {
        for line in call.lines(of: faults) { call.out(line) }
        call.out(Messages.faultCount, ["count": "\(faults.count)"])
    }
    return faults.isEmpty ? .success : .failed
}

extension Invocation {
    /// Describes the faults, in a paragraph for each session.
    func lines(of faults: [Fault]) -> [String] {
        Dictionary(grouping: faults, by: \.session).sorted { order($0.key) < order($1.key) }
            .flatMap { session, faults in
                [session.map { text(Messages.inSession, ["session": $0.text]) } ?? text(Messages.theFile)]
                    + faults.map { "  " + text($0.phrase, $0.shown) }
            }
    }
}

/// Returns the sort key of a session. Faults that concern the whole file come first.
private func order(_ session: SessionID?) -> String { session?.text ?? "" }

private struct VerifyAnswer: Encodable {
    struct Fault: Encodable {
        let kind: String
        let session: String?
        let values: [String: String]
    }

    let ok: Bool
    let counts: Verification.Counts
    let findings: [Fault]

    init(_ verification: Verification) {
        ok = verification.faults.isEmpty
        counts = verification.counts
        findings = verification.faults.map {
            Fault(kind: $0.kind.rawValue, session: $0.session?.text, values: $0.values)
        }
    }
}

extension Fault {
    /// The values for the fault's message. Unknown values are dashes.
    var shown: [String: String] { values.merging(["since": "–"]) { known, _ in known } }

    var phrase: Phrase {
        switch kind {
        case .commitsMissing: values["copy"] == nil ? Messages.commitsMissing : Messages.commitsMissingCopied
        case .foreignLog: values["copy"] == nil ? Messages.foreignLog : Messages.foreignLogCopied
        case .damagedFile: Messages.damagedFile
        case .brokenReference: Messages.brokenReference
        case .unreadable: Messages.unreadable
        case .journalGap: Messages.journalGap
        case .counterDiffers: Messages.counterDiffers
        case .unknownEventData: Messages.unknownEventData
        case .headCountDiffers: Messages.headCountDiffers
        case .arrivalWithoutEvent: Messages.arrivalWithoutEvent
        case .arrivalLost: Messages.arrivalLost
        case .placeElsewhere: Messages.placeElsewhere
        case .keyDiffers: Messages.keyDiffers
        case .doorEntriesDiffer: Messages.doorEntriesDiffer
        case .responsesDiffer: Messages.responsesDiffer
        case .publishedDiffer: Messages.publishedDiffer
        case .marksDiffer: Messages.marksDiffer
        case .responseEventsDiffer: Messages.responseEventsDiffer
        case .anonymousNamed: Messages.anonymousNamed
        case .answerDoesNotFit: Messages.answerDoesNotFit
        case .tallyDiffers: Messages.tallyDiffers
        case .votesDiffer: Messages.votesDiffer
        case .latestSessionDiffers: Messages.latestSessionDiffers
        }
    }
}

extension CommandPhrases.Admin {
    static let verify = Phrase("check the data against the journal")
    static let verifyExample = Phrase("changes nothing; the server may be running")
    static let verifyNotes = Phrase(
        "On PostgreSQL, the command copies one state of the database into the data folder, and checks the "
            + "copy. It deletes the copy afterwards.")
    static let verified = Phrase(
        "No faults: {sessions} {sessions|session|sessions}, {attendees} {attendees|attendee|attendees} "
            + "({checkedIn} checked in), {events} {events|event|events}, {responses} "
            + "{responses|response|responses}.")
    static let faultCount = Phrase("{count} {count|fault|faults} found.")
    static let theFile = Phrase("Database")
    static let inSession = Phrase("Session {session}")
    static let commitsMissing = Phrase(
        "{commits} acknowledged {commits|commit is|commits are} missing. {commits|It was|They were} made "
            + "after {since}; the last one at {until}. The next start copies these files first.")
    static let commitsMissingCopied = Phrase(
        "{commits} acknowledged {commits|commit is|commits are} missing. {commits|It was|They were} made "
            + "after {since}; the last one at {until}. A copy of the files, as they were found, is in "
            + "{copy}. When you have resolved the loss, move that folder out of the data folder.")
    static let foreignLog = Phrase(
        "journal.db-wal does not belong to this database: it is the log of another one, or of an older or "
            + "newer copy. It has {foreign} {foreign|commit|commits}. Of this database, {commits} "
            + "acknowledged {commits|commit is|commits are} missing. The next start copies these files "
            + "first, and starts without that log.")
    static let foreignLogCopied = Phrase(
        "journal.db-wal did not belong to this database, and was not used. It had {foreign} "
            + "{foreign|commit|commits}. Of this database, {commits} acknowledged "
            + "{commits|commit is|commits are} missing, made after {since}. A copy of the files, as they "
            + "were found, is in {copy}. When you have resolved the loss, move that folder out of the data "
            + "folder."
    )
    static let damagedFile = Phrase("the file is damaged: {detail}")
    static let brokenReference = Phrase(
        "{rows} {rows|row|rows} of {table} refer to a missing row of {parent}")
    static let unreadable = Phrase("{what} could not be checked: {detail}")
    static let journalGap = Phrase(
        "the journal has {events} {events|event|events} up to number {last}; number {missing} is missing")
    static let counterDiffers = Phrase("the counter is {stored}, but the journal ends at {counted}")
    static let unknownEventData = Phrase("event {sequence} has data that no event may have")
    static let headCountDiffers = Phrase("{what}: {stored} stored, {counted} counted")
    static let arrivalWithoutEvent = Phrase(
        "the record of attendee {attendee} names event {sequence}, which is missing or different")
    static let arrivalLost = Phrase(
        "event {sequence} checked attendee {attendee} in, but there is no record of this attendee")
    static let responsesDiffer = Phrase("set {set}, responses: {stored} stored, {counted} counted")
    static let publishedDiffer = Phrase("set {set}, published responses: {stored} stored, {counted} counted")
    static let marksDiffer = Phrase(
        "set {set}: {stored} {stored|attendee is|attendees are} marked as having answered, but there "
            + "{counted|is|are} {counted} {counted|response|responses}")
    static let responseEventsDiffer = Phrase(
        "set {set}: the journal has {stored} {stored|response|responses}, "
            + "but {counted} {counted|is|are} stored")
    static let anonymousNamed = Phrase(
        "set {set} promises to show no names, but {count} of its responses or events {count|names|name} an "
            + "attendee")
    static let answerDoesNotFit = Phrase("set {set}: {count} {count|answer fits|answers fit} no question")
    static let votesDiffer = Phrase(
        "audience question: {stored} {stored|vote|votes} stored, {counted} counted")
    static let tallyDiffers = Phrase(
        "set {set}, question {question}, tally: {stored} stored, {counted} counted")
    static let placeElsewhere = Phrase("attendee {attendee} refers to a person of another session or meeting")
    static let keyDiffers = Phrase(
        "attendee {attendee} is indexed by an address or number that differs from the record")
    static let doorEntriesDiffer = Phrase(
        "offline door {satellite}: {stored} {stored|entry|entries} noted, {counted} found, or others besides")
    static let latestSessionDiffers = Phrase(
        "lists of meetings do not show this session as the latest one, or show other times")
}
