import CommandLine
import Foundation
import FrontDoor
import HostCommands
import Phrases
import Server

private typealias Messages = CommandPhrases.Doctor

/// The server's flags, as the doctor was given them: what no server starts with, and what it starts with and
/// should not.
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
        found += reading("log", "log") { call throws(CommandFailure) in try call.logFormat() }
        return found
    }

    /// Reads a flag as `serve` does.
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
            return [unwell(check, .fail, Messages.setting, Messages.settingMend, values)]
        }
    }

    /// As it was written.
    private func written(_ option: String) -> String {
        let given = arguments.values(option)
        return given.isEmpty ? setting(option) ?? "" : given.joined(separator: ", ")
    }

    private var listenAddress: ListenAddress? {
        ListenAddress(setting("listen") ?? ServerSettings(dataFolder: "").listen)
    }

    // MARK: Proxies

    /// Nobody has more proxies than a /8 of IPv4's or a /16 of IPv6's, if they are not on one's own network.
    private static let widest = (ipv4: 8, ipv6: 16)
    private static let loopback = ranges("loopback")
    /// What only one's own network reaches.
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
                unwell("trustedProxy", .fail, Messages.proxyMissing, Messages.proxyMissingMend, ["url": url])
            ]
        }
        let wide =
            ranges.isWithin(Self.inside)
            ? [] : ranges.wider(thanIPv4: Self.widest.ipv4, ipv6: Self.widest.ipv6)
        guard wide.isEmpty else {
            return [
                unwell(
                    "trustedProxy", .fail, Messages.proxyTooWide, Messages.proxyTooWideMend,
                    ["ranges": wide.joined(separator: ", ")])
            ]
        }
        var found: [Diagnosis] = []
        if url == nil {
            found.append(
                unwell("trustedProxy", .warn, Messages.proxyWithoutURL, Messages.proxyWithoutURLMend))
        }
        if let listen = listenAddress {
            let values = [
                "address": "\(listen)", "port": "\(listen.port)", "ranges": written("trusted-proxy"),
            ]
            let isHere = ranges.contains("127.0.0.1") || ranges.contains("::1")
            if Self.loopback.contains(listen.host), !isHere {
                found.append(
                    unwell(
                        "trustedProxy", .fail, Messages.proxyOutOfReach, Messages.proxyOutOfReachMend, values)
                )
            } else if isSecure, !Self.loopback.contains(listen.host), ranges.isWithin(Self.loopback) {
                found.append(
                    unwell("trustedProxy", .warn, Messages.besideProxy, Messages.besideProxyMend, values))
            }
        }
        return found.isEmpty
            ? [well("trustedProxy", Messages.proxy, ["ranges": written("trusted-proxy")])] : found
    }

    // MARK: The others

    private func metrics(isRunning: Bool) -> [Diagnosis] {
        guard let written = setting("metrics-listen") else { return [] }
        guard let address = ListenAddress(written) else {
            return [
                unwell(
                    "metricsListen", .fail, Messages.listenBad, Messages.listenBadMend, ["address": written])
            ]
        }
        let values = ["address": "\(address)"]
        let wildcards = ["0.0.0.0", "::"]
        if let server = listenAddress, server.port == address.port, server.port != 0,
            server.host == address.host || wildcards.contains(server.host) || wildcards.contains(address.host)
        {
            return [unwell("metricsListen", .fail, Messages.metricsSame, Messages.metricsSameMend, values)]
        }
        let bound = listening(address, check: "metricsListen", isRunning: isRunning)
        guard bound.state == .ok else { return [bound] }
        guard Self.inside.contains(address.host) else {
            return [
                unwell("metricsListen", .warn, Messages.metricsPublic, Messages.metricsPublicMend, values)
            ]
        }
        return [well("metricsListen", Messages.metrics, values)]
    }

    /// What the server opens beside connections.
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
                    Messages.connectionsTooManyMend, values)
            ]
        }
        if count < Self.fewConnections {
            return [
                unwell(
                    "connectionsPerAddress", .warn, Messages.connectionsFew, Messages.connectionsFewMend,
                    values)
            ]
        }
        return [well("connectionsPerAddress", Messages.connections, values)]
    }

    /// The addresses of the machine itself, and where clouds give a machine its credentials.
    private static let ofTheMachine = ["127.0.0.1", "::1", "169.254.169.254", "fd00:ec2::254"]

    private func imports(_ ranges: AddressRanges) -> [Diagnosis] {
        guard !ranges.isEmpty else { return [] }
        if let address = Self.ofTheMachine.first(where: { ranges.contains($0) }) {
            return [
                unwell(
                    "importFrom", .warn, Messages.importsHere, Messages.importsHereMend, ["address": address])
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
                    "terms", .fail, Messages.setting, Messages.termsMend,
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
                ? unwell("loops", .warn, Messages.loopsMany, Messages.loopsMend, values)
                : well("loops", Messages.loops, values)
        ]
    }
}
