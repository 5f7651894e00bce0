import Client
import CommandLine
import Foundation
import FrontDoor
import HostCommands
import Outbound
import Phrases
import SQLiteJournal
import Server

private typealias Messages = CommandPhrases.Doctor

/// Libraries, limits, and where the server is reached.
extension Invocation {
    func machineDiagnoses() -> [Diagnosis] {
        let version = ["version": Examination.sqliteVersion]
        return [
            Examination.sqliteIsNewEnough
                ? well("sqlite", Messages.sqlite, version)
                : unwell("sqlite", .fail, Messages.sqlite, Messages.sqliteMend, version),
            canLoadPlugin
                ? well("libuv", Messages.plugin)
                : unwell("libuv", .fail, Messages.pluginMissing, Messages.pluginMend),
            openFiles(),
        ]
    }

    /// As libwebsockets does it: by its name, along the loader's path.
    private var canLoadPlugin: Bool {
        guard let plugin = dlopen("libwebsockets-evlib_uv.so", RTLD_LAZY | RTLD_LOCAL) else { return false }
        dlclose(plugin)
        return true
    }

    private func openFiles() -> Diagnosis {
        let count = DescriptorLimit.raise()
        let values = ["count": "\(count)"]
        if count < 1024 {
            return unwell("openFiles", .fail, Messages.openFiles, Messages.openFilesMend, values)
        }
        if count < 65_536 {
            return unwell("openFiles", .warn, Messages.openFiles, Messages.openFilesMend, values)
        }
        return well("openFiles", Messages.openFiles, values)
    }

    // MARK: Addresses

    func addressDiagnoses(isRunning: Bool) async -> [Diagnosis] {
        let written = setting("listen") ?? ServerSettings(dataFolder: "").listen
        guard let address = ListenAddress(written) else {
            return [unwell("listen", .fail, Messages.listenBad, Messages.listenBadMend, ["address": written])]
        }
        return [listening(address, check: "listen", isRunning: isRunning)]
            + (await publicURL(address, isRunning: isRunning))
    }

    func listening(_ address: ListenAddress, check: String, isRunning: Bool) -> Diagnosis {
        let values = ["address": "\(address)"]
        do throws(FrontDoorError) {
            // Bound and never opened: who connects in this moment is turned away.
            try FrontDoor(listen: address).close()
            return well(check, Messages.listen, values)
        } catch {
            let reason = ["reason": "\(error)"]
            switch error {
            case .addressInUse where isRunning: return well(check, Messages.listenRunning, values)
            case .notAllowed:
                return unwell(check, .fail, Messages.listenFails, Messages.listenPrivilege, reason)
            case .addressInUse, .addressNotHere, .system:
                return unwell(check, .fail, Messages.listenFails, Messages.listenMend, reason)
            }
        }
    }

    private func publicURL(_ listen: ListenAddress, isRunning: Bool) async -> [Diagnosis] {
        let given = setting("public-url")
        let address: PublicAddress
        if let given {
            guard let read = PublicAddress(url: given) else {
                return [unwell("publicURL", .fail, Messages.urlBad, Messages.urlBadMend, ["url": given])]
            }
            address = read
        } else {
            address = PublicAddress(listening: listen.host, port: listen.port)
        }
        let values = ["url": address.url]
        if address.isLoopback {
            return [unwell("publicURL", .warn, Messages.urlLoopback, Messages.urlLoopbackMend, values)]
        }
        // Without a server a proxy has nobody to ask; a name that leads nowhere is found all the same.
        guard let reason = await silence(of: address.url, mayRefuse: !isRunning) else {
            return [well("publicURL", Messages.url, values)]
        }
        let found = ["url": address.url, "reason": reason]
        return [
            unwell(
                "publicURL", isRunning && given != nil ? .fail : .warn, Messages.urlSilent,
                Messages.urlSilentMend, found)
        ]
    }

    /// Why `url` does not answer as a QRing does; nil where it does.
    private func silence(of url: String, mayRefuse: Bool) async -> String? {
        do throws(TransportError) {
            let answer = try await HTTPTransport(environment: environment).send(
                OutboundRequest("GET", "\(url)/healthz", timeout: .seconds(5)))
            return answer.status == 200 || mayRefuse ? nil : "\(answer.status)"
        } catch {
            switch error {
            case .unreachable(let detail):
                return mayRefuse && !detail.lowercased().contains("resolve") ? nil : detail
            case .timedOut: return mayRefuse ? nil : "\(error)"
            case .addressRefused, .cancelled, .responseTooLarge: return nil
            }
        }
    }
}
