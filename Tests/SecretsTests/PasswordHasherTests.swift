import Foundation
import Synchronization
import Testing

@testable import Secrets

struct PasswordHasherTests {
    private let quick: PasswordCost

    init() throws {
        quick = try PasswordCost(passes: 1, memoryKibibytes: 8)
    }

    @Test func `the hasher accepts the right password and rejects similar passwords`() async throws {
        let hasher = PasswordHasher(cost: quick)
        let hash = try await hasher.hash(Redacted("correct horse"))
        #expect(try await hasher.verify(Redacted("correct horse"), against: hash))
        for wrong in ["correct horsE", "correct hors", "correct horse ", "Correct horse", "correct horse\0"] {
            #expect(try await !hasher.verify(Redacted(wrong), against: hash))
        }
    }

    @Test func `the hasher reads a password beyond a zero byte`() async throws {
        let hasher = PasswordHasher(cost: quick)
        let hash = try await hasher.hash(Redacted("a\0b"))
        #expect(try await hasher.verify(Redacted("a\0b"), against: hash))
        #expect(try await !hasher.verify(Redacted("a"), against: hash))
        #expect(try await !hasher.verify(Redacted("a\0c"), against: hash))
    }

    /// Hashes from Argon2's reference implementation. The first hash is the output of this command:
    /// `printf password | argon2 somesalt -id -t 2 -k 65536 -p 1 -e`
    /// The second hash has another password and `saltsaltsaltsalt -t 3 -k 256`.
    @Test(arguments: [
        (
            "password",
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        ),
        (
            "비밀번호",
            "$argon2id$v=19$m=256,t=3,p=1$c2FsdHNhbHRzYWx0c2FsdA$q2XQvXWaI1DJA3Kl0cy4VZa4rk2/1dG30bzsJHAj7Bs"
        ),
    ])
    func `the hasher verifies hashes of Argon2's reference implementation`(password: String, encoded: String)
        async throws
    {
        let hasher = PasswordHasher(cost: quick)
        let hash = try PasswordHash(encoded: encoded)
        #expect(try await hasher.verify(Redacted(password), against: hash))
        #expect(try await !hasher.verify(Redacted(password + "x"), against: hash))
    }

    @Test
    func `each hash of the same password differs, and the default cost is the interactive cost`()
        async throws
    {
        let hasher = PasswordHasher()
        let hashes = try await [hasher.hash(Redacted("same")), hasher.hash(Redacted("same"))]
        #expect(hashes[0] != hashes[1])
        for hash in hashes {
            #expect(hash.encoded.hasPrefix("$argon2id$v=19$m=65536,t=2,p=1$"))
            #expect(try PasswordHash(encoded: hash.encoded) == hash)
            #expect(!hash.needsRenewal(for: .interactive))
            #expect(hash.needsRenewal(for: quick))
        }
    }

