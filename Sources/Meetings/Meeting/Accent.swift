/// The colour of a meeting on the pages of attendees, in the hall and in the host's lists. The style sheet
/// `look.css` has a class for each, in which every text keeps its contrast.
package enum Accent: String, Sendable, Codable, CaseIterable {
    case red, orange, amber, olive, green, teal, cyan, blue, indigo, violet, magenta, rose
}
