import Client
import FrontDoor
import Server

/// Hosts' files from the web, over the client's libcurl: the server itself speaks to nobody.
struct OutsideDocuments: DocumentFetching {
    private let fetching: OutsideFetch

    init(alsoFrom ranges: AddressRanges) {
        fetching = OutsideFetch(alsoFrom: { bytes in
            NumericAddress(bytes: bytes).map { ranges.contains($0) } ?? false
        })
    }

    func fetch(_ url: String, mostBytes: Int) async throws(DocumentFetchFailure) -> [UInt8] {
        let answer: HTTPAnswer
        do throws(TransportError) {
            answer = try await fetching.fetch(url, mostBytes: mostBytes)
        } catch {
            switch error {
            case .addressRefused: throw .addressNotAllowed
            case .timedOut: throw .timedOut
            case .answerTooLarge: throw .tooLarge
            case .unreachable, .cancelled: throw .unreachable
            }
        }
        guard (200..<300).contains(answer.status) else { throw .answered(status: answer.status) }
        return answer.body
    }
}
