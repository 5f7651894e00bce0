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
    options: [.data, .json(fields: ["ok", "counts", "findings"])],
    hasServer: false
) { call throws(CommandFailure) in
    try call.needSQLite()
    let folder = call.dataFolderPath
    let verification = try await call.onThread(in: folder) { (_) throws(OperatingError) in
        try Verification.run(on: folder)
    }
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
    static let verify = Phrase("check the data against the journal", "변경 기록과 비교해 데이터 검사")
    static let verifyExample = Phrase(
        "changes nothing; the server may be running",
        "아무것도 바꾸지 않음(서버 실행 중에도 가능)")
    static let verified = Phrase(
        "No faults: {sessions} {sessions|session|sessions}, {attendees} {attendees|attendee|attendees} "
            + "({checkedIn} checked in), {events} {events|event|events}, {responses} "
            + "{responses|response|responses}.",
        "이상이 없습니다. 회차 {sessions}개, 참석자 {attendees}명(체크인 {checkedIn}명), 이벤트 {events}개, 응답 {responses}개를 "
            + "검사했습니다.")
    static let faultCount = Phrase("{count} {count|fault|faults} found.", "문제 {count}개를 찾았습니다.")
    static let theFile = Phrase("Database", "데이터베이스")
    static let inSession = Phrase("Session {session}", "회차 {session}")
    static let commitsMissing = Phrase(
        "{commits} acknowledged {commits|commit is|commits are} missing. {commits|It was|They were} made "
            + "after {since}; the last one at {until}. The next start copies these files first.",
        "저장했다고 응답한 커밋 {commits}개가 사라졌습니다. {since} 이후의 변경이며, 마지막 변경은 {until}입니다. 다음에 시작할 때 서버가 먼저 이 파일들을 "
            + "복사합니다.")
    static let commitsMissingCopied = Phrase(
        "{commits} acknowledged {commits|commit is|commits are} missing. {commits|It was|They were} made "
            + "after {since}; the last one at {until}. A copy of the files, as they were found, is in "
            + "{copy}. When you have resolved the loss, move that folder out of the data folder.",
        "저장했다고 응답한 커밋 {commits}개가 사라졌습니다. {since} 이후의 변경이며, 마지막 변경은 {until}입니다. 발견 당시의 파일은 {copy}에 있습니다. "
            + "처리한 뒤에는 그 폴더를 데이터 폴더 밖으로 옮기세요.")
    static let foreignLog = Phrase(
        "journal.db-wal does not belong to this database: it is the log of another one, or of an older or "
            + "newer copy. It has {foreign} {foreign|commit|commits}. Of this database, {commits} "
            + "acknowledged {commits|commit is|commits are} missing. The next start copies these files "
            + "first, and starts without that log.",
        "journal.db-wal이 이 데이터베이스의 로그가 아닙니다. 다른 데이터베이스나 다른 시점 사본의 로그이며 커밋 {foreign}개가 들어 있습니다. 이 데이터베이스에서는 "
            + "저장했다고 응답한 커밋 {commits}개가 사라졌습니다. 다음에 시작할 때 서버가 먼저 이 파일들을 복사하고 그 로그 없이 시작합니다.")
    static let foreignLogCopied = Phrase(
        "journal.db-wal did not belong to this database, and was not used. It had {foreign} "
            + "{foreign|commit|commits}. Of this database, {commits} acknowledged "
            + "{commits|commit is|commits are} missing, made after {since}. A copy of the files, as they "
            + "were found, is in {copy}. When you have resolved the loss, move that folder out of the data "
            + "folder.",
        "journal.db-wal이 이 데이터베이스의 로그가 아니어서 사용하지 않았습니다. 그 로그에는 커밋 {foreign}개가 있었습니다. 이 데이터베이스에서는 저장했다고 응답한 "
            + "커밋 {commits}개가 사라졌으며, {since} 이후의 변경입니다. 발견 당시의 파일은 {copy}에 있습니다. "
            + "처리한 뒤에는 그 폴더를 데이터 폴더 밖으로 옮기세요."
    )
    static let damagedFile = Phrase("the file is damaged: {detail}", "파일이 손상되었습니다: {detail}")
    static let brokenReference = Phrase(
        "{rows} {rows|row|rows} of {table} refer to a missing row of {parent}",
        "{table}의 행 {rows}개가 {parent}에 없는 행을 가리킵니다")
    static let unreadable = Phrase("{what} could not be checked: {detail}", "{what}을(를) 검사할 수 없습니다: {detail}")
    static let journalGap = Phrase(
        "the journal has {events} {events|event|events} up to number {last}; number {missing} is missing",
        "변경 기록에 {last}번까지 이벤트 {events}개가 있고, {missing}번이 없습니다")
    static let counterDiffers = Phrase(
        "the counter is {stored}, but the journal ends at {counted}",
        "카운터는 {stored}인데 변경 기록의 끝은 {counted}입니다")
    static let unknownEventData = Phrase(
        "event {sequence} has data that no event may have",
        "{sequence}번 이벤트에 있을 수 없는 값이 있습니다")
    static let headCountDiffers = Phrase(
        "{what}: {stored} stored, {counted} counted",
        "{what}: 저장된 값 {stored}, 다시 센 값 {counted}")
    static let arrivalWithoutEvent = Phrase(
        "the record of attendee {attendee} names event {sequence}, which is missing or different",
        "참석자 {attendee}의 체크인 이벤트 {sequence}번이 없거나 다릅니다")
    static let arrivalLost = Phrase(
        "event {sequence} checked attendee {attendee} in, but there is no record of this attendee",
        "{sequence}번 이벤트로 체크인한 참석자 {attendee}의 기록이 없습니다")
    static let responsesDiffer = Phrase(
        "set {set}, responses: {stored} stored, {counted} counted",
        "질문 묶음 {set}, 응답: 저장된 값 {stored}, 다시 센 값 {counted}")
    static let publishedDiffer = Phrase(
        "set {set}, published responses: {stored} stored, {counted} counted",
        "질문 묶음 {set}, 공개된 응답: 저장된 값 {stored}, 다시 센 값 {counted}")
    static let marksDiffer = Phrase(
        "set {set}: {stored} {stored|attendee is|attendees are} marked as having answered, but there "
            + "{counted|is|are} {counted} {counted|response|responses}",
        "질문 묶음 {set}: 응답했다고 표시된 참석자는 {stored}명인데 응답은 {counted}개입니다")
    static let responseEventsDiffer = Phrase(
        "set {set}: the journal has {stored} {stored|response|responses}, "
            + "but {counted} {counted|is|are} stored",
        "질문 묶음 {set}: 변경 기록의 응답은 {stored}개인데 저장된 응답은 {counted}개입니다")
    static let anonymousNamed = Phrase(
        "set {set} promises to show no names, but {count} of its responses or events {count|names|name} an "
            + "attendee",
        "질문 묶음 {set}은(는) 익명인데 응답이나 이벤트 {count}개에 참석자가 적혀 있습니다")
    static let answerDoesNotFit = Phrase(
        "set {set}: {count} {count|answer fits|answers fit} no question",
        "질문 묶음 {set}: 답변 {count}개가 어느 질문에도 맞지 않습니다")
    static let votesDiffer = Phrase(
        "audience question: {stored} {stored|vote|votes} stored, {counted} counted",
        "청중 질문의 추천: 저장된 값 {stored}, 다시 센 값 {counted}")
    static let tallyDiffers = Phrase(
        "set {set}, question {question}, tally: {stored} stored, {counted} counted",
        "질문 묶음 {set}, 질문 {question}, 집계: 저장된 값 {stored}, 다시 센 값 {counted}")
    static let placeElsewhere = Phrase(
        "attendee {attendee} refers to a person of another session or meeting",
        "참석자 {attendee}의 기록이 다른 회차나 모임의 사람을 가리킵니다")
    static let keyDiffers = Phrase(
        "attendee {attendee} is indexed by an address or number that differs from the record",
        "참석자 {attendee}의 검색 키가 기록의 주소나 번호와 다릅니다")
    static let latestSessionDiffers = Phrase(
        "lists of meetings do not show this session as the latest one, or show other times",
        "모임 목록에 이 회차가 최신 회차로 나오지 않거나 시각이 다릅니다")
}
