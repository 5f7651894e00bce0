import Client
import CommandLine
import FoundationEssentials
import FrontDoor
import Glibc
import HostCommands
import Meetings
import Outbound
import Phrases
import Server

private typealias Messages = CommandPhrases.Doctor

/// Checks the server's options. It reports options with which the server cannot start, and options that it
/// accepts but that are dangerous.
extension Invocation {
    func settingDiagnoses(isRunning: Bool) -> [Diagnosis] {
        var found: [Diagnosis] = []
        var rest = Set(ServerSetting.all.map(\.name)).subtracting([
            "data", "database", "listen", "public-url",
        ])
        func read(
            _ check: String, _ names: String..., judge: (ServerSettings) -> [Diagnosis] = { _ in [] }
        ) {
            rest.subtract(names)
            found += reading(check, names, judge)
        }
        read("trustedProxy", "trusted-proxy") { proxies($0.trustedProxies) }
        read("metricsListen", "metrics-listen") { _ in metrics(isRunning: isRunning) }
        read("connectionsPerAddress", "connections-per-address") {
            setting("connections-per-address") == nil ? [] : connections($0.connectionsPerAddress)
        }
        read("importFrom", "import-from") { imports($0.importFrom) }
        rest.remove("terms")
        found += terms()
        rest.remove("log-file")
        found += logFile()
        read("loops", "loops") { setting("loops") == nil ? [] : threads($0.loops) }
        read("mail", "smtp-url", "mail-from")
        read("mail", "phone-hook-url")
        read("mail", "push-hook-url")
        read(
            "retention", "retention", "keep-names", "keep-evidence", "keep-sessions", "keep-actions",
            "keep-mails", "keep-logs"
        ) {
            [retention($0.retention)]
        }
        read(
            "backups", "backup-to", "backup-every", "backup-keep", "backup-key", "retention", "keep-names",
            "keep-sessions"
        ) { backups($0.backups, besides: $0.retention) }
        for row in ServerSetting.all where rest.contains(row.name) {
            let words = row.name.split(separator: "-")
            read(
                words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(),
                row.name)
        }
        return found + certificates()
            + unknownVariables.map { unknown in
                unwell(
                    "environment", .fail, Messages.variable,
                    unknown.near == nil ? Messages.variableAdvice : Messages.variableAdviceNear,
                    ["name": unknown.name, "near": unknown.near ?? ""])
            }
    }

    /// Checks that the server can append to its log file or make it. Opens and makes nothing.
    private func logFile() -> [Diagnosis] {
        guard let path = setting("log-file"), access(path, W_OK) != 0 else { return [] }
        let code = errno
        let folder = URL(filePath: path).deletingLastPathComponent().path
        if code == ENOENT, access(folder, W_OK | X_OK) == 0 { return [] }
        let values = ["file": path, "reason": String(cString: strerror(code)), "folder": folder]
        return [unwell("logFile", .fail, Messages.logFile, Messages.logFileAdvice, values)]
    }

    /// Checks the file with trusted certificates, which requests to mail servers and other services need.
    private func certificates() -> [Diagnosis] {
        guard let path = HTTPTransport(environment: environment).certificates else { return [] }
        let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        return text?.contains("-----BEGIN CERTIFICATE-----") == true
            ? []
            : [
                unwell(
                    "certificates", .fail, Messages.certificates, Messages.certificatesAdvice, ["file": path])
            ]
    }

