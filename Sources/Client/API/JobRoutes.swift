internal import Meetings
internal import Outbound
package import Wire

/// Follows the job of a long change until its end.
package struct JobFollower: Sendable {
    /// Receives the job when it has begun, and after each poll. Not called if the change is short.
    package let progress: @Sendable (JobBody) -> Void
    /// Waits between two polls. Throws if the task is cancelled.
    package let pause: @Sendable (Duration) async throws -> Void

    package init(
        progress: @escaping @Sendable (JobBody) -> Void = { _ in },
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.progress = progress
        self.pause = pause
    }

    /// The pause before the first poll. Each pause is twice as long as the pause before it, up to the time
    /// that the server gives. Most jobs end within a second, so a caller waits hardly longer than for a
    /// request that answers at the end. A long job gets one poll a second.
    static let firstPause = Duration.milliseconds(100)
    /// The most polls in a row that may fail because the server cannot be reached, for example while it
    /// restarts.
    static let mostFailures = 60
}

extension APIClient {
    /// Sends a change that may be long, and returns its result. If the server answers with a job, follows the
    /// job until its end. If the task is cancelled, the server completes the change all the same.
    /// - Parameter result: returns the part of a job's result that has the form of the answer.
    func sendLong<Body: Decodable & Sendable>(
        _ call: APICall, _ follower: JobFollower, result: (JobBody.Result) -> Body?
    ) async throws(APIError) -> Body {
        var call = call
        call.headers.append(("Prefer", "respond-async"))
        let answer = try await send(call)
        guard answer.status == 202 else { return try decode(Body.self, from: answer) }
        let started = try decode(StartedJobBody.self, from: answer).job
        let job = try await followed(JobBody(started), follower)
        if let problem = job.problem { throw .problem(problem) }
        guard let body = job.result.flatMap(result) else {
            // Only hosts of the meeting see a result.
            throw .problem(Problem(code: .notAllowed, in: language))
        }
        return body
    }

    private func followed(_ first: JobBody, _ follower: JobFollower) async throws(APIError) -> JobBody {
        var job = first
        var pause = JobFollower.firstPause
        var failures = 0
        follower.progress(job)
        while job.state == .running {
            do { try await follower.pause(pause) } catch { throw .cancelled }
            do throws(APIError) {
                let (found, most) = try await look(at: job.id)
                (job, pause, failures) = (found, min(pause * 2, most), 0)
            } catch {
                // A server that restarts completes or reverts the job.
                guard let wait = error.retryAfter, failures < JobFollower.mostFailures else { throw error }
                (pause, failures) = (max(wait, .seconds(1)), failures + 1)
            }
            follower.progress(job)
        }
        return job
    }

    private func look(at id: ID<JobBody>) async throws(APIError) -> (job: JobBody, pause: Duration) {
        let answer = try await send(APICall("GET", "/api/v1/jobs/\(id)"))
        let seconds = answer.headers["retry-after"].flatMap { Int($0) } ?? 1
        return (try decode(JobBody.self, from: answer), .seconds(seconds))
    }
}
