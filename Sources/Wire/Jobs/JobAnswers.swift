package import Meetings

/// A long command that runs without a request that waits for it.
package struct JobBody: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case roster, identifyBy, lateLimit, session, series, codes
    }

    package enum State: String, Codable, CaseIterable, Sendable {
        case running, done, failed
    }

    /// The changed or added resources, in the form that the command itself answers. Exactly one field is set.
    package struct Result: Codable, Hashable, Sendable {
        package var roster: RosterImportBody?
        package var meeting: MeetingBody?
        package var session: SessionBody?
        /// The sessions of a series, in order.
        package var sessions: [SessionBody]?

        package init(
            roster: RosterImportBody? = nil, meeting: MeetingBody? = nil, session: SessionBody? = nil,
            sessions: [SessionBody]? = nil
        ) {
            self.roster = roster
            self.meeting = meeting
            self.session = session
            self.sessions = sessions
        }
    }

    package let id: ID<JobBody>
    package let kind: Kind
    package let state: State
    /// The number of finished steps. If the server reverts a refused change, it counts from 0 again.
    package let done: Int
    /// The number of all steps.
    package let total: Int
    /// The status that the command would have answered; nil while the job is running.
    package var status: Int?
    /// The path of the changed or added resource, if the job is done.
    package var location: String?
    /// Nil unless the job is done, and nil if the caller is no longer a host of the meeting.
    package var result: Result?
    /// The reason why a failed job changed nothing.
    package var problem: Problem?

    package init(id: ID<JobBody>, kind: Kind, state: State, done: Int, total: Int) {
        self.id = id
        self.kind = kind
        self.state = state
        self.done = done
        self.total = total
    }
}

/// The answer of a request that started a job.
package struct StartedJobBody: Codable, Hashable, Sendable {
    /// The job at its beginning. The fields are those of `JobBody`.
    package struct Job: Codable, Hashable, Sendable {
        package let id: ID<JobBody>
        package let kind: JobBody.Kind
        package let state: JobBody.State
        package let done: Int
        package let total: Int
    }

    package let job: Job

    package init(_ job: JobBody) {
        self.job = Job(id: job.id, kind: job.kind, state: job.state, done: job.done, total: job.total)
    }
}

extension JobBody {
    package init(_ started: StartedJobBody.Job) {
        self.init(
            id: started.id, kind: started.kind, state: started.state, done: started.done,
            total: started.total)
    }
}
