import Meetings
import Wire

extension RouteTable {
    /// The routes for the devices that get push messages: of an account, or of the holder of a receipt.
    static let devices: [Route] = [
        Route(
            .get, "/api/v1/me/devices", .accountOrAttendee, does: "List the caller's devices",
            gives: .json(Page<DeviceBody>.self), DeviceHandlers.list),
        Route(
            .post, "/api/v1/me/devices", .accountOrAttendee,
            does: "Register a device for push messages", reading: RegisterDeviceRequest.self,
            gives: .jsonNewOrKnown(DeviceBody.self), refuses: [.sessionOver, .limitReached],
            keys: .ignored(.changesNothing), DeviceHandlers.register),
        Route(
            .delete, "/api/v1/me/devices/{id}", .accountOrAttendee, does: "Delete a device",
            gives: .noContent, DeviceHandlers.remove),
    ]
}
