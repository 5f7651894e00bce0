package import Meetings
package import Phrases

/// The request that registers a device for push messages. A webhook's token is an `https` address.
package struct RegisterDeviceRequest: Readable, Sendable {
    package let token: String
    package let platform: Device.Platform
    /// The language of the messages; nil for the language of the request, or of the meeting.
    package let language: Language?

    package init(reading fields: Fields) {
        token = fields.text("token", required: true, Device.tokenLength) ?? ""
        platform = fields.choice("platform", of: Device.Platform.self, required: true) ?? .fcm
        language = fields.choice("language", of: Language.self)
        if Device.tokenLength.contains(token.count), !Device.isToken(token, of: platform) {
            fields.fail("token", platform == .webhook ? .notAWebAddress : .notText)
        }
    }
}

/// A registered device. No answer contains its token, because the token is a secret.
package struct DeviceBody: Codable, Hashable, Sendable {
    package let id: DeviceID
    package let platform: Device.Platform
    package let language: String
    package let createdAt: Instant

    package init(_ device: Device) {
        id = device.id
        platform = device.platform
        language = device.language
        createdAt = device.createdAt
    }
}
