/// The version that `qring version`, the metrics and the API's description give.
package let qringVersion = "0.1.0"
