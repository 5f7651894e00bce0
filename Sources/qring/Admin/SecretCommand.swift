import CommandLine
import HostCommands
import Meetings
import Phrases
import Server

private typealias Messages = CommandPhrases.Admin

/// The command `qring admin rotate-secret`, which needs the server to be stopped.
let rotateSecretCommand = CommandDeclaration(
    "admin rotate-secret", Messages.rotateSecret,
    examples: [
        .init("admin rotate-secret --grace 7 --data /var/lib/qring", Messages.rotateSecretExample),
        .init("admin rotate-secret --grace 0 --all --data /var/lib/qring", Messages.rotateAllExample),
    ],
    options: [
        .value("grace", "DAYS", Messages.rotateSecretGrace), .flag("all", Messages.rotateSecretAll), .data,
        .database,
    ], notes: Messages.userNotes, hasServer: false
) { call throws(CommandFailure) in
    let days = try call.integer("grace", 0...366) ?? 30
    let endsLasting = call.arguments.has("all")
    let end = try await call.administer(on: nil) { accounts in
        try accounts.rotateSecret(grace: .hours(24 * days), endsLasting: endsLasting)
    }
    if days == 0 {
        call.note(Messages.rotatedSecretAtOnce)
    } else {
        call.note(Messages.rotatedSecret, ["time": WallTime(end, in: .current).text])
    }
    if endsLasting { call.note(Messages.rotatedLasting) }
    return .success
}

extension CommandPhrases.Admin {
    static let rotateSecret = Phrase("replace the secret that signs codes, receipts and links")
    static let rotateSecretExample = Phrase(
        "posters, receipts and links from before are valid for seven more days")
    static let rotateSecretGrace = Phrase(
        "days for which old signatures stay valid, 0 to 366 (default 30); 0 if somebody else knows the "
            + "secret")
    static let rotateAllExample = Phrase("nothing that the old secret signed is valid any more")
    static let rotateSecretAll = Phrase(
        "also end unsubscribe links and the marks of browsers that have answered a form")
    static let rotatedLasting = Phrase(
        "Unsubscribe links in old mails are no longer valid, and browsers can answer forms once more.")
    static let rotatedSecret = Phrase(
        "The server has a new secret. Codes, receipts and links from before are valid until {time}.")
    static let rotatedSecretAtOnce = Phrase(
        "The server has a new secret. Codes, receipts and links from before are no longer valid. Print new "
            + "posters.")
}
