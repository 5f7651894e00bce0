import Foundation
import Testing

@testable import Secrets

struct ServerSecretTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "qring-\(UUID().uuidString)")
        .path
    private var path: String { folder + "/secret" }

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Removes the test's folder. If a test throws an error, its folder remains for inspection.
    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func put(_ bytes: [UInt8], mode: Int) throws {
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(bytes), attributes: [.posixPermissions: mode]))
        // The umask can clear bits of the mode that `createFile` sets.
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `the first start creates one secret file with mode 0600, and the next start reads it`()
        throws
    {
        let first = try ServerSecret.loadOrCreate(at: path)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(first.key.array == Array(bytes))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["secret"])
        #expect(try ServerSecret.loadOrCreate(at: path).key.array == first.key.array)
        #expect(Set(bytes).count > 8)
        clean()
    }

    @Test func `servers that start at the same time get the same secret`() async throws {
        let path = path
        let all = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<32 {
                group.addTask { @concurrent in try ServerSecret.loadOrCreate(at: path).key.array }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(all.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["secret"])
        clean()
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o620, 0o601, 0o777])
    func `a secret file open to other users is rejected, with the command that corrects its mode`(mode: Int)
        throws
    {
        try put(Array(repeating: 7, count: 32), mode: mode)
        let error = #expect(throws: SecretsError.secretOpenToOthers(path: path, mode: UInt32(mode))) {
            try ServerSecret.loadOrCreate(at: path)
        }
        #expect(error?.description.contains("chmod 600 \(path)") == true)
        clean()
    }

    @Test(arguments: [0o600, 0o400]) func `a secret file that only its owner can use is accepted`(mode: Int)
        throws
    {
        try put(Array(repeating: 7, count: 32), mode: mode)
        #expect(try ServerSecret.loadOrCreate(at: path).key.array == Array(repeating: 7, count: 32))
        clean()
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func `a secret file of the wrong length is rejected and not changed`(
        length: Int
    ) throws {
        try put(Array(repeating: 7, count: length), mode: 0o600)
        #expect(throws: SecretsError.secretDamaged(path: path, reason: "it has \(length) bytes, not 32")) {
            try ServerSecret.loadOrCreate(at: path)
        }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == length)
        clean()
    }

    @Test func `a folder, a link or a pipe at the secret's path is rejected`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: SecretsError.secretDamaged(path: path, reason: "it is no regular file")) {
            try ServerSecret.loadOrCreate(at: path)
        }
        try FileManager.default.removeItem(atPath: path)

        let target = folder + "/elsewhere"
        _ = try ServerSecret.loadOrCreate(at: target)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        #expect(throws: SecretsError.file(operation: "open", path: path, code: ELOOP)) {
            try ServerSecret.loadOrCreate(at: path)
        }
        try FileManager.default.removeItem(atPath: path)

        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: SecretsError.secretDamaged(path: path, reason: "it is no regular file")) {
            try ServerSecret.loadOrCreate(at: path)
        }
        clean()
    }

    @Test func `a missing folder gives an error with errno and the path`() throws {
        let error = #expect(throws: SecretsError.self) {
            try ServerSecret.loadOrCreate(at: folder + "/none/secret")
        }
        guard case .file("open", let path, ENOENT) = error else {
            Issue.record("not \(String(describing: error))")
            return
        }
        #expect(path.hasPrefix(folder + "/none/secret"))
        clean()
    }

    @Test func `a temporary file from an interrupted start is ignored`() throws {
        try #require(
            FileManager.default.createFile(atPath: path + ".0123456789ABCDEF", contents: Data([1, 2, 3])))
        #expect(try ServerSecret.loadOrCreate(at: path).key.array.count == 32)
        clean()
    }
}
