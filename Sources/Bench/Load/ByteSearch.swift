internal import Glibc

/// A search for bytes with `memmem`. Swift's Glibc module does not contain `memmem`, because it is a GNU
/// extension.
enum ByteSearch {
    static func first(_ needle: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
        let length = needle.utf8CodeUnitCount
        guard let start = bytes.baseAddress, bytes.count >= length else { return nil }
        let last = bytes.count - length
        var place = 0
        while place <= last, let found = memchr(start + place, CInt(needle.utf8Start[0]), last - place + 1) {
            if memcmp(found, needle.utf8Start, length) == 0 { return UnsafeRawPointer(found) - start }
            place = UnsafeRawPointer(found) - start + 1
        }
        return nil
    }
}