    @Test func `without a stored hash, the hasher rejects every password`() async throws {
        let hasher = PasswordHasher(cost: quick)
        for _ in 0..<2 { #expect(try await !hasher.verify(Redacted("anything"), against: nil)) }
    }

    @Test func `the hasher accepts only passwords of 1 to 1,024 bytes`() async throws {
        let hasher = PasswordHasher(cost: quick)
        let longest = String(repeating: "é", count: 512)
        let hash = try await hasher.hash(Redacted(longest))
        #expect(try await hasher.verify(Redacted(longest), against: hash))
        for (password, bytes) in [("", 0), (longest + "x", 1025)] {
            await #expect(throws: SecretsError.passwordLength(bytes: bytes, limit: 1024)) {
                try await hasher.hash(Redacted(password))
            }
            await #expect(throws: SecretsError.passwordLength(bytes: bytes, limit: 1024)) {
                try await hasher.verify(Redacted(password), against: hash)
            }
        }
    }

    @Test(arguments: [
        "", "password", "$argon2id$", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ",
        "$argon2i$v=19$m=4096,t=3,p=1$c29tZXNhbHQ$iWh06vD8Fy27wf9npn6FXWiCX4K6pW6Ue1Bnzz07Z8A",
        "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
            + String(repeating: "A", count: 64),
    ])
    func `a text that is not an Argon2id hash is rejected`(encoded: String) {
        #expect(throws: SecretsError.malformedPasswordHash) { try PasswordHash(encoded: encoded) }
    }

    @Test func `a cost outside its range is rejected, and the range's limits are accepted`() throws {
        for (passes, memory) in [(0, 8), (11, 8), (1, 7), (1, 1_048_577), (-1, 8), (1, .max)] {
            #expect(throws: SecretsError.self) { try PasswordCost(passes: passes, memoryKibibytes: memory) }
        }
        for (passes, memory) in [(1, 8), (10, 1_048_576)] {
            #expect(try PasswordCost(passes: passes, memoryKibibytes: memory).passes == passes)
        }
    }

    @Test func `the hasher rejects passwords while its queue is full, and accepts passwords later`()
        async throws
    {
        let hasher = PasswordHasher(cost: try PasswordCost(passes: 3, memoryKibibytes: 8192), waitingLimit: 3)
        let results = await withTaskGroup(of: Result<Bool, SecretsError>.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    do throws(SecretsError) {
                        return .success(try await !hasher.hash(Redacted("x")).encoded.isEmpty)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let refused = results.filter { $0 == .failure(.hasherBusy(waiting: 3)) }.count
        let made = results.filter { $0 == .success(true) }.count
        #expect(made >= 3 && refused >= 1 && made + refused == 40)
        _ = try await hasher.hash(Redacted("x"))
    }

    @Test func `known clients find places and come first, however many others wait`() async throws {
        let hasher = PasswordHasher(cost: quick, waitingLimit: 8)
        let hash = try await hasher.hash(Redacted("known"))
        let ended = Ended()
        // The thread is taken while all passwords arrive.
        let end = DispatchSemaphore(value: 0)
        await withCheckedContinuation { begun in Task { await hasher.occupyThread(begun, until: end) } }
        var tasks: [Task<Void, any Error>] = []
        for priority in [.last, .last, .usual, .usual, .usual, .usual, .usual, .usual, .known, .known]
            as [PasswordHasher.Priority]
        {
            let before = hasher.load
            tasks.append(
                Task {
                    _ = try await hasher.verify(Redacted("known"), against: hash, priority)
                    ended.append(priority)
                })
            while hasher.load == before { await Task.yield() }
        }
        await #expect(throws: SecretsError.hasherBusy(waiting: 8)) {
            try await hasher.verify(Redacted("x"), against: hash)
        }
        await #expect(throws: SecretsError.hasherBusy(waiting: 10)) {
            try await hasher.verify(Redacted("x"), against: hash, .known)
        }
        end.signal()
        for task in tasks { try await task.value }
        // The first one was next on the thread already.
        #expect(ended.all.first == .last)
        #expect(
            Array(ended.all.dropFirst()) == [.known, .known]
                + [PasswordHasher.Priority](repeating: .usual, count: 6) + [.last])
        #expect(hasher.load == 0)
    }

    @Test func `new accounts fill at most half of the queue, and sign-ins always find the other half`()
        async throws
    {
        let hasher = PasswordHasher(cost: try PasswordCost(passes: 1, memoryKibibytes: 8192), waitingLimit: 8)
        let known = try await hasher.hash(Redacted("known"))
        #expect(hasher.lastLimit == 4)
        enum Outcome { case made, refused, signedIn }
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    (try? await hasher.hash(Redacted("new"), .last)) == nil ? .refused : .made
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    (try? await hasher.verify(Redacted("known"), against: known)) == true
                        ? .signedIn : .refused
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .signedIn } == 4)
        #expect(outcomes.count { $0 == .made } >= 4)
        _ = try await hasher.hash(Redacted("new"), .last)
    }
}

/// The priorities of the passwords that were checked, in order.
private final class Ended: Sendable {
    private let priorities = Mutex<[PasswordHasher.Priority]>([])

    var all: [PasswordHasher.Priority] { priorities.withLock { $0 } }

    func append(_ priority: PasswordHasher.Priority) { priorities.withLock { $0.append(priority) } }
}

extension PasswordHasher {
    /// Occupies the hasher's thread until `end` is signalled. Resumes `begun` when the thread is occupied.
    fileprivate func occupyThread(_ begun: CheckedContinuation<Void, Never>, until end: DispatchSemaphore) {
        begun.resume()
        end.wait()
    }
}
