import Journal
import Meetings
import Testing

func aDevice(
    _ number: Int, of owner: Device.Owner, token: String = "token-of-this-phone",
    on platform: Device.Platform = .fcm, in language: String = "ko"
) -> Device {
    Device(
        id: id(number), owner: owner, platform: platform, token: token, language: language, createdAt: at(1))
}

private func aMessage(to device: Device, id number: Int) -> OutgoingMail {
    OutgoingMail(
        id: id(number), to: device.id.text, language: "ko", .push(.matched), notBefore: at(0),
        expiresAt: at(10), owner: OutgoingMail.Owner(device.id))
}

/// Inserts a session of a new meeting, and returns it.
private func insertSession(_ rows: any WritableRows) throws -> Session {
    let session = aSession(2, from: 90, to: 150, opens: 30)
    try rows.batch {
        try rows.insert(aMeeting(1))
        try rows.insert(session)
    }
    return session
}

extension RowsRule {
    static let devices: [RowsRule] = [
        RowsRule("a device is stored with all its fields, found by owner and session, and deleted") { rows in
            let session = try insertSession(rows)
            let guest = Device.Owner.attendee(id(71), in: session.id)
            let devices = [
                aDevice(1, of: .account(id(70))), aDevice(2, of: guest, on: .apns, in: "en"),
                aDevice(3, of: guest, token: "https://example.org/hook", on: .webhook),
            ]
            #expect(try !rows.hasDeviceOfAccount())
            try rows.batch { for device in devices { try rows.save(device) } }
            for device in devices { #expect(try rows.device(device.id) == device) }
            #expect(try rows.devices(of: OutgoingMail.Owner(id(70) as AccountID)) == [devices[0]])
            #expect(try rows.devices(of: guest.record) == [devices[1], devices[2]])
            #expect(try rows.hasDeviceOfAccount())
            #expect(try rows.devices(ofAttendeesIn: session.id, after: nil, limit: 1) == [devices[1]])
            #expect(try rows.devices(ofAttendeesIn: session.id, after: id(2), limit: 9) == [devices[2]])
            #expect(try rows.sessionsWithDevices(after: nil, limit: 9) == [session.id])
            #expect(try rows.sessionsWithDevices(after: session.id, limit: 9) == [])
            var changed = devices[1]
            changed.language = "ko"
            try rows.batch {
                try rows.save(changed)
                try rows.delete(id(3) as DeviceID)
            }
            #expect(try rows.devices(of: guest.record) == [changed])
            try rows.batch { try rows.delete(session.id) }
            #expect(try rows.device(id(2)) == nil)
            #expect(try rows.device(id(1)) == devices[0])
        },
        RowsRule("an owner's devices go with their messages, and a token goes from every owner") { rows in
            let owners = [Device.Owner.account(id(70)), .account(id(71)), .account(id(72))]
            try rows.batch {
                for (number, owner) in owners.enumerated() {
                    let device = aDevice(number, of: owner)
                    try rows.save(device)
                    try rows.insert(aMessage(to: device, id: 100 + number), at: at(0))
                }
                try rows.save(aDevice(9, of: owners[1], on: .apns))
                try rows.insert(aMessage(to: aDevice(9, of: owners[1]), id: 109), at: at(0))
                try rows.deleteDevices(of: owners[0].record)
            }
            #expect(try rows.mail(id(100)) == nil)
            #expect(try rows.mail(id(101)) != nil)
            #expect(try rows.device(id(0)) == nil)
            try rows.batch { try rows.deleteDevices(token: "token-of-this-phone", on: .fcm) }
            #expect(try rows.devices(of: owners[1].record).map(\.id) == [id(9)])
            #expect(try rows.devices(of: owners[2].record) == [])
            // The messages stay, because they count for the limit of the device.
            #expect(try rows.mail(id(101)) != nil)
        },
        RowsRule("the devices of a session's attendees are deleted in slices") { rows in
            let session = try insertSession(rows)
            try rows.batch {
                for number in 1...3 {
                    let device = aDevice(number, of: .attendee(id(70 + number), in: session.id))
                    try rows.save(device)
                    try rows.insert(aMessage(to: device, id: 100 + number), at: at(0))
                }
            }
            for expected in [2, 1, 0] {
                var deleted = 0
                try rows.batch { deleted = try rows.deleteDevices(ofAttendeesIn: session.id, limit: 2) }
                #expect(deleted == expected)
            }
            #expect(try rows.mail(id(103)) == nil)
        },
        RowsRule("push messages have a channel of their own") { rows in
            let device = aDevice(1, of: .account(id(70)))
            try rows.batch { try rows.insert(aMessage(to: device, id: 5), at: at(0)) }
            #expect(try rows.dueMails(on: .device, at: at(0), limit: 9) == [aMessage(to: device, id: 5)])
            #expect(try rows.dueMails(on: .mail, at: at(0), limit: 9) == [])
            #expect(try rows.dueMails(on: .phone, at: at(0), limit: 9) == [])
            #expect(try rows.nextMailMoment(on: .device) == at(0))
            #expect(try rows.nextMailMoment(on: .mail) == nil)
        },
        RowsRule("sessions are found by the moments of their alerts, until these are done") { rows in
            let session = try insertSession(rows)
            let kinds: [(Alert.Kind, Instant)] = [
                (.startForAttendees, session.startsAt), (.startForAccounts, session.startsAt),
                (.openingForAccounts, session.checkInOpensAt),
            ]
            for (kind, moment) in kinds {
                let found = [SessionToAlert(session.id, at: moment)]
                func due(_ range: Range<Instant>, after last: SessionToAlert? = nil) throws
                    -> [SessionToAlert]
                {
                    try rows.sessionsToAlert(kind, in: range, after: last, limit: 9)
                }
                #expect(try due(moment..<moment + millisecond) == found)
                #expect(try due(moment - millisecond..<moment) == [])
                #expect(try due(moment..<moment + millisecond, after: found[0]) == [])
                var alert = Alert(of: session.id, kind, at: moment, last: id(4))
                try rows.batch { try rows.save(alert) }
                #expect(try rows.alert(kind, of: session.id) == alert)
                #expect(try due(moment..<moment + millisecond) == found)
                alert.isDone = true
                try rows.batch { try rows.save(alert) }
                #expect(try due(moment..<moment + millisecond) == [])
                // An alert for another moment does not count.
                try rows.batch {
                    try rows.save(Alert(of: session.id, kind, at: moment + millisecond, isDone: true))
                }
                #expect(try due(moment..<moment + millisecond) == found)
            }
        },
    ]
}
