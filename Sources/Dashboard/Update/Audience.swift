internal import Client
internal import Meetings
internal import Phrases
internal import Terminal
internal import Wire

/// The keys for what attendees write, and for polls.
extension Dashboard {
    private typealias Messages = CommandPhrases.Dashboard

    // MARK: Questions and texts

    mutating func moveVoice(by step: Int) {
        guard let session else { return }
        let order = session.voiceOrder
        guard !order.isEmpty else { return }
        let index = session.voice.flatMap { order.firstIndex(of: $0) }
        let next = index.map { min(max($0 + max(-order.count, min(order.count, step)), 0), order.count - 1) }
        self.session?.voice = order[next ?? (step > 0 ? 0 : order.count - 1)]
    }

    /// Opens the selected question or text alone.
    mutating func openVoice() {
        guard let session, chosenText(session) != nil else { return say(Messages.nothingChosen) }
        cover = .voice
        voiceRow = 0
    }

    /// Scrolls the open text. At its end, the next text opens.
    mutating func scrollVoice(by step: Int) {
        let last = VoicePage.lastRow(self)
        let row = min(voiceRow, last)
        voiceRow = min(max(row + step, 0), last)
        guard voiceRow == row else { return }
        let before = session?.voice
        moveVoice(by: step.signum())
        if session?.voice != before { voiceRow = 0 }
    }

    /// Takes a key while one question or text is open. A key without a meaning there closes it.
    mutating func takeInVoice(_ key: Key) -> [DashboardAction] {
        switch key {
        case .up, .character("k"): scrollVoice(by: -1)
        case .down, .character("j"): scrollVoice(by: 1)
        case .pageUp: voiceRow = max(0, voiceRow - pageStep)
        case .pageDown, .character(" "): voiceRow = min(VoicePage.lastRow(self), voiceRow + pageStep)
        default:
            let command = command(for: key)
            if let command, [.show, .hide, .answer, .pin, .undo, .redo, .copy, .help].contains(command) {
                return run(command)
            }
            cover = nil
        }
        return []
    }

    /// Changes the status of the selected question or text. A text has no status `answered`.
    mutating func moderate(to status: AudienceQuestion.Status) -> [DashboardAction] {
        guard !isBusy, let session else { return [] }
        switch chosenVoice(session) {
        case .question(let question):
            guard question.status != status else { return sayUnchanged() }
            return send(
                Moderation(
                    change: .question(
                        question.id, QuestionChange(status: status), version: question.version ?? 0),
                    text: question.text))
        case .text(let question, let id, let text):
            guard let status = TextStatus(rawValue: status.rawValue) else {
                say(Messages.onlyQuestions)
                return []
            }
            guard text.status != status else { return sayUnchanged() }
            return send(Moderation(change: .text(question, id, status), text: text.text))
        case nil:
            say(Messages.nothingChosen)
            return []
        }
    }

    /// Changes the status of the text that is selected among all texts of a question.
    mutating func moderateOpenText(to status: TextStatus) -> [DashboardAction] {
        guard !isBusy, let open = session?.texts, open.texts.indices.contains(open.selected) else {
            return []
        }
        let text = open.texts[open.selected]
        guard let id = text.id, text.status != status else { return sayUnchanged() }
        return send(Moderation(change: .text(open.question, id, status), text: text.text))
    }

    mutating func turnPin() -> [DashboardAction] {
        guard !isBusy, let session else { return [] }
        guard case .question(let question) = chosenVoice(session) else {
            say(Messages.onlyQuestions)
            return []
        }
        return send(
            Moderation(
                change: .question(
                    question.id, QuestionChange(pinned: !question.pinned), version: question.version ?? 0),
                text: question.text))
    }

    private enum ChosenVoice {
        case question(AudienceQuestionBody)
        case text(QuestionID, String, TextAnswerBody)
    }

    /// Returns the selected question or text.
    func chosenText(_ session: SessionState) -> String? {
        switch chosenVoice(session) {
        case .question(let question): question.text
        case .text(_, _, let text): text.text
        case nil: nil
        }
    }

