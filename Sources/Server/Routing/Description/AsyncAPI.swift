import HTTPServer
import Meetings
import Wire

/// The description of the rooms (AsyncAPI 3.0). It is generated from the types that the server sends.
extension Description {
    static func asyncAPI(_ context: RequestContext) async throws -> HTTPResponse { document(asyncAPIText) }

    /// The body of `GET /asyncapi.json`.
    package static let asyncAPIText: [UInt8] = WireJSON.bytes(Document())

    private struct Document: Encodable, Sendable {
        let asyncapi = "3.0.0"
        let info = Information(
            title: "QRing rooms", version: ProductVersion.text,
            description:
                "One websocket at /rooms with the subprotocol qring.v1; each text frame is one JSON object.")
        let channels = OrderedMembers([("rooms", Channel())])
        let operations = OrderedMembers([
            ("say", Operation(action: "receive", messages: Message.fromClients)),
            ("tell", Operation(action: "send", messages: Message.fromServer)),
        ])
        let components = Components()
    }

    private struct Channel: Encodable, Sendable {
        let address = "/rooms"
        let messages = OrderedMembers(
            (Message.fromClients + Message.fromServer).map {
                ($0.name, Reference("#/components/messages/\($0.name)"))
            })
    }

    private struct Operation: Encodable, Sendable {
        let action: String
        let channel = Reference("#/channels/rooms")
        let messages: [Reference]

        init(action: String, messages: [Message]) {
            self.action = action
            self.messages = messages.map { Reference("#/channels/rooms/messages/\($0.name)") }
        }
    }

    private struct Components: Encodable, Sendable {
        let messages = OrderedMembers((Message.fromClients + Message.fromServer).map { ($0.name, $0) })
        let schemas = OrderedMembers<Schema>([("Question", Schema.question)])
    }

    private struct Reference: Encodable, Sendable {
        let target: String

        init(_ target: String) { self.target = target }

        private enum CodingKeys: String, CodingKey { case target = "$ref" }
    }

    private struct Message: Encodable, Sendable {
        let name: String
        let payload: Schema

        private static let text = Schema.string(min: nil, max: nil, format: nil, pattern: nil)
        private static let number = Schema.integer(min: nil, max: nil)

        private static func object(_ name: String, _ fields: [(String, Schema, Bool)]) -> Message {
            Message(
                name: name,
                payload: .object(fields.map { Schema.Field(name: $0.0, isRequired: $0.2, schema: $0.1) }))
        }

        static let fromClients: [Message] = [
            object("authorize", [("authorize", text, true)]),
            object(
                "join",
                [
                    ("join", text, true), ("id", number, false),
                    (
                        "since",
                        .object([
                            Schema.Field(name: "epoch", isRequired: true, schema: text),
                            Schema.Field(name: "sequence", isRequired: true, schema: number),
                        ]), false
                    ),
                ]),
            object("leave", [("leave", text, true), ("id", number, false)]),
            object("ping", [("ping", number, true)]),
        ]

        static let fromServer: [Message] = [
            Message(name: "authorized", payload: SchemaRecorder.schema(of: Authorized.self)),
            Message(name: "joined", payload: SchemaRecorder.schema(of: Joined.self)),
            Message(name: "news", payload: SchemaRecorder.schema(of: RoomFrame.self)),
            Message(name: "home", payload: SchemaRecorder.schema(of: HomeFrame.self)),
            Message(name: "left", payload: SchemaRecorder.schema(of: Left.self)),
            Message(name: "pong", payload: SchemaRecorder.schema(of: Pong.self)),
            Message(name: "error", payload: SchemaRecorder.schema(of: RoomError.self)),
        ]
    }
}