    /// Checks the folder for backups, and says how old the last one is. Writes nothing.
    private func backups(_ settings: BackupSettings, besides retention: Retention) -> [Diagnosis] {
        guard let folder = settings.folder else { return [] }
        var values = ["folder": folder]
        let stored: StoredBackups
        do throws(BackupFailure) {
            stored = try StoredBackups(of: dataFolderPath, in: folder)
        } catch {
            values["reason"] = error.reason
            return [unwell("backups", .fail, Messages.backupsUnreadable, Messages.backupsAdvice, values)]
        }
        guard access(folder, W_OK | X_OK) == 0 else {
            values["reason"] = String(cString: strerror(errno))
            return [unwell("backups", .fail, Messages.backupsNotWritable, Messages.backupsAdvice, values)]
        }
        var found: [Diagnosis] = []
        if StoredBackups.isOnDisk(of: dataFolderPath, folder) {
            found.append(
                unwell("backups", .warn, Messages.backupsOnDisk, Messages.backupsOnDiskAdvice, values))
        }
        if let names = retention.names, settings.keep.longest > names {
            (values["names"], values["keep"]) = ("\(retention.nameDays)", settings.keep.text)
            found.append(
                unwell("backups", .warn, Messages.backupsWithNames, Messages.backupsWithNamesAdvice, values))
        }
        let now = SystemClock().now
        guard let newest = stored.newest(at: now) else {
            return found + [well("backups", Messages.backupsNone, values)]
        }
        let age = now.since(newest.file.at)
        values["age"] = DurationText.write(age, in: language)
        values["size"] = byteText(newest.bytes)
        // A backup may wait for a day, so that it shows no anonymous answer.
        found.append(
            age > settings.every + .hours(26)
                ? unwell("backups", .warn, Messages.backupsOld, Messages.backupsOldAdvice, values)
                : well("backups", Messages.backups, values))
        return found
    }

    private func retention(_ days: Retention) -> Diagnosis {
        well(
            "retention", days.names == nil ? Messages.retention : Messages.retentionOfNames,
            [
                "names": "\(days.nameDays)",
                "evidence": "\(days.evidenceDays)", "sessions": "\(days.sessionDays)",
                "actions": "\(days.actionDays)", "mails": "\(days.mailDays)", "logs": "\(days.logDays)",
            ])
    }

    /// Reads settings as `serve` does, and reports an error or the result of `judge`.
    private func reading(_ check: String, _ names: [String], _ judge: (ServerSettings) -> [Diagnosis])
        -> [Diagnosis]
    {
        do throws(CommandFailure) {
            return judge(try serverSettings(only: Set(names)))
        } catch {
            let name = names.first { settings[$0] != nil } ?? names[0]
            let values = [
                "reason": error.sentence(in: language), "flag": "--\(name)",
                "variable": Setting.variable(name),
            ]
            return [unwell(check, .fail, Messages.setting, Messages.settingAdvice, values)]
        }
    }

