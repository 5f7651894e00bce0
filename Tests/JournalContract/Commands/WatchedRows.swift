import Journal
import Meetings

/// Wraps the rows of another engine. Only the commit is watched; all other calls are forwarded.
final class WatchedRows: WritableRows {
    let inner: any WritableRows
    let watch: WatchedEngine

    init(_ inner: any WritableRows, _ watch: WatchedEngine) {
        self.inner = inner
        self.watch = watch
    }

    func commit(_ note: () -> CommitNote) throws(JournalError) {
        try watch.beforeCommit()
        try inner.commit(note)
        watch.log("commit")
        watch.noteCommit()
    }

    func account(_ id: AccountID) throws(JournalError) -> Account? { try inner.account(id) }
    func account(email: IdentityKey) throws(JournalError) -> Account? { try inner.account(email: email) }
    func accountCount() throws(JournalError) -> Int { try inner.accountCount() }
    func accounts(after cursor: AccountID?, limit: Int) throws(JournalError) -> [Account] {
        try inner.accounts(after: cursor, limit: limit)
    }
    func hasHadOperator() throws(JournalError) -> Bool { try inner.hasHadOperator() }
    func hasOperator(otherThan account: AccountID) throws(JournalError) -> Bool {
        try inner.hasOperator(otherThan: account)
    }
    func noteOperator() throws(JournalError) { try inner.noteOperator() }
    func token(hash: [UInt8]) throws(JournalError) -> Token? { try inner.token(hash: hash) }
    func signIns(of account: AccountID) throws(JournalError) -> [Token] { try inner.signIns(of: account) }
    func accountCodes(of subject: [UInt8], since moment: Instant) throws(JournalError) -> [AccountCode] {
        try inner.accountCodes(of: subject, since: moment)
    }
    func hasAccountCode(sentBefore moment: Instant) throws(JournalError) -> Bool {
        try inner.hasAccountCode(sentBefore: moment)
    }
    func tokenEnd(hash: [UInt8]) throws(JournalError) -> Token.End? { try inner.tokenEnd(hash: hash) }
    func oldestUse(of signIn: ID<Token>, among count: Int) throws(JournalError) -> Instant? {
        try inner.oldestUse(of: signIn, among: count)
    }
    func meeting(_ id: MeetingID) throws(JournalError) -> Meeting? { try inner.meeting(id) }
    func meetingCount(ownedBy account: AccountID) throws(JournalError) -> Int {
        try inner.meetingCount(ownedBy: account)
    }
    func role(of account: AccountID, in meeting: MeetingID) throws(JournalError) -> Role? {
        try inner.role(of: account, in: meeting)
    }
    func members(of meeting: MeetingID) throws(JournalError) -> [(account: AccountID, role: Role)] {
        try inner.members(of: meeting)
    }
    func meetings(of account: AccountID, at now: Instant, after cursor: MeetingCursor?, limit: Int)
        throws(JournalError) -> [SessionRecord]
    { try inner.meetings(of: account, at: now, after: cursor, limit: limit) }
    func session(_ id: SessionID) throws(JournalError) -> SessionRecord? { try inner.session(id) }
    func session(joinCode: String) throws(JournalError) -> SessionRecord? {
        try inner.session(joinCode: joinCode)
    }
    func latestSession(of meeting: MeetingID) throws(JournalError) -> SessionRecord? {
        try inner.latestSession(of: meeting)
    }
    func sessions(of meeting: MeetingID, before round: Int?, limit: Int) throws(JournalError)
        -> [SessionRecord]
    {
        try inner.sessions(of: meeting, before: round, limit: limit)
    }
    func sessionCount(of meeting: MeetingID) throws(JournalError) -> Int {
        try inner.sessionCount(of: meeting)
    }
    func sessionIDs(of meeting: MeetingID) throws(JournalError) -> [SessionID] {
        try inner.sessionIDs(of: meeting)
    }
    func headCount(of session: SessionID) throws(JournalError) -> HeadCount? {
        try inner.headCount(of: session)
    }
    func size(of meeting: MeetingID) throws(JournalError) -> MeetingSize { try inner.size(of: meeting) }
    func sessionOpenForCheckIn(of meeting: MeetingID, at now: Instant) throws(JournalError) -> SessionRecord?
    {
        try inner.sessionOpenForCheckIn(of: meeting, at: now)
    }
    func sessionOpeningNext(of meeting: MeetingID, after now: Instant) throws(JournalError) -> SessionRecord?
    {
        try inner.sessionOpeningNext(of: meeting, after: now)
    }
    func sessionsRecordingLeaving(
        of meeting: MeetingID, except session: SessionID, openAt now: Instant, limit: Int
    ) throws(JournalError) -> [SessionID] {
        try inner.sessionsRecordingLeaving(of: meeting, except: session, openAt: now, limit: limit)
    }
    func sessionsWithRotatingCodes(openAt now: Instant, orBefore soon: Instant, limit: Int)
        throws(JournalError) -> [SessionRecord]
    {
        try inner.sessionsWithRotatingCodes(openAt: now, orBefore: soon, limit: limit)
    }
    func sessionsOverlapping(
        _ startsAt: Instant, _ endsAt: Instant, ownedBy account: AccountID, except: SessionID?, limit: Int
    )
        throws(JournalError) -> [SessionRecord]
    { try inner.sessionsOverlapping(startsAt, endsAt, ownedBy: account, except: except, limit: limit) }
    func sessions(
        of account: AccountID, atDoor: Bool, overlapping range: Range<Instant>,
        after last: (Instant, SessionID)?, limit: Int
    ) throws(JournalError) -> [SessionRecord] {
        try inner.sessions(of: account, atDoor: atDoor, overlapping: range, after: last, limit: limit)
    }
    func nearestSession(of account: AccountID, at now: Instant) throws(JournalError) -> SessionRecord? {
        try inner.nearestSession(of: account, at: now)
    }
    func attendee(_ id: AttendeeID) throws(JournalError) -> Attendee? { try inner.attendee(id) }
    func name(of attendee: AttendeeID) throws(JournalError) -> String? { try inner.name(of: attendee) }
    func attendee(in session: SessionID, key: IdentityKey) throws(JournalError) -> Attendee? {
        try inner.attendee(in: session, key: key)
    }
    func attendee(in session: SessionID, grant: [UInt8]) throws(JournalError) -> Attendee? {
        try inner.attendee(in: session, grant: grant)
    }
    func attendees(
        of session: SessionID, statuses: Set<RecordedStatus>?, text: String?, after cursor: AttendeeID?,
        limit: Int
    )
        throws(JournalError) -> [Attendee]
    { try inner.attendees(of: session, statuses: statuses, text: text, after: cursor, limit: limit) }
    func arrivals(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Attendee]
    {
        try inner.arrivals(of: session, after: sequence, limit: limit)
    }
    func newestArrivals(of session: SessionID, limit: Int) throws(JournalError) -> [Attendee] {
        try inner.newestArrivals(of: session, limit: limit)
    }
    func events(of session: SessionID, after sequence: Int64, limit: Int) throws(JournalError) -> [Event] {
        try inner.events(of: session, after: sequence, limit: limit)
    }
    func questionSet(_ name: String, of session: SessionID) throws(JournalError) -> QuestionSet? {
        try inner.questionSet(name, of: session)
    }
    func questionSets(of session: SessionID) throws(JournalError) -> [QuestionSet] {
        try inner.questionSets(of: session)
    }
    func questionSetsWithoutQuestions(of session: SessionID) throws(JournalError) -> [QuestionSet] {
        try inner.questionSetsWithoutQuestions(of: session)
    }
    func questionCounts(of session: SessionID) throws(JournalError) -> [String: Int] {
        try inner.questionCounts(of: session)
    }
    func firstQuestion(of set: String, in session: SessionID) throws(JournalError) -> Question? {
        try inner.firstQuestion(of: set, in: session)
    }
    func questionsSize(of session: SessionID, set: String?) throws(JournalError) -> QuestionsSize {
        try inner.questionsSize(of: session, set: set)
    }
    func questionsSize(of questions: [Question]) throws(JournalError) -> QuestionsSize {
        try inner.questionsSize(of: questions)
    }
    func location(of question: QuestionID) throws(JournalError) -> (session: SessionID, set: String)? {
        try inner.location(of: question)
    }
    func tallies(of session: SessionID, set: String) throws(JournalError) -> [QuestionID: TallyRecord] {
        try inner.tallies(of: session, set: set)
    }
    func hasAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool {
        try inner.hasAnswered(attendee, set: set)
    }
    func responses(of session: SessionID, set: String, after cursor: ResponseCursor?, limit: Int)
        throws(JournalError) -> [Response]
    {
        try inner.responses(of: session, set: set, after: cursor, limit: limit)
    }
    func unpublishedResponses(of session: SessionID, set: String) throws(JournalError) -> [Response] {
        try inner.unpublishedResponses(of: session, set: set)
    }
    func response(of attendee: AttendeeID, set: String) throws(JournalError) -> Response? {
        try inner.response(of: attendee, set: set)
    }
    func setsToSeal(at now: Instant, limit: Int) throws(JournalError) -> [(session: SessionID, set: String)] {
        try inner.setsToSeal(at: now, limit: limit)
    }
    func awaitsShuffle() throws(JournalError) -> Bool { try inner.awaitsShuffle() }
    func presenterLink(hash: [UInt8], for purpose: PresenterLink.Purpose) throws(JournalError)
        -> PresenterLink?
    {
        try inner.presenterLink(hash: hash, for: purpose)
    }
    func presenterLinks(of session: SessionID) throws(JournalError) -> [PresenterLink] {
        try inner.presenterLinks(of: session)
    }
    func presenterLinks(createdBy account: AccountID, limit: Int) throws(JournalError) -> [PresenterLink] {
        try inner.presenterLinks(createdBy: account, limit: limit)
    }
    func presenterLinks(
        createdBy account: AccountID, in meeting: MeetingID, fromRound round: Int, limit: Int
    ) throws(JournalError) -> [PresenterLink] {
        try inner.presenterLinks(createdBy: account, in: meeting, fromRound: round, limit: limit)
    }
    func memberships(of account: AccountID, limit: Int) throws(JournalError) -> [MeetingID] {
        try inner.memberships(of: account, limit: limit)
    }
    func soleMeetingCount(of account: AccountID) throws(JournalError) -> Int {
        try inner.soleMeetingCount(of: account)
    }
    func soleMeetingCheckIns(of account: AccountID) throws(JournalError) -> Int {
        try inner.soleMeetingCheckIns(of: account)
    }
    func hide(_ account: AccountID) throws(JournalError) { try inner.hide(account) }
    func begin(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError) {
        try inner.begin(taking: take)
    }
    func catchUp(taking take: (OtherCommits) throws(JournalError) -> Void) throws(JournalError) {
        try inner.catchUp(taking: take)
    }
    func takeOverJobs() throws(JournalError) -> [StoredJob] { try inner.takeOverJobs() }
    var writtenRows: Int { inner.writtenRows }
    func lookAhead(_ ask: () -> Void) throws(JournalError) { try inner.lookAhead(ask) }
    func savepoint() throws(JournalError) { try inner.savepoint() }
    func release() throws(JournalError) { try inner.release() }
    func rollBackToSavepoint() throws(JournalError) { try inner.rollBackToSavepoint() }
    func rollBack() { inner.rollBack() }
    func beginRewrite() throws(JournalError) -> any FileRewrite { try inner.beginRewrite() }
    func insert(_ account: Account) throws(JournalError) { try inner.insert(account) }
    func update(_ account: Account) throws(JournalError) { try inner.update(account) }
    func delete(_ account: AccountID) throws(JournalError) { try inner.delete(account) }
    func insert(_ token: Token) throws(JournalError) { try inner.insert(token) }
    func use(_ token: Token, _ use: Token.Use, keeping: Int) throws(JournalError) {
        try inner.use(token, use, keeping: keeping)
    }
    func save(_ code: AccountCode) throws(JournalError) { try inner.save(code) }
    func deleteAccountCodes(sentBefore moment: Instant, limit: Int) throws(JournalError) -> Int {
        try inner.deleteAccountCodes(sentBefore: moment, limit: limit)
    }
    func endTokens(of account: AccountID, because end: Token.End) throws(JournalError) {
        try inner.endTokens(of: account, because: end)
    }
    func deleteTokens(signIn: ID<Token>) throws(JournalError) { try inner.deleteTokens(signIn: signIn) }
    func deleteTokens(expiredBefore now: Instant) throws(JournalError) {
        try inner.deleteTokens(expiredBefore: now)
    }
    func insert(_ meeting: Meeting) throws(JournalError) { try inner.insert(meeting) }
    func update(_ meeting: Meeting) throws(JournalError) { try inner.update(meeting) }
    func delete(_ meeting: MeetingID) throws(JournalError) { try inner.delete(meeting) }
    func setRole(_ role: Role?, of account: AccountID, in meeting: MeetingID) throws(JournalError) {
        try inner.setRole(role, of: account, in: meeting)
    }
    func insert(_ session: Session) throws(JournalError) { try inner.insert(session) }
    func update(_ session: Session) throws(JournalError) { try inner.update(session) }
    func delete(_ session: SessionID) throws(JournalError) { try inner.delete(session) }
    func saveCounters(of session: SessionID, sequence: Int64, headCount: HeadCount) throws(JournalError) {
        try inner.saveCounters(of: session, sequence: sequence, headCount: headCount)
    }
    func insert(_ attendee: Attendee, key: IdentityKey?, grant: [UInt8]?) throws(JournalError) {
        try inner.insert(attendee, key: key, grant: grant)
    }
    func update(_ attendee: Attendee) throws(JournalError) { try inner.update(attendee) }
    func setGrant(_ grant: [UInt8], of attendee: Attendee) throws(JournalError) {
        try inner.setGrant(grant, of: attendee)
    }
    func delete(_ attendee: AttendeeID) throws(JournalError) { try inner.delete(attendee) }
    func recomputeStatuses(of session: SessionID, lateAfter: Instant) throws(JournalError) -> (
        changed: [Attendee], headCount: HeadCount
    ) {
        try inner.recomputeStatuses(of: session, lateAfter: lateAfter)
    }
    func append(_ event: Event) throws(JournalError) { try inner.append(event) }
    func save(_ set: QuestionSet, of session: SessionID) throws(JournalError) {
        try inner.save(set, of: session)
    }
    func saveSettings(of set: QuestionSet, in session: SessionID) throws(JournalError) {
        try inner.saveSettings(of: set, in: session)
    }
    func save(_ tally: TallyRecord, of question: QuestionID) throws(JournalError) {
        try inner.save(tally, of: question)
    }
    func markAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool {
        try inner.markAnswered(attendee, set: set)
    }
    func insert(_ response: Response, published: Bool) throws(JournalError) {
        try inner.insert(response, published: published)
    }
    func deleteResponse(of attendee: AttendeeID, set: String) throws(JournalError) {
        try inner.deleteResponse(of: attendee, set: set)
    }
    func changes(of response: Response) throws(JournalError) -> Int { try inner.changes(of: response) }
    func replaceAnswers(of response: Response) throws(JournalError) {
        try inner.replaceAnswers(of: response)
    }
    func unlink(_ response: Response) throws(JournalError) { try inner.unlink(response) }
    func link(_ response: Response, to attendee: AttendeeID) throws(JournalError) {
        try inner.link(response, to: attendee)
    }
    func count(_ words: [String: Int], of question: QuestionID) throws(JournalError) {
        try inner.count(words, of: question)
    }
    func deleteAnswers(to set: String, of session: SessionID, limit: Int) throws(JournalError) -> Int {
        try inner.deleteAnswers(to: set, of: session, limit: limit)
    }
    func deleteSet(_ set: String, of session: SessionID) throws(JournalError) {
        try inner.deleteSet(set, of: session)
    }
    func publishResponses(of session: SessionID, set: String, at hour: Instant) throws(JournalError) {
        try inner.publishResponses(of: session, set: set, at: hour)
    }
    func noteOrder() throws(JournalError) { try inner.noteOrder() }
    func markSealed(_ set: String, of session: SessionID, _ sealed: Bool) throws(JournalError) {
        try inner.markSealed(set, of: session, sealed)
    }
    func insert(_ link: PresenterLink) throws(JournalError) { try inner.insert(link) }
    func delete(_ link: PresenterLinkID) throws(JournalError) { try inner.delete(link) }
}
