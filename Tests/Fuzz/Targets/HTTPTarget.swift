import Client
import HTTPGrammar
import Phrases

@testable import HTTPServer
@testable import Server

/// Parses the input as each part of a request that libmicrohttpd does not parse: targets, forms, cookies
/// and languages. Also parses the input as the address of a server.
func fuzzHTTP(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let decoded = PercentCoding.decode(text), !bytes.contains(0) {
        must(!decoded.utf8.contains(0), "no NUL comes out of an escape")
    }
    if let form = Form(bytes) { must(form.names.count <= 500, "a form has a bound") }
    let value = HTTPGrammar.text(ofValue: bytes)
    _ = Cookies.value(of: Cookies.signIn, in: [value])
    _ = ContentType.isJSON(value)
    _ = ContentType.isForm(value)
    _ = AccessCheck.bearer(in: value)
    _ = RequestedLanguages(query: text, cookie: value, acceptLanguage: value).language()
    if let address = PublicAddress(url: text) {
        must(PublicAddress(url: address.url)?.url == address.url, "an address is its own normal form")
    }
    _ = ServerAddress(text)
    _ = RequestTarget(bytes)
}
