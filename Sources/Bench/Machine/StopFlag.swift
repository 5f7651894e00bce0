internal import Dispatch
internal import Synchronization

/// A flag that is set when the user stops the benchmark. Every loop of this target checks the flag.
final class StopFlag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}

/// Runs a blocking function on a separate thread, so that it does not block Swift's pool.
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