    private func chosenVoice(_ session: SessionState) -> ChosenVoice? {
        switch session.voice {
        case .question(let id): session.voices.questions.first { $0.id == id }.map { .question($0) }
        case .text(let question, let id):
            session.voices.text(id, of: question).map { .text(question, id, $0) }
        case nil: nil
        }
    }

    private mutating func send(_ moderation: Moderation) -> [DashboardAction] {
        guard let session else { return [] }
        isBusy = true
        return [.moderate(session.id, moderation, after: session.sequence)]
    }

    private mutating func sayUnchanged() -> [DashboardAction] {
        say(Messages.isSoAlready)
        return []
    }

    // MARK: Polls

    /// Opens or closes the poll that is shown, or else the poll that is open.
    mutating func turnPoll() -> [DashboardAction] {
        guard let set = session?.turnedPoll else {
            say(Messages.noPoll)
            return []
        }
        return change(set, .open(!set.open))
    }

    /// Shares the results of the question that is shown, or stops sharing them.
    mutating func turnSharing() -> [DashboardAction] {
        guard let set = session?.shownSet else {
            say(Messages.noPoll)
            return []
        }
        return change(set, .shared(!set.shared))
    }

    /// Changes a set. If this changes the phones of attendees, the host is asked first.
    mutating func change(_ set: QuestionSetSummary, _ change: SetSwitch.Change) -> [DashboardAction] {
        // On a screen that is too small to show the question and the result, nothing changes.
        guard !isBusy, !isTooSmall, let session else { return [] }
        let wanted = SetSwitch(
            set: set.set, heading: set.heading(in: language), change: change,
            isAgain: change == .open(true) && set.wasOpen)
        guard !asksFirst || session.attendance.checkedIn == 0 else {
            question = .set(wanted, version: set.version)
            return []
        }
        return send(wanted, seen: set.version)
    }

    /// Takes the key that answers the open question. Only `y` means yes.
    mutating func answerQuestion(_ key: Key) -> [DashboardAction] {
        guard let asked = question else { return [] }
        question = nil
        guard key == .character("y"), !isTooSmall else {
            say(Messages.nothingChanged)
            return []
        }
        switch asked {
        case .set(let wanted, let version): return send(wanted, seen: version)
        case .audience(let open): return sendAudience(open: open)
        }
    }

    /// Opens or closes the questions from the audience. The host is asked first as for a set.
    mutating func turnAudience() -> [DashboardAction] {
        guard !isBusy, !isTooSmall, let session else { return [] }
        let opens = session.voices.board?.open != true
        guard !asksFirst || session.attendance.checkedIn == 0 else {
            question = .audience(open: opens)
            return []
        }
        return sendAudience(open: opens)
    }

    private mutating func sendAudience(open: Bool) -> [DashboardAction] {
        guard let session, (session.voices.board?.open == true) != open else { return sayUnchanged() }
        isBusy = true
        return [.turnAudience(session.id, open: open)]
    }

    /// Sends a change of a set, unless somebody has made it, or changed or deleted the set meanwhile.
    /// - Parameter seen: the version of the set that the host saw.
    private mutating func send(_ wanted: SetSwitch, seen: Int) -> [DashboardAction] {
        guard let session, let set = session.sets[wanted.set], !wanted.isDone(in: set) else {
            return sayUnchanged()
        }
        guard set.version == seen else {
            say(Messages.changedMeanwhile, trouble: true)
            return []
        }
        isBusy = true
        return [.change(session.id, wanted, version: seen)]
    }
}

extension SessionState {
    /// The poll that the key `x` opens or closes: the poll that is shown, or else the newest open poll.
    var turnedPoll: QuestionSetSummary? {
        if let shownSet, shownSet.isPoll { return shownSet }
        return sets.values.filter { $0.open && $0.isPoll }.max { $0.sortKey < $1.sortKey }
    }

    /// Shows the first question of the set now, or as soon as its tally arrives.
    mutating func showSoon(_ set: String) {
        guard let index = tallies.firstIndex(where: { $0.set == set }) else {
            awaitedSet = set
            return
        }
        question = index
    }
}

extension SessionState.OpenTexts {
    /// Applies a change of a text's status.
    mutating func take(_ moderation: Moderation) {
        guard case .text(let question, let id, let status) = moderation.change, question == self.question,
            let index = texts.firstIndex(where: { $0.id == id })
        else { return }
        texts[index].status = status
    }
}

