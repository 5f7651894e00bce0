import Client
import Foundation
import Meetings
import Testing

struct SettingsFileTests {
    private let folder = NSTemporaryDirectory() + "qring-settings-\(UUID().uuidString)"
    private var file: SettingsFile { SettingsFile(path: "\(folder)/qring/config.json") }
    private let server = ServerAddress.standard

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `only the owner can use the settings file and its folder`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try file.update { $0[server].save(.sample("a", "r")) }
        #expect(try mode(file.path) == 0o600)
        #expect(try mode("\(folder)/qring") == 0o700)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(folder)/qring").sorted() == [
                "config.json", "config.json.lock",
            ])
    }

    @Test func `loading a settings file that others can read restricts the file to its owner`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try file.update { $0[server].save(.sample("a", "r")) }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        _ = try file.load()
        #expect(try mode(file.path) == 0o600)
    }

    @Test func `several sign-ins are stored, and the newest is the current one`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = try #require(ServerAddress("https://qring.example.org"))
        try file.update { settings in
            settings[server].save(.sample("a", "r", email: "kim@example.org"))
            settings[server].save(.sample("b", "s", email: "lee@example.org"))
            settings[other].save(.sample("c", "t", email: "kim@example.org"))
        }
        let saved = try file.load()
        #expect(saved[server].signIn()?.accessToken == "b")
        #expect(saved[server].signIn(email: "KIM@example.org")?.accessToken == "a")
        #expect(saved[other].signIn()?.accessToken == "c")
        try file.update { $0[server].forget(email: "lee@example.org") }
        #expect(try file.load()[server].signIn()?.accessToken == "a")
    }

    @Test func `settings changed at the same time are all saved`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (file, server) = (file, server)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    try file.update { $0[server].save(.sample("t", "r", email: "\(number)@example.org")) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try file.load()[server].signIns.count == 20)
    }

    @Test func `a file that has other content is not overwritten with settings`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try file.update { _ in }
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file.path))
        #expect(throws: SettingsFileError.notSettings(path: file.path)) {
            try file.update { $0.server = server }
        }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "mine")
    }

    @Test func `a missing settings file gives empty settings`() throws {
        #expect(try file.load() == SavedSettings())
    }

    @Test(
        arguments: [
            (["XDG_CONFIG_HOME": "/x"], "/x/qring/config.json"),
            (["HOME": "/home/a"], "/home/a/.config/qring/config.json"),
            (["XDG_CONFIG_HOME": "relative", "HOME": "/home/a"], "/home/a/.config/qring/config.json"),
        ])
    func `the settings file's path depends on XDG_CONFIG_HOME and HOME`(
        environment: [String: String], path: String
    ) {
        #expect(SettingsFile(environment: environment).path == path)
    }

    @Test func `the description of a saved sign-in or receipt shows no token`() {
        let receipt = SavedReceipt(
            sessionId: .makeTimeless(), meetingName: "m", name: "n", receipt: "secret",
            savedAt: Instant(seconds: 0))
        #expect(!"\(SavedSignIn.sample("secret", "secret"))".contains("secret"))
        #expect(!"\(receipt)".contains("secret"))
    }

    @Test func `only the newest 50 receipts are stored`() {
        var saved = SavedServer(url: server)
        for number in 0..<60 {
            saved.save(
                SavedReceipt(
                    sessionId: .makeTimeless(), meetingName: "m", name: "n", receipt: String(number),
                    savedAt: Instant(seconds: 0)))
        }
        #expect(saved.receipts.count == 50)
        #expect(saved.receipts.last?.receipt == "59")
    }
}
