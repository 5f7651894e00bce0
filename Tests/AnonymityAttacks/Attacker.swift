import Meetings
import Wire

/// What one view shows of one question set at one moment. A view is a page, a file or a room.
struct Sight: Sendable {
    let view: String
    let set: String
    /// The only question that is shown; nil if all questions are.
    var question: QuestionID?
    /// The number of shown answers to each question.
    var answers: [Int]
    /// Everything that is shown of each question, in an order that does not depend on the view's order.
    var content: [String]
    /// The shown answers to the first question, in the view's order. Each of these texts is unique.
    var texts: [Text] = []

    struct Text: Sendable {
        let marker: String
        let at: Instant

        init(marker: String, at: Instant) {
            self.marker = marker
            self.at = at
        }

        /// Makes the text that a list of answers shows; nil for a word of a word cloud, which has no time.
        init?(_ answer: TextAnswerBody) {
            guard let at = answer.at else { return nil }
            self.init(marker: answer.text, at: at)
        }
    }
}

/// Correct guesses, and the number of correct guesses that chance explains.
struct Score: Sendable {
    private(set) var hits = 0
    private(set) var guesses = 0
    private(set) var chance = 0.0

    mutating func add(hits: Int, of guesses: Int, chance: Double) {
        self.hits += hits
        self.guesses += guesses
        self.chance += chance
    }

    mutating func add(_ other: Score) { add(hits: other.hits, of: other.guesses, chance: other.chance) }

    /// Whether there are more hits than chance explains. The fixed points of a random order have the mean and
    /// the variance 1. So the limit is six deviations above the mean, which chance exceeds less than once in
    /// a hundred million tries.
    var beatsGuessing: Bool { Double(hits) > chance + 6 * chance.squareRoot() + 6 }
}

/// Somebody who sees every view after every step, knows who did what in which order, and tries to link each
/// answer to its author. The attacker never sees which attendee typed which answer; only the scoring does.
struct Attacker: Sendable {
    /// The scores of each guess by order, time or place: `source of answers / source of people`.
    private(set) var scores: [String: Score] = [:]
    /// The numbers of answers that a change showed alone or in pairs, by view, while answers could arrive.
    private(set) var revealed: [String: Int] = [:]
    /// The number of changes that showed the last one or two answers after the window's end, by view, set and
    /// question. `docs/privacy.md` names them.
    private(set) var rests: [String: Int] = [:]
    /// The changes that no new answer explains, by view.
    private(set) var unexplained: [String: Int] = [:]
    /// The answers that disappeared when their author was removed, by view.
    private(set) var vanished: [String: Int] = [:]
    /// The records that contain both an answer and data of a person, by view.
    private(set) var joined: [String: Int] = [:]
    /// The most responses of a sealed set that the file marks as held back.
    private(set) var heldBack = 0
    /// The groups whose people saw different questions, so that their lines in files tell them apart.
    private(set) var mixedGroups = 0
    /// The number of a host's steps, and of those that moved a vote or a question from the audience.
    private(set) var hostsSteps = 0
    private(set) var movingSteps = 0
    /// The most votes for questions from the audience that a list showed.
    private(set) var votes = 0
    /// The answers that became visible together, by set.
    private(set) var groups: [String: [[String]]] = [:]

    /// The number of backups that the attacker has, and of those that followed a wait.
    private(set) var backups = 0
    private(set) var waits = 0

    private var last: [String: Sight] = [:]

    // MARK: The difference attack, and the subset attack

    /// Compares a sight with the previous sight of the same view and set.
    /// - Parameters:
    ///   - windowIsOver: whether the feedback window is over and the set is closed.
    ///   - leaving: the markers of the attendee who is removed by this step.
    mutating func see(_ sight: Sight, windowIsOver: Bool, leaving: Set<String>) {
        let key = "\(sight.view) of \(sight.set) \(sight.question?.text ?? "")"
        let before = last[key]
        last[key] = sight
        for question in sight.answers.indices {
            // A new question has no answers before.
            let known = before.flatMap { $0.answers.indices.contains(question) ? $0 : nil }
            let change = sight.answers[question] - (known?.answers[question] ?? 0)
            if change == 0, let known, known.content[question] != sight.content[question] {
                unexplained[sight.view, default: 0] += 1
            }
            guard change != 0, !(3...).contains(change) else { continue }
            if windowIsOver, change > 0 {
                rests["\(key), question \(question)", default: 0] += 1
            } else {
                revealed[sight.view, default: 0] += abs(change)
            }
        }
        let shown = Set(sight.texts.map(\.marker))
        for text in before?.texts ?? [] where !shown.contains(text.marker) {
            if leaving.contains(text.marker) { vanished[sight.view, default: 0] += 1 }
        }
    }

