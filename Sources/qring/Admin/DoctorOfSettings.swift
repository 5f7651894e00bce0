import CommandLine
import Foundation
import FrontDoor
import HostCommands
import Meetings
import Phrases
import Server

private typealias Messages = CommandPhrases.Doctor

/// Checks the server's options. It reports options with which the server cannot start, and options that it
/// accepts but that are dangerous.
extension Invocation {
    func settingDiagnoses(isRunning: Bool) -> [Diagnosis] {
        var found = reading("trustedProxy", "trusted-proxy", proxies) { call throws(CommandFailure) in
            try call.addressRanges("trusted-proxy")
        }
        found += metrics(isRunning: isRunning)
        found += reading("connectionsPerAddress", "connections-per-address", connections) {
            call throws(CommandFailure) in
            try call.connectionsPerAddress()
        }
        found += reading("importFrom", "import-from", imports) { call throws(CommandFailure) in
            try call.addressRanges("import-from")
        }
        found += terms()
        found += reading("loops", "loops", threads) { call throws(CommandFailure) in try call.loops() }
        found += reading("signup", "signup") { call throws(CommandFailure) in try call.signUp() }
        found += reading("interests", "interests") { call throws(CommandFailure) in try call.interests() }
        found += reading("mail", "smtp-url") { call throws(CommandFailure) in try call.mailSettings() }
        found += reading("mailsPerAccount", "mails-per-account") { call throws(CommandFailure) in
            try call.accountLimits()
        }
        for name in ["phone", "mail"] {
            found += reading("\(name)CodesPerHour", "\(name)-codes-per-hour") { call throws(CommandFailure) in
                try call.codesPerHour(name)
            }
        }
        found += retentionDiagnoses()
        found += reading("log", "log") { call throws(CommandFailure) in try call.logFormat() }
        return found
    }

    private func retentionDiagnoses() -> [Diagnosis] {
        do throws(CommandFailure) {
            let days = try retention()
            return [
                well(
                    "retention", Messages.retention,
                    [
                        "evidence": "\(days.evidenceDays)", "sessions": "\(days.sessionDays)",
                        "actions": "\(days.actionDays)", "mails": "\(days.mailDays)",
                        "logs": "\(days.logDays)",
                    ])
            ]
        } catch {
            let values = [
                "reason": error.sentence(in: language), "flag": "--keep-…", "variable": "QRING_KEEP_…",
            ]
            return [unwell("retention", .fail, Messages.setting, Messages.settingAdvice, values)]
        }
    }

    /// Reads an option as `serve` does, and reports an error or the result of `judge`.
    private func reading<Value>(
        _ check: String, _ option: String, _ judge: (Value) -> [Diagnosis] = { _ in [] },
        by read: (Invocation) throws(CommandFailure) -> Value
    ) -> [Diagnosis] {
        do throws(CommandFailure) {
            return judge(try read(self))
        } catch {
            let variable = "QRING_\(option.uppercased().replacing("-", with: "_"))"
            let values = [
                "reason": error.sentence(in: language), "flag": "--\(option)", "variable": variable,
            ]
            return [unwell(check, .fail, Messages.setting, Messages.settingAdvice, values)]
        }
    }

    /// The option's text as the operator wrote it.
    private func written(_ option: String) -> String {
        let given = arguments.values(option)
        return given.isEmpty ? setting(option) ?? "" : given.joined(separator: ", ")
    }

    private var listenAddress: ListenAddress? {
        ListenAddress(setting("listen") ?? ServerSettings(dataFolder: "").listen)
    }

    // MARK: Proxies

    /// The widest plausible ranges of proxies outside the operator's own network: /8 for IPv4 and /16 for
    /// IPv6.
    private static let widest = (ipv4: 8, ipv6: 16)
    private static let loopback = ranges("loopback")
    /// The addresses that can be reached only from the operator's own network.
    private static let inside = ranges(
        "loopback,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,100.64.0.0/10,fc00::/7,fe80::/10")

    private static func ranges(_ text: String) -> AddressRanges {
        (try? AddressRanges(text)) ?? AddressRanges()
    }