extension Moderation {
    /// The message after the change.
    var said: Phrase {
        typealias Messages = CommandPhrases.Dashboard
        switch change {
        case .question(_, let change, _):
            if let pinned = change.pinned { return pinned ? Messages.pinned : Messages.unpinned }
            switch change.status {
            case .answered: return Messages.answered
            case .hidden: return Messages.hid
            case .visible, .pending, .withdrawn, nil: return Messages.shown
            }
        case .text(_, _, let status): return status == .hidden ? Messages.hid : Messages.shown
        }
    }
}

extension PhoneQuestion {
    /// The question, with the number of phones as `{count}`.
    var asked: Phrase {
        switch self {
        case .set(let wanted, _): wanted.asked
        case .audience(open: true): CommandPhrases.Dashboard.askOpen
        case .audience(open: false): CommandPhrases.Dashboard.askClose
        }
    }

    /// The name of what changes.
    func heading(_ look: Look) -> String {
        switch self {
        case .set(let wanted, _): wanted.heading
        case .audience: look.text(CommandPhrases.Dashboard.fromAudience)
        }
    }
}

extension SetSwitch {
    /// Whether the set is already as this change makes it.
    func isDone(in set: QuestionSetSummary) -> Bool {
        switch change {
        case .open(let isOpen): set.open == isOpen
        case .shared(let isShared): set.shared == isShared
        }
    }

    /// The question before the change, with the number of phones as `{count}`.
    var asked: Phrase {
        switch change {
        case .open(true): isAgain ? CommandPhrases.Dashboard.askReopen : CommandPhrases.Dashboard.askOpen
        case .open(false): CommandPhrases.Dashboard.askClose
        case .shared(true): CommandPhrases.Dashboard.askShare
        case .shared(false): CommandPhrases.Dashboard.askUnshare
        }
    }

    /// The message after the change.
    var said: Phrase {
        switch change {
        case .open(true): CommandPhrases.Dashboard.pollOpened
        case .open(false): CommandPhrases.Dashboard.pollClosed
        case .shared(true): CommandPhrases.Dashboard.resultsShared
        case .shared(false): CommandPhrases.Dashboard.resultsUnshared
        }
    }
}

extension CommandPhrases.Dashboard {
    // The key comes first, because a long text is cut.
    static let shown = Phrase("Shown (u to undo): {text}")
    static let hid = Phrase("Hidden (u to undo): {text}")
    static let answered = Phrase("Answered (u to undo): {text}")
    static let pinned = Phrase("Pinned (u to undo): {text}")
    static let unpinned = Phrase("Unpinned (u to undo): {text}")
    static let nothingChosen = Phrase("Nothing is selected. Choose with the arrow keys")
    static let onlyQuestions = Phrase("Only a question from the audience can be answered or pinned")
    static let isSoAlready = Phrase("Nothing to change")
    static let noPoll = Phrase("No poll is open. Press o to ask one")
    static let needsQuestion = Phrase("Write the question first")
    static let needsChoices = Phrase("Write two choices or more, or none for a written answer")
    static let asked = Phrase("The poll is open on all phones. Press r to share its results, x to close it")
    static let askOpen = Phrase("Open on {count} {count|phone|phones}?")
    static let askReopen = Phrase("Reopen on {count} {count|phone|phones}?")
    static let askClose = Phrase("Close on {count} {count|phone|phones}?")
    static let askShare = Phrase("Share with {count} {count|phone|phones}?")
    static let askUnshare = Phrase("Hide from {count} {count|phone|phones}?")
    static let nothingChanged = Phrase("Nothing was changed")
    static let changedMeanwhile = Phrase(
        "Somebody changed it meanwhile. Look at it, then press the key again")
    static let audienceOpened = Phrase("Attendees can ask questions now")
    static let audienceClosed = Phrase("Attendees can no longer ask questions")
    static let pollOpened = Phrase("Open: {name}")
    static let pollClosed = Phrase("Closed: {name}. Press r to share its results")
    static let resultsShared = Phrase("Results shared: {name}")
    static let resultsUnshared = Phrase("Results are no longer shared: {name}")
}
