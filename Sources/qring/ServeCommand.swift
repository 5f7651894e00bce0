import CommandLine
import Foundation
import HostCommands
import Journal
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Serve

/// `qring serve`: settings from flags, then `QRING_…`, then what is usual.
let serveCommand = CommandDeclaration(
    "serve", Messages.summary,
    examples: [
        .init("serve", Messages.exampleHere), .init("serve --listen 0.0.0.0:8080", Messages.exampleNetwork),
        .init("serve --public-url https://qring.example.org --trusted-proxy loopback", Messages.exampleProxy),
    ],
    options: [.value("data", "DIR", Messages.data)] + serveOptions,
    handlesSignals: true, hasServer: false
) { call throws(CommandFailure) in
    // A rotation of logs may send it while the files are still being checked.
    Signals.ignore(SIGHUP)
    let settings = try call.serverSettings()
    let serving = try start(settings, call)
    call.noteRenewal(serving.epochRenewal)
    do { try await serving.server.announceSetup() } catch {
        throw .failed(
            Messages.cannotStart, ["reason": String(describing: error)],
            next: "qring admin doctor --data \(settings.dataFolder)")
    }
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
        throw .failed(Messages.cannotStart, ["reason": reason], next: next(after: error, settings.dataFolder))
    }
}

/// What to type about it, where that is one line.
private func next(after error: any Error, _ folder: String) -> String? {
    guard case JournalError.failed(let failure) = error else { return nil }
    switch failure.reason {
    case .databaseLost, .secretLost, .damaged: return "qring admin restore FILE --replace --data \(folder)"
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
        case .busy: phrase = Messages.inUse
        case .newerSchema(let found, let known):
            values["found"] = "\(found)"
            values["known"] = "\(known)"
            phrase = Messages.newer
        case .damaged: phrase = Messages.damaged
        case .databaseLost:
            values["found"] = failure.detail
            phrase = Messages.databaseLost
        case .secretLost: phrase = Messages.secretLost
        case .tooManyLosses:
            values["copies"] = failure.detail
            phrase = Messages.tooManyLosses
        case .foreign: phrase = Messages.foreign
        case .isBackup: phrase = Messages.isBackup
        case .restoreUnfinished: phrase = Messages.restoreUnfinished
        case .readOnly: phrase = Messages.readOnly
        case .full: phrase = Messages.full
        case .inputOutput: phrase = Messages.inputOutput
        default: return String(describing: failure)
        }
        return text(phrase, values)
    }

    /// Where the opening gave the data a new epoch, why.
    func noteRenewal(_ renewal: EpochRenewal?) {
        switch renewal {
        case nil: break
        case .older(let commits): note(Messages.epochOlder, ["commits": "\(commits)"])
        case .markMissing: note(Messages.epochMarkMissing)
        case .markOfAnother: note(Messages.epochMarkOfAnother)
        case .copied: note(Messages.epochCopied)
        }
    }
}