    private func proxies(_ ranges: AddressRanges) -> [Diagnosis] {
        let url = setting("public-url").flatMap { PublicAddress(url: $0) }?.url
        let isSecure = url?.hasPrefix("https:") == true
        guard !ranges.isEmpty else {
            guard isSecure, let url else { return [] }
            return [
                unwell(
                    "trustedProxy", .fail, Messages.proxyMissing, Messages.proxyMissingAdvice, ["url": url])
            ]
        }
        let wide =
            ranges.isWithin(Self.inside)
            ? [] : ranges.wider(thanIPv4: Self.widest.ipv4, ipv6: Self.widest.ipv6)
        guard wide.isEmpty else {
            return [
                unwell(
                    "trustedProxy", .fail, Messages.proxyTooWide, Messages.proxyTooWideAdvice,
                    ["ranges": wide.joined(separator: ", ")])
            ]
        }
        var found: [Diagnosis] = []
        if url == nil {
            found.append(
                unwell("trustedProxy", .warn, Messages.proxyWithoutURL, Messages.proxyWithoutURLAdvice))
        }
        if let listen = listenAddress {
            let values = [
                "address": "\(listen)", "port": "\(listen.port)", "ranges": written("trusted-proxy"),
            ]
            let isHere = ranges.contains("127.0.0.1") || ranges.contains("::1")
            if Self.loopback.contains(listen.host), !isHere {
                found.append(
                    unwell(
                        "trustedProxy", .fail, Messages.proxyOutOfReach, Messages.proxyOutOfReachAdvice,
                        values)
                )
            } else if isSecure, !Self.loopback.contains(listen.host), ranges.isWithin(Self.loopback) {
                found.append(
                    unwell("trustedProxy", .warn, Messages.besideProxy, Messages.besideProxyAdvice, values))
            }
        }
        return found.isEmpty
            ? [well("trustedProxy", Messages.proxy, ["ranges": written("trusted-proxy")])] : found
    }

    // MARK: Other settings

    private func metrics(isRunning: Bool) -> [Diagnosis] {
        guard let written = setting("metrics-listen") else { return [] }
        guard let address = ListenAddress(written) else {
            return [
                unwell(
                    "metricsListen", .fail, Messages.listenBad, Messages.listenBadAdvice, ["address": written]
                )
            ]
        }
        let values = ["address": "\(address)"]
        let wildcards = ["0.0.0.0", "::"]
        if let server = listenAddress, server.port == address.port, server.port != 0,
            server.host == address.host || wildcards.contains(server.host) || wildcards.contains(address.host)
        {
            return [unwell("metricsListen", .fail, Messages.metricsSame, Messages.metricsSameAdvice, values)]
        }
        let bound = listening(address, check: "metricsListen", isRunning: isRunning)
        guard bound.state == .ok else { return [bound] }
        guard Self.inside.contains(address.host) else {
            return [
                unwell("metricsListen", .warn, Messages.metricsPublic, Messages.metricsPublicAdvice, values)
            ]
        }
        return [well("metricsListen", Messages.metrics, values)]
    }

    /// The number of files that the server opens in addition to connections.
    private static let filesOfItsOwn = 256
    private static let fewConnections = 500

    private func connections(_ given: Int?) -> [Diagnosis] {
        guard let count = given else { return [] }
        let files = Int(clamping: DescriptorLimit.raise())
        let most = max(1, files - Self.filesOfItsOwn)
        let values = [
            "count": "\(count)", "files": "\(files)", "most": "\(most)",
            "usual": "\(ServerSettings(dataFolder: "").connectionsPerAddress)",
        ]
        if count > most {
            return [
                unwell(
                    "connectionsPerAddress", .fail, Messages.connectionsTooMany,
                    Messages.connectionsTooManyAdvice, values)
            ]
        }
        if count < Self.fewConnections {
            return [
                unwell(
                    "connectionsPerAddress", .warn, Messages.connectionsFew, Messages.connectionsFewAdvice,
                    values)
            ]
        }
        return [well("connectionsPerAddress", Messages.connections, values)]
    }

    /// The addresses of the machine itself, and the addresses from which a virtual machine in a cloud gets
    /// its credentials.
    private static let ofTheMachine = ["127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254"]

