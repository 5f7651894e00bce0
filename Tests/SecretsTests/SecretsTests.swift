import Testing

@testable import Secrets

struct SecretsTests {
    @Test func `a second start of the library is no error`() throws {
        try Secrets.start()
        try Secrets.start()
    }

    @Test func `two byte arrays are equal only if all their bytes are equal`() {
        #expect(Secrets.areEqual([], []))
        #expect(Secrets.areEqual([1, 2, 3], [1, 2, 3]))
        for other: [UInt8] in [[], [1, 2], [1, 2, 4], [0, 2, 3], [1, 2, 3, 0]] {
            #expect(!Secrets.areEqual([1, 2, 3], other))
        }
    }

    @Test func `random bytes have the requested length and do not repeat`() {
        #expect(Secrets.randomBytes(0) == [])
        for length in [1, 16, 1000] { #expect(Secrets.randomBytes(length).count == length) }
        #expect(Set((0..<1000).map { _ in Secrets.randomBytes(16) }).count == 1000)
    }

    @Test func `no description or dump of a value shows the value's secret`() async throws {
        let bytes = [UInt8](repeating: 171, count: 32)
        let secret = try #require(ServerSecret(bytes: bytes))
        let token = RandomToken()
        let hash = try await PasswordHasher(cost: PasswordCost(passes: 1, memoryKibibytes: 8)).hash(
            Redacted("hunter2"))
        let holders: [any Sendable] = [
            secret, MACKey.derive(from: secret, purpose: MACPurpose("grant")), token, hash,
            Redacted("hunter2"), Redacted(bytes),
            [Redacted("hunter2")], ["password": Redacted("hunter2")],
            Optional(Redacted("hunter2")) as any Sendable,
        ]
        for holder in holders {
            var dumped = ""
            dump(holder, to: &dumped)
            for text in ["\(holder)", String(describing: holder), String(reflecting: holder), dumped] {
                #expect(text.contains("redacted"))
                for leak in ["hunter2", "171", token.text, "argon2id"] { #expect(!text.contains(leak)) }
            }
            #expect(Mirror(reflecting: holder).children.allSatisfy { !"\($0.value)".contains("171") })
        }
    }
}
