/// Every route, with who may use it: a file of `Routes` for each kind.
enum RouteTable {
    static let all: [Route] =
        operations + accounts + meetings + sessions + checkIns + feedback + pages + hostPage + corrections
        + members + roster + exports
        + forms
}
