import FrontDoor

private let grammar = UpgradeGrammar()

/// Judges the input as the first bytes of a connection, complete and in parts, because the door judges
/// again whenever more bytes arrive.
func fuzzDoor(_ bytes: [UInt8]) {
    let verdict = grammar.judge(bytes)
    if verdict == .upgrade {
        must(bytes.count <= grammar.headLimit, "an upgrade is no longer than the limit")
        must(bytes.suffix(4) == [13, 10, 13, 10], "nothing stands behind an upgrade")
        must(!bytes.contains(0), "no NUL is in an upgrade")
        must(grammar.judge(bytes + [65]) == .http, "an upgrade with something behind it is none")
    }
    // More bytes never turn plain HTTP into an upgrade.
    for cut in Set([1, bytes.count / 3, bytes.count / 2, bytes.count - 1]) where cut > 0 && cut < bytes.count
    {
        switch grammar.judge(Array(bytes.prefix(cut))) {
        case .http: must(verdict == .http, "what is HTTP stays HTTP")
        case .upgrade: must(verdict == .http, "an upgrade with something behind it is none")
        case .incomplete: break
        }
    }
}
