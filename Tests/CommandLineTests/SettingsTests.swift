import Phrases
import Testing

@testable import CommandLine

/// The file of settings, and the names of variables.
struct SettingsTests {
    private let settings = [
        Setting(.value("listen", "ADDRESS:PORT", Phrase(verbatim: "address"))),
        Setting(.values("trusted-proxy", "CIDR", Phrase(verbatim: "proxies"))),
        Setting(
            secret: "smtp-password", Phrase(verbatim: "password"), file: Phrase(verbatim: "file")),
    ]

    private func read(_ text: String, isReadableByOthers: Bool = false) throws(CommandFailure) -> [String:
        String]
    {
        try ConfigurationFile(
            Array(text.utf8), path: "q.conf", isReadableByOthers: isReadableByOthers, settings: settings
        ).entries.mapValues(\.text)
    }

    private func refusal(of text: String, isReadableByOthers: Bool = false) -> String? {
        do throws(CommandFailure) {
            _ = try read(text, isReadableByOthers: isReadableByOthers)
            return nil
        } catch { return error.sentence(in: .english) }
    }

    @Test func `a file has keys, values, comments and empty lines`() throws {
        let found = try read(
            "# listen = x\n\n  listen =\t 127.0.0.1:80 \r\n; a comment\nsmtp-password-file = /a#b ;c\n")
        #expect(found == ["listen": "127.0.0.1:80", "smtp-password-file": "/a#b ;c"])
    }

    @Test func `quotes around a value do not belong to it`() throws {
        #expect(try read("listen = \"a b\"") == ["listen": "a b"])
        #expect(try read("listen = 'a'") == ["listen": "a"])
        #expect(try read("listen = \"a'") == ["listen": "\"a'"])
        #expect(try read("listen = \"") == ["listen": "\""])
    }

    @Test func `a key without a value is not set`() throws {
        #expect(try read("listen =\nsmtp-password-file=") == [:])
    }

    @Test func `a setting with several values may be repeated, and no other one`() throws {
        #expect(try read("trusted-proxy = a\ntrusted-proxy = b") == ["trusted-proxy": "a,b"])
        #expect(refusal(of: "listen = a\nlisten = b") == "q.conf, line 2: listen can be set only once.")
    }

    @Test func `an unknown key is refused with its line and the nearest name`() {
        #expect(
            refusal(of: "\nlistn = a") == "q.conf, line 2: unknown setting \"listn\". Did you mean listen?")
        #expect(
            refusal(of: "QRING_TRUSTED_PROXY=a")
                == "q.conf, line 1: unknown setting \"QRING_TRUSTED_PROXY\". Did you mean trusted-proxy?")
        #expect(refusal(of: "zzzzzzzzzzzzzz = a") == "q.conf, line 1: unknown setting \"zzzzzzzzzzzzzz\".")
    }

    @Test(arguments: ["listen", "[qring]", "listen: a"])
    func `a line that is no entry is refused`(line: String) {
        #expect(refusal(of: line)?.contains("line 1: write key = value") == true)
    }

    @Test func `a secret is accepted only in a file that others cannot read`() throws {
        #expect(try read("smtp-password = x") == ["smtp-password": "x"])
        let sentence = refusal(of: "smtp-password = x", isReadableByOthers: true)
        #expect(sentence?.contains("set smtp-password-file") == true)
        #expect(sentence?.contains("= x") == false)
        #expect(refusal(of: "smtp-password-file = /x", isReadableByOthers: true) == nil)
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        #expect(throws: CommandFailure.self) {
            try ConfigurationFile([0xff], path: "q.conf", isReadableByOthers: false, settings: settings)
        }
    }

    @Test func `an unknown variable is found with the nearest name`() {
        let known: Set = ["QRING_LISTEN", "QRING_DATA"]
        let found = Setting.unknownVariables(
            in: ["QRING_LISTN": "x", "QRING_DATA": "x", "PATH": "x", "QRING_WHATEVERELSE": ""], known: known)
        #expect(found.map(\.name) == ["QRING_LISTN", "QRING_WHATEVERELSE"])
        #expect(found.map(\.near) == ["QRING_LISTEN", nil])
    }

    @Test func `variables that Kubernetes sets for services are accepted`() {
        let variables = [
            "QRING_SERVICE_HOST": "10.0.0.1", "QRING_SERVICE_PORT": "80", "QRING_SERVICE_PORT_HTTP": "80",
            "QRING_PORT": "tcp://10.0.0.1:80", "QRING_PORT_80_TCP": "tcp://10.0.0.1:80",
            "QRING_PORT_80_TCP_PROTO": "tcp", "QRING_METRICS_PORT_9090_TCP_ADDR": "10.0.0.1",
        ]
        #expect(Setting.unknownVariables(in: variables, known: []).isEmpty)
        #expect(Setting.unknownVariables(in: ["QRING_PORT": "8080"], known: []).count == 1)
    }
}
