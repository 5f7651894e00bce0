import Meetings

/// A value that pages, answers and frames repeat. It writes itself, with the bytes that `Codable` writes and
/// for a fraction of the cost: `Codable` looks up generic types for each optional member.
/// `DirectJSONTests` compares the two.
protocol DirectJSON {
    func write(to writer: JSONWriter)
}

extension JSONWriter {
    /// Writes the value if it is of a type that writes itself, and returns whether it is.
    func writesDirectly<Value>(_ value: Value) -> Bool {
        // A comparison of types costs less than a cast, which often fails here. A generic function for one
        // type would look up more types.
        if Value.self == Instant.self {
            instant(value as! Instant)
        } else if Value.self == AttendeeBody.self {
            (value as! AttendeeBody).write(to: self)
        } else if Value.self == EventBody.self {
            (value as! EventBody).write(to: self)
        } else if Value.self == EventData.self {
            (value as! EventData).write(to: self)
        } else if Value.self == Attendance.self {
            (value as! Attendance).write(to: self)
        } else {
            return false
        }
        return true
    }

    func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        field(name)
        string(value)
    }

    func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        field(name)
        integer(value)
    }

    func member(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        field(name)
        bool(value)
    }

    func member(_ name: StaticString, _ value: (some DirectJSON)?) {
        guard let value else { return }
        field(name)
        value.write(to: self)
    }
}

extension Instant: DirectJSON {
    func write(to writer: JSONWriter) { writer.instant(self) }
}

extension AttendeeBody: DirectJSON {
    func write(to writer: JSONWriter) {
        let depth = writer.depth
        writer.beginObject()
        writer.member("id", id.text)
        writer.member("name", name)
        writer.member("email", email)
        writer.member("number", number)
        writer.member("status", status.rawValue)
        writer.member("walkIn", walkIn)
        writer.member("firstTime", firstTime)
        writer.member("checkedInAt", checkedInAt)
        writer.member("method", method?.rawValue)
        writer.member("leftAt", leftAt)
        writer.member("presentMinutes", presentMinutes)
        writer.member("partial", partial)
        writer.member("note", note)
        writer.member("typedName", typedName)
        writer.member("version", version)
        writer.member("consentNumber", consentNumber)
        if let totals {
            writer.field("totals")
            writer.coded(totals)
        }
        writer.end(downTo: depth)
    }
}

extension Attendance: DirectJSON {
    func write(to writer: JSONWriter) {
        let depth = writer.depth
        writer.beginObject()
        writer.member("planned", planned)
        writer.member("awaited", awaited)
        writer.member("present", present)
        writer.member("late", late)
        writer.member("absent", absent)
        writer.member("excused", excused)
        writer.member("checkedIn", checkedIn)
        writer.member("walkIns", walkIns)
        writer.member("unnamed", unnamed)
        writer.member("inside", inside)
        writer.member("left", left)
        writer.end(downTo: depth)
    }
}

extension EventBody: DirectJSON {
    func write(to writer: JSONWriter) {
        let depth = writer.depth
        writer.beginObject()
        writer.member("sequence", sequence)
        writer.member("at", at)
        writer.member("kind", kind.rawValue)
        writer.member("attendeeId", attendeeId?.text)
        writer.member("actor", actor)
        writer.member("data", data)
        writer.member("attendeeName", attendeeName)
        writer.member("intoName", intoName)
        writer.member("actorName", actorName)
        writer.member("note", note)
        writer.member("version", version)
        writer.member("undoable", undoable)
        writer.end(downTo: depth)
    }
}

extension EventData: DirectJSON {
    func write(to writer: JSONWriter) {
        let depth = writer.depth
        writer.beginObject()
        writer.member("status", status?.rawValue)
        writer.member("before", before?.rawValue)
        writer.member("method", method?.rawValue)
        writer.member("walkIn", walkIn)
        writer.member("codeAge", codeAge)
        writer.member("grantAge", grantAge)
        writer.member("set", set)
        if let fields {
            writer.field("fields")
            writer.coded(fields)
        }
        writer.member("recomputed", recomputed)
        writer.member("into", into?.text)
        writer.member("undoes", undoes)
        if let changes {
            writer.field("changes")
            writer.coded(changes)
        }
        writer.member("link", link?.text)
        writer.member("question", question?.text)
        writer.member("intoQuestion", intoQuestion?.text)
        writer.end(downTo: depth)
    }
}
