internal import Foundation
internal import Wire

/// Sends requests over libcurl: keep-alive, HTTP and HTTPS, IPv4 and IPv6, many at once. Requests wait in a
/// queue while `parallel` are on the wire, and no thread of Swift's pool waits with them.
package final class HTTPTransport: Sendable {
    private let loop: CurlLoop?
    /// A file of certificates that servers are trusted by; nil stands for the system's.
    let certificates: String?

    /// - Parameters:
    ///   - parallel: connections at most; 1–1,024.
    ///   - environment: `NO_PROXY`, and `QRING_CA_FILE` or else `SSL_CERT_FILE`, which name the certificates
    ///     to trust.
    package init(parallel: Int = 64, environment: [String: String] = [:]) {
        // A proxy for the outside world must not stand between this program and the server beside it.
        let excluded = [environment["no_proxy"] ?? environment["NO_PROXY"], "localhost,127.0.0.0/8,::1"]
        certificates = [environment["QRING_CA_FILE"], environment["SSL_CERT_FILE"]].compactMap(\.self).first {
            !$0.isEmpty
        }
        loop = CurlLoop(
            parallel: min(max(1, parallel), 1024), userAgent: ProductVersion.userAgent,
            notProxied: excluded.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ","),
            certificates: certificates)
    }

    deinit { loop?.stop() }

    /// The answer, of whatever status. Redirects are answers too: this API has none.
    package func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPAnswer {
        guard let loop else { throw .unreachable(detail: "libcurl could not start") }
        let number = loop.number()
        let result: Result<HTTPAnswer, TransportError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                loop.start(Exchange(request, number: number, continuation: continuation))
                // Cancelled before it was started: the handler has run, and found nothing.
                if Task.isCancelled { loop.cancel(number) }
            }
        } onCancel: {
            loop.cancel(number)
        }
        return try result.get()
    }
}
