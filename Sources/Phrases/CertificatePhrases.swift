extension Phrase {
    /// The texts of certificates, on paper and on their page.
    package enum Certificate {
        package static let title = Phrase("Certificate of attendance")
        package static let valid = Phrase("Valid: {server} has issued this certificate.")
        package static let revoked = Phrase(
            "Not valid: a host revoked this certificate on {day} (UTC).")
        package static let unknown = Phrase(
            "Genuine: {server} has signed this certificate, and did not revoke it. Its record was deleted "
                + "since, so a host could not revoke it later.")
        package static let notGenuine = Phrase(
            "Not genuine: {server} has not issued this certificate, or somebody has changed it. Scan the "
                + "code again, or ask the holder for the original.")
        package static let name = Phrase("Name", context: "certificate")
        package static let meeting = Phrase("Meeting", context: "certificate")
        package static let session = Phrase("Session", context: "certificate")
        package static let attendance = Phrase("Attendance", context: "certificate")
        package static let issued = Phrase("Issued on", context: "certificate")
        package static let issuer = Phrase("Issued by", context: "certificate")
        package static let number = Phrase("Number", context: "certificate")
        package static let ofSession = Phrase("{start} – {end} ({length})")
        package static let ofSeries = Phrase(
            "{attended} of {held} {held|session|sessions}, {from} – {until}")
        package static let minutes = Phrase("{minutes} min")
        package static let hours = Phrase("{hours} h")
        package static let hoursAndMinutes = Phrase("{hours} h {minutes} min")
        // On paper.
        package static let certifies = Phrase("This certifies that")
        package static let attended = Phrase("has attended", context: "certificate")
        package static let scan = Phrase("Scan the code to verify this certificate.")
        package static let issuedBy = Phrase("Issued on {day} by {server}")
        package static let numbered = Phrase("No. {number}")
        // In a mail.
        package static let mailSubject = Phrase("Your certificate: {name}")
        package static let mail = Phrase(
            "Your certificate of attendance for \"{name}\" is ready. The link contains the certificate: keep "
                + "this mail, or print the page.")
        package static let mailLink = Phrase("Open my certificate")
    }
}
