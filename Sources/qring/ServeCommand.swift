import Foundation
import FrontDoor
import HostCommands
import Journal
import Phrases
import SQLiteJournal
import Server

private typealias Say = CommandPhrases.Serve

/// `qring serve`: settings from flags, then `QRING_…`, then what is usual.
let serveCommand = CommandDeclaration(
    "serve", Say.summary,
    examples: [
        .init("serve", Say.exampleHere), .init("serve --listen 0.0.0.0:8080", Say.exampleNetwork),
        .init("serve --public-url https://qring.example.org --trusted-proxy loopback", Say.exampleProxy),
    ],
    options: [
        .value("listen", "ADDRESS:PORT", Say.listen), .value("data", "DIR", Say.data), .value("public-url", "URL", Say.publicURL),
        .values("trusted-proxy", "CIDR", Say.trustedProxy),
        .values("import-from", "CIDR", Say.importFrom),
        .value("connections-per-address", "N", Say.connectionsPerAddress), .value("metrics-listen", "ADDRESS:PORT", Say.metricsListen),
        .oneOf("signup", SignUp.allCases.map(\.rawValue), Say.signUp),
        .value("terms", "FILE", Say.terms), .value("interests", "N", Say.interests), .value("loops", "N", Say.loops),
        .oneOf("log", LogFormat.allCases.map(\.rawValue), Say.log),
    ],
    handlesSignals: true, hasServer: false
) { call throws(CommandFailure) in
    var settings = ServerSettings(dataFolder: call.setting("data") ?? dataFolder(call.environment))
    settings.listen = call.setting("listen") ?? settings.listen
    settings.publicURL = call.setting("public-url")
    settings.signUp = try call.settingChoice("signup", of: SignUp.self) ?? settings.signUp
    settings.terms = try call.terms()
    settings.interestsWanted = try call.settingInteger("interests", 0...20) ?? settings.interestsWanted
    settings.logFormat = try call.settingChoice("log", of: LogFormat.self) ?? settings.logFormat
    settings.trustedProxies = try call.addressRanges("trusted-proxy")
    settings.importFrom = try call.addressRanges("import-from")
    settings.metricsListen = call.setting("metrics-listen")
    settings.connectionsPerAddress = try call.settingInteger("connections-per-address", 1...1_000_000) ?? settings.connectionsPerAddress
    settings.loops = try call.integer("loops", 1...64) ?? settings.loops
    let serving = try start(settings, call)
    call.noteRenewal(serving.epochRenewal)
    await serving.run()
    return .success
}

/// Throws with the reason and what to do about it.
func start(_ settings: ServerSettings, _ call: Invocation) throws(CommandFailure) -> Serving {
    do {
        return try Serving(settings)
    } catch {
        let reason =
            switch error {
            case JournalError.failed(let failure): call.reason(failure, in: settings.dataFolder)
            default: String(describing: error)
            }
        throw .failed(Say.cannotStart, ["reason": reason], next: next(after: error, settings.dataFolder))
    }
}

/// What to type about it, where that is one line.
private func next(after error: any Error, _ folder: String) -> String? {
    guard case JournalError.failed(let failure) = error else { return nil }
    switch failure.reason {
    case .damaged: return "qring admin restore FILE --replace --data \(folder)"
    case .isBackup, .restoreUnfinished: return "qring admin restore FILE --data \(folder)"
    case .readOnly, .inputOutput, .full: return "qring admin doctor --data \(folder)"
    default: return nil
    }
}

extension Invocation {
    /// What keeps the data in `folder` from being used, and what to do about it.
    func reason(_ failure: StorageFailure, in folder: String) -> String {
        var values = ["folder": folder, "detail": "\(failure.operation): \(failure.detail)"]
        let phrase: Phrase
        switch failure.reason {
        case .busy: phrase = Say.inUse
        case .newerSchema(let found, let known):
            values["found"] = "\(found)"
            values["known"] = "\(known)"
            phrase = Say.newer
        case .damaged: phrase = Say.damaged
        case .foreign: phrase = Say.foreign
        case .isBackup: phrase = Say.isBackup
        case .restoreUnfinished: phrase = Say.restoreUnfinished
        case .readOnly: phrase = Say.readOnly
        case .full: phrase = Say.full
        case .inputOutput: phrase = Say.inputOutput
        default: return String(describing: failure)
        }
        return text(phrase, values)
    }

    /// Where the opening gave the data a new epoch, why.
    func noteRenewal(_ renewal: EpochRenewal?) {
        switch renewal {
        case nil: break
        case .older(let commits): note(Say.epochOlder, ["commits": "\(commits)"])
        case .markMissing: note(Say.epochMarkMissing)
        case .markOfAnother: note(Say.epochMarkOfAnother)
        case .copied: note(Say.epochCopied)
        }
    }
}

/// Where data of a user's programs is kept (XDG Base Directory).
func dataFolder(_ environment: [String: String]) -> String {
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return "\(folder)/qring" }
    return "\(environment["HOME"] ?? ".")/.local/share/qring"
}

extension Invocation {
    /// The flag, else `QRING_` and its name in capitals.
    func setting(_ name: String) -> String? {
        if let given = arguments.value(name) { return given }
        let value = environment["QRING_" + name.uppercased().replacing("-", with: "_")]
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// All that the option was given, else the environment's.
    fileprivate func addressRanges(_ name: String) throws(CommandFailure) -> AddressRanges {
        let given = arguments.values(name)
        var ranges = AddressRanges()
        for written in given.isEmpty ? [setting(name)].compactMap(\.self) : given {
            do throws(AddressRanges.Fault) {
                ranges.formUnion(try AddressRanges(written))
            } catch {
                throw .usage(.notReadable("--\(name)", error.text, expected: "loopback, 10.0.0.0/8, fd00::/8, 192.0.2.1"))
            }
        }
        return ranges
    }

    /// What must be accepted to sign up, from the operator's file.
    fileprivate func terms() throws(CommandFailure) -> String? {
        guard let place = setting("terms") else { return nil }
        guard let bytes = FileManager.default.contents(atPath: place), let text = String(validating: bytes, as: UTF8.self),
            (1...100_000).contains(text.count)
        else { throw .failed(Say.termsNotReadable, ["file": place]) }
        return text.replacing("\r\n", with: "\n")
    }

    fileprivate func settingInteger(_ name: String, _ range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let written = setting(name) else { return nil }
        guard let number = Int(written), range.contains(number) else {
            throw .usage(.notReadable("--\(name)", written, expected: "\(range.lowerBound)…\(range.upperBound)"))
        }
        return number
    }

    fileprivate func settingChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(CommandFailure) -> Choice? {
        guard let written = setting(name) else { return nil }
        guard let choice = Choice(rawValue: written) else {
            throw .usage(.notReadable("--\(name)", written, expected: Choice.allCases.map(\.rawValue).joined(separator: ", ")))
        }
        return choice
    }
}
