/// What can be edited: an answer that is one says its version as an `ETag`, which `If-Match` takes.
package protocol Versioned: Encodable {
    /// Nil where it is told to who may not edit.
    var taggedVersion: Int? { get }
}

extension AccountBody: Versioned { package var taggedVersion: Int? { version } }
extension MeetingBody: Versioned { package var taggedVersion: Int? { version } }
extension SessionBody: Versioned { package var taggedVersion: Int? { version } }
extension QuestionSetBody: Versioned { package var taggedVersion: Int? { version } }
extension AttendeeBody: Versioned { package var taggedVersion: Int? { version } }
extension PersonBody: Versioned { package var taggedVersion: Int? { version } }
extension MemberBody: Versioned { package var taggedVersion: Int? { version } }
extension RosterImportBody: Versioned { package var taggedVersion: Int? { version } }