    /// The option's text as the operator wrote it.
    private func written(_ option: String) -> String {
        (setting(option) ?? "").split(separator: ",").joined(separator: ", ")
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
        if let listen = listenAddress, listen.path != nil, !ranges.contains(PeerAddress.unix) {
            return [
                unwell(
                    "trustedProxy", isSecure ? .fail : .warn, Messages.proxyOfSocket,
                    Messages.proxyOfSocketAdvice, ["address": "\(listen)"])
            ]
        }
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
        if let listen = listenAddress, listen.path == nil {
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

    private func connections(_ count: Int) -> [Diagnosis] {
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
            return try serverSettings(only: ["terms"]).terms == nil
                ? [] : [well("terms", Messages.terms, ["file": written("terms")])]
        } catch {
            return [
                unwell(
                    "terms", .fail, Messages.setting, Messages.termsAdvice,
                    ["reason": error.sentence(in: language)])
            ]
        }
    }

    private func threads(_ count: Int) -> [Diagnosis] {
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
    static let backups = Phrase("the last backup in {folder} is {age} old and has {size}")
    static let backupsNone = Phrase("backups go to {folder}; there is none yet")
    static let backupsOld = Phrase("the last backup in {folder} is {age} old")
    static let backupsOldAdvice = Phrase("read the server's log, which has the reason")
    static let backupsUnreadable = Phrase("backups: {reason}")
    static let backupsNotWritable = Phrase("this user cannot write backups into {folder}: {reason}")
    static let backupsAdvice = Phrase(
        "mount or make the folder, and give it to the server's user; the server keeps running without backups"
    )
    static let backupsOnDisk = Phrase("the backups in {folder} are on the same disk as the data")
    static let backupsWithNames = Phrase(
        "names are deleted after {names} days, but backups ({keep}) still have them for longer")
    static let backupsWithNamesAdvice = Phrase("choose fewer backups, for example --backup-keep 7d,3w")
    static let backupsOnDiskAdvice = Phrase(
        "choose a folder on another disk or machine; a broken disk takes both")
    static let setting = Phrase("{reason}")
    static let settingAdvice = Phrase(
        "the server does not start with this value: correct {flag} or {variable}")
    static let proxy = Phrase("proxies in {ranges} are trusted")
    static let proxyTooWide = Phrase(
        "proxies in {ranges} are trusted: every machine there can pretend to have another "
            + "address")
    static let proxyTooWideAdvice = Phrase(
        "name only your proxies: --trusted-proxy loopback, 10.0.0.5 or their network")
    static let proxyMissing = Phrase(
        "{url} needs a proxy for TLS, but none is trusted: all visitors seem to come from its address and "
            + "share one limit")
    static let proxyMissingAdvice = Phrase(
        "add --trusted-proxy with the proxy's address; on this machine, --trusted-proxy loopback")
    static let proxyOfSocket = Phrase(
        "the proxy of {address} is not trusted: all visitors share one limit of connections and of failures")
    static let proxyOfSocketAdvice = Phrase("add --trusted-proxy unix")
    static let proxyWithoutURL = Phrase(
        "behind a proxy, the codes may open an address that phones cannot reach")
    static let proxyWithoutURLAdvice = Phrase("add --public-url, such as https://qring.example.org")
    static let proxyOutOfReach = Phrase(
        "only this machine can reach {address}, but the proxies of {ranges} are elsewhere")
    static let proxyOutOfReachAdvice = Phrase(
        "use a --listen address that they can reach, or --trusted-proxy loopback")
    static let besideProxy = Phrase("visitors can bypass the proxy and reach {address} without TLS")
    static let besideProxyAdvice = Phrase(
        "use --listen 127.0.0.1:{port}, because the proxy is on this machine")
    static let metrics = Phrase("metrics at {address}")
    static let metricsPublic = Phrase("everybody who can reach {address} can read the metrics")
    static let metricsPublicAdvice = Phrase(
        "use an internal address, such as --metrics-listen 127.0.0.1:9090, or restrict it by a firewall")
    static let metricsSame = Phrase("the server and the metrics have the same address {address}")
    static let metricsSameAdvice = Phrase("give --metrics-listen another port")
    static let connections = Phrase("{count} {count|connection|connections} per address")
    static let connectionsTooMany = Phrase(
        "{count} connections per address, but only {files} files and connections can be open: one address "
            + "can use all of them")
    static let connectionsTooManyAdvice = Phrase(
        "use --connections-per-address {most} or less, or raise the hard limit: LimitNOFILE=65536 in the "
            + "unit")
    static let connectionsFew = Phrase(
        "{count} {count|connection|connections} per address: in a hall behind one address, each phone "
            + "needs a few")
    static let connectionsFewAdvice = Phrase("allow four times as many as people; the default is {usual}")
    static let terms = Phrase("terms from {file}")
    static let termsAdvice = Phrase(
        "the server does not start without it: use a text that this user can read, or omit --terms for "
            + "the default terms")
    static let loops = Phrase("{count} {count|thread|threads} for websockets")
    static let loopsMany = Phrase(
        "{count} {count|thread|threads} for websockets, but {cores} {cores|processor|processors}")
    static let loopsAdvice = Phrase(
        "use --loops {cores} or less; one thread serves a few thousand connections")
    static let variable = Phrase("the variable {name} is no setting of QRing, and no server starts with it")
    static let variableAdvice = Phrase("unset it; qring admin settings --all shows all settings")
    static let variableAdviceNear = Phrase("write {near}, or unset it")
    static let logFile = Phrase("the server cannot append to the log file {file}: {reason}")
    static let logFileAdvice = Phrase("make the folder {folder}, and let the server's user write to the file")
    static let certificates = Phrase("{file} has no certificates that this user can read")
    static let certificatesAdvice = Phrase("correct or unset QRING_CA_FILE and SSL_CERT_FILE")
    static let imports = Phrase("question files can also come from {ranges}")
    static let importsHere = Phrase(
        "hosts can make this server call {address}, where programs and credentials of this machine answer")
    static let importsHereAdvice = Phrase("name only the servers that have the files: --import-from 10.0.0.7")
}

extension CommandPhrases.Doctor {
    static let retention = Phrase(
        "Data is deleted after: evidence {evidence} days, ended sessions {sessions} days, action log "
            + "{actions} days, mails {mails} days, rotated logs {logs} days.")
    static let retentionOfNames = Phrase(
        "Data is deleted after: names {names} days, evidence {evidence} days, ended sessions {sessions} "
            + "days, action log {actions} days, mails {mails} days, rotated logs {logs} days.")
}