    private func imports(_ ranges: AddressRanges) -> [Diagnosis] {
        guard !ranges.isEmpty else { return [] }
        if let address = Self.ofTheMachine.first(where: { ranges.contains($0) }) {
            return [
                unwell(
                    "importFrom", .warn, Messages.importsHere, Messages.importsHereAdvice,
                    ["address": address])
            ]
        }
        return [well("importFrom", Messages.imports, ["ranges": written("import-from")])]
    }

    private func terms() -> [Diagnosis] {
        do throws(CommandFailure) {
            return try termsText() == nil ? [] : [well("terms", Messages.terms, ["file": written("terms")])]
        } catch {
            return [
                unwell(
                    "terms", .fail, Messages.setting, Messages.termsAdvice,
                    ["reason": error.sentence(in: language)])
            ]
        }
    }

    private func threads(_ given: Int?) -> [Diagnosis] {
        guard let count = given else { return [] }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let values = ["count": "\(count)", "cores": "\(cores)"]
        return [
            count > cores
                ? unwell("loops", .warn, Messages.loopsMany, Messages.loopsAdvice, values)
                : well("loops", Messages.loops, values)
        ]
    }
}

extension CommandPhrases.Doctor {
    static let setting = Phrase("{reason}", "{reason}")
    static let settingAdvice = Phrase(
        "the server does not start with this value: correct {flag} or {variable}",
        "이 값으로는 서버가 시작하지 않습니다. {flag} 또는 {variable}을(를) 고치세요")
    static let proxy = Phrase("proxies in {ranges} are trusted", "{ranges}의 프록시를 신뢰합니다")
    static let proxyTooWide = Phrase(
        "proxies in {ranges} are trusted: every machine there can pretend to have another "
            + "address",
        "{ranges}의 프록시를 신뢰합니다. 그 안의 모든 컴퓨터가 다른 주소로 위장할 수 있습니다")
    static let proxyTooWideAdvice = Phrase(
        "name only your proxies: --trusted-proxy loopback, 10.0.0.5 or their network",
        "자신의 프록시만 지정하세요: --trusted-proxy loopback, 10.0.0.5 또는 프록시의 네트워크")
    static let proxyMissing = Phrase(
        "{url} needs a proxy for TLS, but none is trusted: all visitors seem to come from its address and "
            + "share one limit",
        "{url}에는 TLS를 맡는 프록시가 필요한데 신뢰하는 프록시가 없습니다. 모든 방문자가 프록시의 주소로 보여 한도를 나눠 씁니다")
    static let proxyMissingAdvice = Phrase(
        "add --trusted-proxy with the proxy's address; on this machine, --trusted-proxy loopback",
        "--trusted-proxy에 프록시의 주소를 지정하세요. 이 컴퓨터에 있으면 --trusted-proxy loopback입니다")
    static let proxyWithoutURL = Phrase(
        "behind a proxy, the codes may open an address that phones cannot reach",
        "프록시 뒤에서는 코드가 여는 주소에 휴대폰이 접속하지 못할 수 있습니다")
    static let proxyWithoutURLAdvice = Phrase(
        "add --public-url, such as https://qring.example.org",
        "https://qring.example.org처럼 --public-url을 지정하세요")
    static let proxyOutOfReach = Phrase(
        "only this machine can reach {address}, but the proxies of {ranges} are elsewhere",
        "{address}에는 이 컴퓨터만 접속할 수 있는데 {ranges}의 프록시는 다른 곳에 있습니다")
    static let proxyOutOfReachAdvice = Phrase(
        "use a --listen address that they can reach, or --trusted-proxy loopback",
        "프록시가 접속할 수 있는 --listen 주소나 --trusted-proxy loopback을 지정하세요")
    static let besideProxy = Phrase(
        "visitors can bypass the proxy and reach {address} without TLS",
        "프록시를 거치지 않고 TLS 없이 {address}에 접속할 수 있습니다")
    static let besideProxyAdvice = Phrase(
        "use --listen 127.0.0.1:{port}, because the proxy is on this machine",
        "프록시가 이 컴퓨터에 있으므로 --listen 127.0.0.1:{port}을(를) 지정하세요")
    static let metrics = Phrase("metrics at {address}", "메트릭 주소는 {address}입니다")
    static let metricsPublic = Phrase(
        "everybody who can reach {address} can read the metrics",
        "{address}에 접속할 수 있는 누구나 메트릭을 볼 수 있습니다")
    static let metricsPublicAdvice = Phrase(
        "use an internal address, such as --metrics-listen 127.0.0.1:9090, or restrict it by a firewall",
        "--metrics-listen 127.0.0.1:9090처럼 내부 주소를 지정하거나 방화벽으로 막으세요")
    static let metricsSame = Phrase(
        "the server and the metrics have the same address {address}",
        "서버와 메트릭의 주소가 {address}(으)로 같습니다")
    static let metricsSameAdvice = Phrase(
        "give --metrics-listen another port",
        "--metrics-listen에 다른 포트를 지정하세요")
    static let connections = Phrase("{count} {count|connection|connections} per address", "주소마다 연결 {count}개")
    static let connectionsTooMany = Phrase(
        "{count} connections per address, but only {files} files and connections can be open: one address "
            + "can use all of them",
        "주소마다 연결 {count}개를 허용하는데 모두 {files}개까지만 열 수 있어, 한 주소가 전부 쓸 수 있습니다")
    static let connectionsTooManyAdvice = Phrase(
        "use --connections-per-address {most} or less, or raise the hard limit: LimitNOFILE=65536 in the "
            + "unit",
        "--connections-per-address를 {most} 이하로 하거나 한도를 올리세요: 유닛의 LimitNOFILE=65536")
    static let connectionsFew = Phrase(
        "{count} {count|connection|connections} per address: in a hall behind one address, each phone "
            + "needs a few",
        "주소마다 연결 {count}개입니다. 주소 하나를 함께 쓰는 행사장에서는 휴대폰마다 여러 개가 필요합니다")
    static let connectionsFewAdvice = Phrase(
        "allow four times as many as people; the default is {usual}",
        "사람 수의 네 배로 지정하세요. 기본값은 {usual}입니다")
    static let terms = Phrase("terms from {file}", "{file}의 약관")
    static let termsAdvice = Phrase(
        "the server does not start without it: use a text that this user can read, or omit --terms for "
            + "the default terms",
        "이 파일이 없으면 서버가 시작하지 않습니다. 이 사용자가 읽을 수 있는 텍스트를 지정하거나, 기본 약관을 쓰려면 --terms를 빼세요")
    static let loops = Phrase("{count} {count|thread|threads} for websockets", "웹소켓 스레드 {count}개")
    static let loopsMany = Phrase(
        "{count} {count|thread|threads} for websockets, but {cores} {cores|processor|processors}",
        "웹소켓 스레드는 {count}개인데 프로세서는 {cores}개입니다")
    static let loopsAdvice = Phrase(
        "use --loops {cores} or less; one thread serves a few thousand connections",
        "--loops를 {cores} 이하로 하세요. 스레드 하나로 연결 수천 개를 처리합니다")
    static let imports = Phrase("question files can also come from {ranges}", "{ranges}에서도 질문 파일을 가져올 수 있습니다")
    static let importsHere = Phrase(
        "hosts can make this server call {address}, where programs and credentials of this machine answer",
        "진행자가 이 서버를 통해 {address}에 요청할 수 있습니다. 그 주소에서는 이 컴퓨터의 프로그램과 자격 증명이 응답합니다")
    static let importsHereAdvice = Phrase(
        "name only the servers that have the files: --import-from 10.0.0.7",
        "파일이 있는 서버만 지정하세요: --import-from 10.0.0.7")
}

extension CommandPhrases.Doctor {
    static let retention = Phrase(
        "Data is deleted after: evidence {evidence} days, ended sessions {sessions} days, action log "
            + "{actions} days, mails {mails} days, rotated logs {logs} days.",
        "보관 기간: 체크인 증거 {evidence}일, 끝난 회차 {sessions}일, 처리 내역 {actions}일, 메일 {mails}일, "
            + "지난 로그 {logs}일")
}
