// Draws a picture again and smaller before the host's page sends it, because each phone loads it. The new
// file does not say where, when or with which camera a photo was taken.

/** The most pixels of a side: about twice the width of the picture on the widest phone. */
const longestSide = 1600;
/** A picture without loss that needs more bytes becomes a JPEG. */
const mostLossless = 300_000;
const quality = 0.85;

/** Returns the picture to send. The server judges a file that the browser cannot read. */
export async function smaller(file) {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) return file;
  const share = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * share)));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  const draw = (type) => {
    // A JPEG has no transparency. Without this, transparent parts would be black.
    if (type === "image/jpeg") {
      pen.fillStyle = "white";
      pen.fillRect(0, 0, width, height);
    }
    pen.drawImage(bitmap, 0, 0, width, height);
    return new Promise((resolve) => canvas.toBlob(resolve, type, quality));
  };
  const lossless = file.type === "image/png" ? await draw("image/png") : null;
  const drawn = lossless?.size <= mostLossless ? lossless : await draw("image/jpeg");
  bitmap.close();
  if (!drawn) throw new Error("the browser cannot draw the picture");
  return drawn;
}