    /// Compares a backup with the one before it: if one or two answers are new, they belong to the people who
    /// are newly marked.
    /// - Parameter isOver: whether the feedback window is over and the set is closed.
    mutating func compareBackups(
        of set: String, _ before: BackupSight, _ after: BackupSight, isOver: Bool
    ) {
        let answers = after.answers.subtracting(before.answers)
        let people = after.people.subtracting(before.people)
        guard (1...2).contains(answers.count) else { return }
        if isOver {
            rests["backups of \(set)", default: 0] += 1
        } else {
            revealed["backups", default: 0] += answers.count
            if people.count == 1, answers.count == 1 { joined["backups", default: 0] += 1 }
        }
    }

    mutating func noteBackup(waited: Bool) {
        if waited { waits += 1 } else { backups += 1 }
    }

    mutating func noteJoined(_ view: String, _ count: Int) {
        if count > 0 { joined[view, default: 0] += count }
    }

    mutating func noteMoved(_ hasMoved: Bool) {
        hostsSteps += 1
        if hasMoved { movingSteps += 1 }
    }

    mutating func noteVotes(_ count: Int) { votes = max(votes, count) }

    mutating func noteHeldBack(_ count: Int) { heldBack = max(heldBack, count) }

    /// - Parameter forms: the number of different forms that a group's people saw.
    mutating func noteForms(_ forms: Int) { if forms > 1 { mixedGroups += 1 } }

    // MARK: The attacks by order, time and place

    mutating func noteGroup(_ markers: [String], of set: String) {
        groups[set, default: []].append(markers)
    }

    /// Guesses that the answers of a group are in the same order as its people, or in the reversed order.
    /// - Parameters:
    ///   - answers: all shown answers in the order of the source.
    ///   - people: all people in the order of the source.
    mutating func align(
        _ answers: [String], _ answerSource: String, with people: [Int], _ peopleSource: String,
        in group: [String], owners: [String: Int]
    ) {
        let wanted = Set(group)
        let members = Set(group.compactMap { owners[$0] })
        let people = people.filter(members.contains)
        // The people who used the published form are in no list of people.
        let known = Set(people)
        let answers = answers.filter { wanted.contains($0) && owners[$0].map(known.contains) == true }
        guard people.count > 1, !answers.isEmpty else { return }
        let chance = Double(answers.count) / Double(people.count)
        for (people, direction) in [(people, ""), (people.reversed(), ", reversed")] {
            let hits = zip(answers, people).count { owners[$0] == $1 }
            scores["\(answerSource) / \(peopleSource)\(direction)", default: Score()]
                .add(hits: hits, of: answers.count, chance: chance)
        }
    }

    /// Guesses that the people who answered two sets, each in one hour, have the same order in both lists.
    mutating func intersect(
        _ first: [String], _ second: [String], _ source: String, owners: [String: Int]
    ) {
        let (one, other) = (first.compactMap { owners[$0] }, second.compactMap { owners[$0] })
        let both = Set(one).intersection(other)
        guard both.count > 1 else { return }
        let hits = zip(one.filter(both.contains), other.filter(both.contains)).count { $0 == $1 }
        scores["\(source) / the same person in two sets", default: Score()]
            .add(hits: hits, of: both.count, chance: 1)
    }

    mutating func add(_ other: Attacker) {
        for (key, score) in other.scores { scores[key, default: Score()].add(score) }
        backups += other.backups
        waits += other.waits
        revealed.merge(other.revealed, uniquingKeysWith: +)
        unexplained.merge(other.unexplained, uniquingKeysWith: +)
        vanished.merge(other.vanished, uniquingKeysWith: +)
        joined.merge(other.joined, uniquingKeysWith: +)
        heldBack = max(heldBack, other.heldBack)
        mixedGroups += other.mixedGroups
        hostsSteps += other.hostsSteps
        movingSteps += other.movingSteps
        votes = max(votes, other.votes)
        // Each run has a session of its own, so that the largest number of a run counts.
        rests.merge(other.rests, uniquingKeysWith: max)
    }
}
