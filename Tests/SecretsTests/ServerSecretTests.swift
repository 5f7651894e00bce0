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

    /// Not a `deinit`: a struct has none, and a failing test may leave its folder to be looked at.
    private func clean() { try? FileManager.default.removeItem(atPath: folder) }

    private func put(_ bytes: [UInt8], mode: Int) throws {
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data(bytes), attributes: [.posixPermissions: mode]))
        // createFile is subject to the umask.
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `the first start makes it, with mode 0600 and nothing beside it, and the next reads it`()
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

    @Test func `servers that start together get the same one`() async throws {
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
    func `a file that others may touch is refused, and says what to do`(mode: Int) throws {
        try put(Array(repeating: 7, count: 32), mode: mode)
        let error = #expect(throws: SecretsError.secretOpenToOthers(path: path, mode: UInt32(mode))) {
            try ServerSecret.loadOrCreate(at: path)
        }
        #expect(error?.description.contains("chmod 600 \(path)") == true)
        clean()
    }

    @Test(arguments: [0o600, 0o400]) func `a file of the owner alone is taken`(mode: Int) throws {
        try put(Array(repeating: 7, count: 32), mode: mode)
        #expect(try ServerSecret.loadOrCreate(at: path).key.array == Array(repeating: 7, count: 32))
        clean()
    }

    @Test(arguments: [0, 1, 31, 33, 64]) func `a file of another length is refused and left alone`(
        length: Int
    ) throws {
        try put(Array(repeating: 7, count: length), mode: 0o600)
        #expect(throws: SecretsError.secretDamaged(path: path, reason: "it has \(length) bytes, not 32")) {
            try ServerSecret.loadOrCreate(at: path)
        }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == length)
        clean()
    }

    @Test func `a folder, a link and a pipe are refused`() throws {
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

    @Test func `a folder that is missing is an error with its errno and path`() throws {
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

    @Test func `what a start that died left behind does no harm`() throws {
        try #require(
            FileManager.default.createFile(atPath: path + ".0123456789ABCDEF", contents: Data([1, 2, 3])))
        #expect(try ServerSecret.loadOrCreate(at: path).key.array.count == 32)
        clean()
    }
}
