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
    let end = try await call.administer(renewingSecret: true) { accounts in
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
    static let rotateSecret = Phrase(
        "replace the secret that signs codes, receipts and links", "코드, 체크인 증명, 링크에 서명하는 비밀 키 교체")
    static let rotateSecretExample = Phrase(
        "posters, receipts and links from before are valid for seven more days",
        "이전 포스터, 체크인 증명, 링크는 7일 동안 더 사용할 수 있음")
    static let rotateSecretGrace = Phrase(
        "days for which old signatures stay valid, 0 to 366 (default 30); 0 if somebody else knows the "
            + "secret",
        "이전 서명을 계속 받아들일 기간(일), 0~366(기본 30). 비밀 키가 유출되었다면 0")
    static let rotateAllExample = Phrase(
        "nothing that the old secret signed is valid any more", "이전 비밀 키로 서명한 것을 모두 바로 무효로 함")
    static let rotateSecretAll = Phrase(
        "also end unsubscribe links and the marks of browsers that have answered a form",
        "메일 수신 거부 링크와 설문에 답한 브라우저의 표시도 무효로 함")
    static let rotatedLasting = Phrase(
        "Unsubscribe links in old mails are no longer valid, and browsers can answer forms once more.",
        "이전 메일의 수신 거부 링크는 더 이상 사용할 수 없고, 브라우저마다 설문에 한 번 더 답할 수 있습니다.")
    static let rotatedSecret = Phrase(
        "The server has a new secret. Codes, receipts and links from before are valid until {time}.",
        "서버의 비밀 키를 바꿨습니다. 이전 코드, 체크인 증명, 링크는 {time}까지 사용할 수 있습니다.")
    static let rotatedSecretAtOnce = Phrase(
        "The server has a new secret. Codes, receipts and links from before are no longer valid. Print new "
            + "posters.",
        "서버의 비밀 키를 바꿨습니다. 이전 코드, 체크인 증명, 링크는 더 이상 사용할 수 없으니 포스터를 새로 출력하세요.")
}
