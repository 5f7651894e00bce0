import FrontDoor
import Outbound
import Server
import Wire

/// Downloads the files that hosts import from the web. It uses libcurl, because the server module itself
/// sends no requests.
struct OutsideDocuments: DocumentFetching {
    private let fetching: PublicFetcher

    init(alsoFrom ranges: AddressRanges) {
        fetching = PublicFetcher(
            userAgent: ProductVersion.userAgent,
            alsoFrom: { bytes in
                NumericAddress(bytes: bytes).map { ranges.contains($0) } ?? false
            })
    }

    func fetch(_ url: String, mostBytes: Int) async throws(DocumentFetchFailure) -> [UInt8] {
        let answer: OutboundResponse
        do throws(TransportError) {
            answer = try await fetching.fetch(url, mostBytes: mostBytes)
        } catch {
            switch error {
            case .addressRefused: throw .addressNotAllowed
            case .timedOut: throw .timedOut
            case .responseTooLarge: throw .tooLarge
            case .unreachable, .cancelled: throw .unreachable
            }
        }
        guard (200..<300).contains(answer.status) else { throw .answered(status: answer.status) }
        return answer.body
    }
}
