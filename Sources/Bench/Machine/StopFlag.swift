internal import Dispatch
internal import Synchronization

/// Set when the person has enough; every loop here looks at it.
final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Runs what blocks on a thread of its own, off Swift's pool.
func onThread<Value: Sendable>(
    _ name: String, _ work: @escaping @Sendable () throws(BenchError) -> Value
) async throws(BenchError) -> Value {
    let result: Result<Value, BenchError> = await withCheckedContinuation { continuation in
        DispatchQueue(label: "qring.bench.\(name)", qos: .userInitiated).async {
            do throws(BenchError) { continuation.resume(returning: .success(try work())) } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}
