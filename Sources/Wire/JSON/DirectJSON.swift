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
        if Value.self == Instant.self, let value = value as? Instant {
            instant(value)
        } else if Value.self == AttendeeBody.self, let value = value as? AttendeeBody {
            value.write(to: self)
        } else if Value.self == EventBody.self, let value = value as? EventBody {
            value.write(to: self)
        } else if Value.self == EventData.self, let value = value as? EventData {
            value.write(to: self)
        } else if Value.self == Attendance.self, let value = value as? Attendance {
            value.write(to: self)
        } else {
            return false
        }
        return true
    }

    /// Writes the value if it is a page of values that write themselves, and returns whether it is. No page
    /// is inside another value.
    func writesPage<Value>(_ value: Value) -> Bool {
        if Value.self == Page<AttendeeBody>.self, let page = value as? Page<AttendeeBody> {
            page.write(to: self)
        } else if Value.self == Page<EventBody>.self, let page = value as? Page<EventBody> {
            page.write(to: self)
        } else {
            return false
        }
        return true
    }

    /// Writes an object, whose members `body` writes.
    func object(_ body: () -> Void) {
        let depth = depth
        beginObject()
        body()
        end(downTo: depth)
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

    func member(_ name: StaticString, coded value: (some Encodable)?) {
        guard let value else { return }
        field(name)
        coded(value)
    }
}

extension Instant: DirectJSON {
    func write(to writer: JSONWriter) { writer.instant(self) }
}

extension ID: DirectJSON {
    func write(to writer: JSONWriter) { writer.id(self) }
}

extension Page where Item: DirectJSON {
    fileprivate func write(to writer: JSONWriter) {
        writer.object {
            writer.field("items")
            let depth = writer.depth
            writer.beginArray()
            for item in items {
                writer.separate()
                item.write(to: writer)
            }
            writer.end(downTo: depth)
            if let nextCursor {
                writer.member("nextCursor", nextCursor)
            } else {
                writer.field("nextCursor")
                writer.null()
            }
        }
    }
}

extension AttendeeBody: DirectJSON {
    func write(to writer: JSONWriter) {
        writer.object {
            writer.member("id", id)
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
            writer.member("totals", coded: totals)
        }
    }
}

extension Attendance: DirectJSON {
    func write(to writer: JSONWriter) {
        writer.object {
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
        }
    }
}

extension EventBody: DirectJSON {
    func write(to writer: JSONWriter) {
        writer.object {
            writer.member("sequence", sequence)
            writer.member("at", at)
            writer.member("kind", kind.rawValue)
            writer.member("attendeeId", attendeeId)
            writer.member("actor", actor)
            writer.member("data", data)
            writer.member("attendeeName", attendeeName)
            writer.member("intoName", intoName)
            writer.member("actorName", actorName)
            writer.member("note", note)
            writer.member("version", version)
            writer.member("undoable", undoable)
        }
    }
}

extension EventData: DirectJSON {
    func write(to writer: JSONWriter) {
        writer.object {
            writer.member("status", status?.rawValue)
            writer.member("before", before?.rawValue)
            writer.member("method", method?.rawValue)
            writer.member("walkIn", walkIn)
            writer.member("codeAge", codeAge)
            writer.member("grantAge", grantAge)
            writer.member("set", set)
            writer.member("fields", coded: fields)
            writer.member("recomputed", recomputed)
            writer.member("into", into)
            writer.member("undoes", undoes)
            writer.member("changes", coded: changes)
            writer.member("link", link)
            writer.member("question", question)
            writer.member("intoQuestion", intoQuestion)
        }
    }
}
