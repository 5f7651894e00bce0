import CommandLine
import Foundation
import FrontDoor
import HostCommands
import Journal
import Phrases
import Server

private typealias Messages = CommandPhrases.Serve

/// What an operator may say of a server, beside where its data are; `admin doctor` takes the same.
let serveOptions: [CommandDeclaration.Option] = [
    .value("listen", "ADDRESS:PORT", Messages.listen), .value("public-url", "URL", Messages.publicURL),
    .values("trusted-proxy", "CIDR", Messages.trustedProxy),
    .values("import-from", "CIDR", Messages.importFrom),
    .value("connections-per-address", "N", Messages.connectionsPerAddress),
    .value("metrics-listen", "ADDRESS:PORT", Messages.metricsListen),
    .oneOf("signup", SignUp.allCases.map(\.rawValue), Messages.signUp),
    .value("terms", "FILE", Messages.terms), .value("interests", "N", Messages.interests),
    .value("loops", "N", Messages.loops),
    .oneOf("log", LogFormat.allCases.map(\.rawValue), Messages.log),
    .value("log-file", "FILE", Messages.logFile),
]

extension Invocation {
    func serverSettings() throws(CommandFailure) -> ServerSettings {
        var settings = ServerSettings(dataFolder: dataFolderPath)
        settings.listen = setting("listen") ?? settings.listen
        settings.publicURL = setting("public-url")
        settings.signUp = try signUp() ?? settings.signUp
        settings.terms = try termsText()
        settings.interestsWanted = try interests() ?? settings.interestsWanted
        settings.logFormat = try logFormat() ?? settings.logFormat
        settings.logFile = setting("log-file")
        settings.trustedProxies = try addressRanges("trusted-proxy")
        settings.importFrom = try addressRanges("import-from")
        settings.metricsListen = setting("metrics-listen")
        settings.connectionsPerAddress = try connectionsPerAddress() ?? settings.connectionsPerAddress
        settings.loops = try loops() ?? settings.loops
        return settings
    }

    func signUp() throws(CommandFailure) -> SignUp? { try settingChoice("signup", of: SignUp.self) }
    func interests() throws(CommandFailure) -> Int? { try settingInteger("interests", 0...20) }
    func logFormat() throws(CommandFailure) -> LogFormat? { try settingChoice("log", of: LogFormat.self) }
    func connectionsPerAddress() throws(CommandFailure) -> Int? {
        try settingInteger("connections-per-address", 1...1_000_000)
    }
    func loops() throws(CommandFailure) -> Int? { try integer("loops", 1...64) }

    /// All that the option was given, else the environment's.
    func addressRanges(_ name: String) throws(CommandFailure) -> AddressRanges {
        let given = arguments.values(name)
        var ranges = AddressRanges()
        for written in given.isEmpty ? [setting(name)].compactMap(\.self) : given {
            do throws(AddressRanges.Fault) {
                ranges.formUnion(try AddressRanges(written))
            } catch {
                throw .usage(
                    .notReadable(
                        "--\(name)", error.text, expected: "loopback, 10.0.0.0/8, fd00::/8, 192.0.2.1"))
            }
        }
        return ranges
    }

    /// What must be accepted to sign up, from the operator's file.
    func termsText() throws(CommandFailure) -> String? {
        guard let place = setting("terms") else { return nil }
        guard let bytes = FileManager.default.contents(atPath: place),
            let text = String(validating: bytes, as: UTF8.self),
            (1...100_000).contains(text.count)
        else { throw .failed(Messages.termsNotReadable, ["file": place]) }
        return text.replacing("\r\n", with: "\n")
    }

    private func settingInteger(_ name: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let written = setting(name) else { return nil }
        guard let number = Int(written), range.contains(number) else {
            throw .usage(
                .notReadable("--\(name)", written, expected: "\(range.lowerBound)…\(range.upperBound)"))
        }
        return number
    }

    private func settingChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(CommandFailure) -> Choice? {
        guard let written = setting(name) else { return nil }
        guard let choice = Choice(rawValue: written) else {
            throw .usage(
                .notReadable(
                    "--\(name)", written, expected: Choice.allCases.map(\.rawValue).joined(separator: ", ")))
        }
        return choice
    }
}
