import Client
import CommandLine
import FrontDoor
import Glibc
import HostCommands
import Outbound
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Doctor

/// Checks the libraries, the system's limits, and the addresses of the server.
extension Invocation {
    func machineDiagnoses() -> [Diagnosis] {
        let version = ["version": Examination.sqliteVersion]
        return [
            Examination.sqliteIsNewEnough
                ? well("sqlite", Messages.sqlite, version)
                : unwell("sqlite", .fail, Messages.sqlite, Messages.sqliteAdvice, version),
            canLoadPlugin
                ? well("libuv", Messages.plugin)
                : unwell("libuv", .fail, Messages.pluginMissing, Messages.pluginAdvice),
            openFiles(),
        ]
    }

    /// Whether the plug-in of libwebsockets can be loaded. Like libwebsockets, this check gives the loader
    /// only the file name.
    private var canLoadPlugin: Bool {
        guard let plugin = dlopen("libwebsockets-evlib_uv.so", RTLD_LAZY | RTLD_LOCAL) else { return false }
        dlclose(plugin)
        return true
    }

    private func openFiles() -> Diagnosis {
        let count = DescriptorLimit.raise()
        let values = ["count": "\(count)"]
        if count < 1024 {
            return unwell("openFiles", .fail, Messages.openFiles, Messages.openFilesAdvice, values)
        }
        if count < 65_536 {
            return unwell("openFiles", .warn, Messages.openFiles, Messages.openFilesAdvice, values)
        }
        return well("openFiles", Messages.openFiles, values)
    }

    // MARK: Addresses

    func addressDiagnoses(isRunning: Bool) async -> [Diagnosis] {
        let written = setting("listen") ?? ServerSettings(dataFolder: "").listen
        guard let address = ListenAddress(written) else {
            return [
                unwell("listen", .fail, Messages.listenBad, Messages.listenBadAdvice, ["address": written])
            ]
        }
        return [listening(address, check: "listen", isRunning: isRunning)]
            + (await publicURL(address, isRunning: isRunning))
            + (isRunning ? await unnamedProxies() : [])
    }

    /// Asks the metrics of the running server for addresses that behave like proxies, but that the operator
    /// has not named. Returns nothing if the metrics cannot be read.
    private func unnamedProxies() async -> [Diagnosis] {
        guard let url = metricsURL else { return [] }
        let answer = try? await HTTPTransport(environment: environment).send(
            OutboundRequest("GET", url, timeout: .seconds(5)))
        guard let answer, answer.status == 200 else { return [] }
        let start = "qring_unnamed_proxy_requests{address=\""
        return String(decoding: answer.body, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard line.hasPrefix(start) else { return nil }
            let parts = line.dropFirst(start.count).split(separator: "\"} ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            return unwell(
                "unnamedProxy", .warn, Messages.proxyUnnamed, Messages.proxyUnnamedAdvice,
                ["address": parts[0], "count": parts[1]])
        }
    }

    func listening(_ address: ListenAddress, check: String, isRunning: Bool) -> Diagnosis {
        let values = ["address": "\(address)"]
        if let path = address.path { return listening(atPath: path, check, values, isRunning: isRunning) }
        do throws(FrontDoorError) {
            // Listen on the address and close it immediately. A client that connects at this moment is
            // rejected.
            try FrontDoor(listen: address).close()
            return well(check, Messages.listen, values)
        } catch {
            let reason = ["reason": "\(error)"]
            switch error {
            case .addressInUse where isRunning: return well(check, Messages.listenRunning, values)
            case .notAllowed:
                return unwell(check, .fail, Messages.listenFails, Messages.listenPrivilege, reason)
            case .addressInUse, .addressNotHere, .notASocket, .system:
                return unwell(check, .fail, Messages.listenFails, Messages.listenAdvice, reason)
            }
        }
    }

