import Foundation
import Testing

/// An attack on the anonymity of answers, by somebody who is host, operator of the database, and watcher of
/// every room and page at once, and who knows who answered in which order. It must do no better than
/// guessing. An engine's tests run each attack of `AnonymityAttack.all`.
///
/// The environment variable `QRING_ATTACK_RUNS` sets how often each crowd is attacked, and `QRING_SEED` the
/// first seed (`scripts/torture`).
package struct AnonymityAttack: Sendable, CustomStringConvertible {
    package let description: String
    package let check: @Sendable (any AttackedDatabases) async throws -> Void

    private init(
        _ description: String, _ check: @escaping @Sendable (any AttackedDatabases) async throws -> Void
    ) {
        (self.description, self.check) = (description, check)
    }

    /// The sizes of the crowds, with the minutes in which they answer.
    private static let crowds = [
        (3, 20), (3, 600), (4, 20), (5, 600), (6, 300), (8, 20), (12, 600), (20, 300), (35, 600), (60, 30),
    ]

    private static func setting(_ name: String, _ otherwise: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
    }

    private static func attacked(
        _ crowds: [(size: Int, minutes: Int)], on databases: any AttackedDatabases, seed: Int,
        leaks: Set<Leak> = []
    ) async throws -> Attacker {
        try await withThrowingTaskGroup(of: Attacker.self) { group in
            for (number, crowd) in crowds.enumerated() {
                group.addTask {
                    try await databases.withDatabase { database in
                        try await AttackedCrowd(
                            of: crowd.size, in: crowd.minutes, seed: UInt64(seed &* 1000 &+ number),
                            leaks: leaks, database
                        ).attack()
                    }
                }
            }
            return try await group.reduce(into: Attacker()) { $0.add($1) }
        }
    }

    package static let all: [AnonymityAttack] = [
        AnonymityAttack("no attack links answers to people better than guessing") { databases in
            let runs = setting("QRING_ATTACK_RUNS", 1)
            let seed = setting("QRING_SEED", 20_261_120)
            var attacker = Attacker()
            for run in 0..<runs { attacker.add(try await attacked(crowds, on: databases, seed: seed + run)) }
            // The attacks had something to attack.
            #expect(attacker.scores.count > 60)
            #expect(attacker.scores.values.allSatisfy { $0.guesses > 0 })
            for (attack, score) in attacker.scores.sorted(by: { $0.key < $1.key }) {
                #expect(
                    !score.beatsGuessing,
                    "\(attack): \(score.hits) hits, by chance \(score.chance), seed \(seed)")
            }
            #expect(attacker.revealed.isEmpty, "answers that a change showed alone or in pairs, seed \(seed)")
            #expect(attacker.unexplained.isEmpty, "changes without an answer, seed \(seed)")
            #expect(attacker.vanished.isEmpty, "answers that left with their author, seed \(seed)")
            #expect(attacker.joined.isEmpty, "records of an answer and a person, seed \(seed)")
            #expect(attacker.mixedGroups == 0, "groups whose people saw different questions, seed \(seed)")
            #expect(attacker.backups > 100 && attacker.waits > 100, "backups and waits, seed \(seed)")
            #expect(attacker.votes > 5 && attacker.hostsSteps > 20, "votes and hosts' steps, seed \(seed)")
            #expect(attacker.movingSteps == 0, "hosts' steps that moved a vote or a question, seed \(seed)")
            // docs/privacy.md: the last one or two answers are shown once, when the window is over.
            #expect(attacker.rests.values.allSatisfy { $0 == 1 }, "seed \(seed)")
            // docs/privacy.md: in the database, the one or two responses that are held back are marked.
            #expect(attacker.heldBack <= 2, "seed \(seed)")
        },
        AnonymityAttack(
            "a question is added, hidden or shown only between two groups, so that no line shows its author"
        ) { databases in
            try await databases.withDatabase { database in
                let crowd = try await AttackedCrowd(of: 9, in: 10, seed: 5, leaks: [], database)
                let (allowed, groups) = try await crowd.attackByEditedQuestions()
                #expect(allowed == [3, 6, 9])
                #expect(groups.map(\.people) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]])
                #expect(groups.map(\.marked) == [[], [3, 4, 5], [6, 7, 8]])
            }
        },
        AnonymityAttack(
            "in a named set, the same attacks find who left, who answered last, and every name"
        ) { databases in
            let attacker = try await attacked([(12, 60)], on: databases, seed: 1, leaks: [.named])
            for view in ["page", "csv", "json", "results"] {
                #expect(attacker.revealed[view, default: 0] > 10, "\(view)")
            }
            #expect(attacker.vanished["page", default: 0] > 0)
            #expect(attacker.joined["csv", default: 0] > 0)
            #expect(attacker.joined["json", default: 0] > 0)
            #expect(attacker.joined["questions", default: 0] > 0)
            #expect(attacker.joined["journal", default: 0] > 0)
        },
        AnonymityAttack(
            "in a set that hides names, no view joins an answer with a person, and no answer leaves"
        ) { databases in
            let attacker = try await attacked(
                [(12, 60), (20, 300)], on: databases, seed: 4, leaks: [.hidden])
            // The results move with each answer, so the attacks had something to attack.
            #expect(attacker.revealed["page", default: 0] > 10)
            #expect(attacker.vanished.isEmpty)
            // The database's log has the link (docs/privacy.md).
            #expect(attacker.joined.keys.allSatisfy { $0 == "log" }, "\(attacker.joined)")
        },
        AnonymityAttack(
            "without groups of three, the difference attack finds nearly every answer"
        ) { databases in
            let attacker = try await attacked([(12, 60)], on: databases, seed: 2, leaks: [.ungrouped])
            #expect(attacker.revealed["page", default: 0] > 10)
            #expect(attacker.revealed["csv"] == nil)
        },
        AnonymityAttack(
            "without waiting, a comparison of successive backups finds who gave which answer"
        ) { databases in
            let attacker = try await attacked([(12, 60)], on: databases, seed: 6, leaks: [.everyBackup])
            #expect(attacker.revealed["backups", default: 0] > 10)
            #expect(attacker.joined["backups", default: 0] > 5)
            #expect(attacker.revealed.count == 1)
        },
        AnonymityAttack(
            "shown moments and numbered rows let attacks by time, by order and by two sets find the authors"
        ) { databases in
            let attacker = try await attacked(
                [(60, 40), (40, 40)], on: databases, seed: 3, leaks: [.moments, .rowOrder])
            for attack in [
                "page by time / order of answers", "plain rows at the end / order of answers",
                "plain rows at the end / the same person in two sets",
            ] {
                let score = try #require(attacker.scores[attack])
                #expect(score.beatsGuessing, "\(attack): \(score)")
            }
            // The server's own tables have no order, even then.
            let own = attacker.scores.filter { $0.key.contains("responses") }
            #expect(own.count > 10 && !own.values.contains(where: \.beatsGuessing))
        },
    ]
}
