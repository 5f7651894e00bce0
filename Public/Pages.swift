/// The files beside this one, compiled in.
package enum PublicFiles {
    package static let pageCSS = PackageResources.page_css
    package static let pageJS = PackageResources.page_js
    package static let presentHTML = PackageResources.present_html
    package static let presentCSS = PackageResources.present_css
    package static let presentJS = PackageResources.present_js
}