    /// Checks the folder of a Unix socket. A test that listened would make the socket.
    private func listening(
        atPath path: String, _ check: String, _ values: [String: String], isRunning: Bool
    ) -> Diagnosis {
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
            return unwell(
                check, .fail, Messages.listenFails, Messages.listenAdvice,
                ["reason": "\(FrontDoorError.notASocket(path))"])
        }
        let folder = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
        guard access(folder, W_OK | X_OK) == 0 else {
            return unwell(
                check, .fail, Messages.listenFails, Messages.listenFolder,
                ["reason": "\(folder): \(String(cString: strerror(errno)))", "folder": folder])
        }
        return well(check, isRunning ? Messages.listenRunning : Messages.listen, values)
    }

    private func publicURL(_ listen: ListenAddress, isRunning: Bool) async -> [Diagnosis] {
        let given = setting("public-url")
        let address: PublicAddress
        if let given {
            guard let read = PublicAddress(url: given) else {
                return [unwell("publicURL", .fail, Messages.urlBad, Messages.urlBadAdvice, ["url": given])]
            }
            address = read
        } else {
            address = PublicAddress(listening: listen, port: listen.port)
        }
        let values = ["url": address.url]
        if address.isLoopback {
            return [unwell("publicURL", .warn, Messages.urlLoopback, Messages.urlLoopbackAdvice, values)]
        }
        // If no server is running, a proxy cannot get an answer, so only a host name that does not resolve is
        // a fault.
        guard let reason = await silence(of: address.url, mayRefuse: !isRunning) else {
            return [well("publicURL", Messages.url, values)]
        }
        let found = ["url": address.url, "reason": reason]
        return [
            unwell(
                "publicURL", isRunning && given != nil ? .fail : .warn, Messages.urlSilent,
                Messages.urlSilentAdvice, found)
        ]
    }

    /// Returns the reason why `url` does not answer as a QRing server does; nil if it does.
    private func silence(of url: String, mayRefuse: Bool) async -> String? {
        do throws(TransportError) {
            let answer = try await HTTPTransport(environment: environment).send(
                OutboundRequest("GET", "\(url)/healthz", timeout: .seconds(5)))
            return answer.status == 200 || mayRefuse ? nil : "\(answer.status)"
        } catch {
            switch error {
            case .unreachable(let detail):
                return mayRefuse && !detail.lowercased().contains("resolve") ? nil : detail
            case .timedOut: return mayRefuse ? nil : text(Messages.noAnswerInTime)
            case .addressRefused, .cancelled, .responseTooLarge, .mailNotTaken: return nil
            }
        }
    }
}

extension CommandPhrases.Doctor {
    static let proxyUnnamed = Phrase(
        "{count} requests carry X-Forwarded-For from {address}, which is not named as a trusted proxy: if it "
            + "is your proxy, all visitors look like one address and share its limits")
    static let proxyUnnamedAdvice = Phrase(
        "if it is your proxy, add --trusted-proxy {address}; otherwise, ignore this")
    static let noAnswerInTime = Phrase("no answer within 5 s")
    static let sqlite = Phrase("SQLite {version}")
    static let sqliteAdvice = Phrase("install SQLite 3.37 or newer")
    static let plugin = Phrase("libwebsockets can use libuv")
    static let pluginMissing = Phrase("libwebsockets' libuv plug-in cannot be loaded")
    static let pluginAdvice = Phrase("install libwebsockets-evlib-uv")
    static let openFiles = Phrase("up to {count} files and connections can be open")
    static let openFilesAdvice = Phrase(
        "for large halls, raise the hard limit to 65536: LimitNOFILE=65536 in the unit, or ulimit -Hn")
    static let listen = Phrase("{address} is free")
    static let listenRunning = Phrase("{address} is in use, probably by the running server")
    static let listenFails = Phrase("{reason}")
    static let listenAdvice = Phrase("stop the program that uses the address, or choose another --listen")
    static let listenFolder = Phrase("make the folder {folder}, and let this user write to it")
    static let listenPrivilege = Phrase("use a port from 1024 on, or give the binary CAP_NET_BIND_SERVICE")
    static let url = Phrase("check-in codes open {url}")
    static let urlBad = Phrase("{url} is not a public URL")
    static let urlBadAdvice = Phrase("use, for example, https://qring.example.org")
    static let urlLoopback = Phrase("check-in codes open {url}, which only this machine can reach")
    static let urlLoopbackAdvice = Phrase("use --listen 0.0.0.0:8080 for the network, or --public-url")
    static let urlSilent = Phrase("{url} does not answer from this machine: {reason}")
    static let urlSilentAdvice = Phrase(
        "check the name, the proxy and the firewall; some networks cannot reach their own public address "
            + "from inside")
}
