import HTTPServer
import Journal
import Meetings
import Phrases
import Secrets
import Wire

/// The handlers for the devices that get push messages.
enum DeviceHandlers {
    static func list(_ context: RequestContext) async throws -> HTTPResponse {
        let caller = caller(of: context)
        let devices = try await context.storage.read { rows throws(JournalError) in
            try rows.devices(of: try rows.owner(of: caller).record)
        }
        return .json(Page(items: devices.map { DeviceBody($0) }, nextCursor: nil))
    }

    static func register(_ context: RequestContext, _ request: RegisterDeviceRequest) async throws
        -> HTTPResponse
    {
        let caller = caller(of: context)
        if case .attendee(let receipt) = caller, request.language == nil {
            let record = try await context.storage.read { rows throws(JournalError) in
                try rows.attendee(holding: receipt).flatMap { attendee throws(JournalError) in
                    try rows.session(attendee.sessionID)
                }
            }
            if let record { context.useLanguage(of: record.meeting) }
        }
        let (device, isNew) = try await context.storage.perform(
            RegisterDevice(
                id: id(of: request, caller, context.services.keys), caller: caller,
                platform: request.platform, token: request.token,
                language: (request.language ?? context.language).rawValue))
        return .json(DeviceBody(device), status: isNew ? 201 : 200)
    }

    static func remove(_ context: RequestContext) async throws -> HTTPResponse {
        try await context.storage.perform(
            RemoveDevice(id: try context.id(Device.self, .device), caller: caller(of: context)))
        return .noContent
    }

    private static func caller(of context: RequestContext) -> RegisterDevice.Caller {
        if let receipt = context.caller.receipt { return .attendee(receipt) }
        return .account(context.accountID)
    }

    /// Returns the id of the owner's device. It is a keyed hash, so the id of a device that an owner deletes
    /// and registers again stays the same, and the limit of its messages too. Nobody can test a token by it.
    private static func id(
        of request: RegisterDeviceRequest, _ caller: RegisterDevice.Caller, _ keys: Keys
    ) -> DeviceID {
        let owner =
            switch caller {
            case .account(let id): id.bytes
            case .attendee(let receipt): receipt.attendeeID.bytes
            }
        let text = "push:\(request.platform.rawValue):\(request.token)"
        let hash = keys.device.mac(owner + Array(text.utf8), length: 16)
        return DeviceID(bytes: hash) ?? .makeTimeless()
    }
}
