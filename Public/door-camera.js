// Reads QR codes for the door and the kiosk: by the browser's own detector, or else by a decoder that is
// loaded when it is first needed. A camera needs HTTPS, or a server on this device.

let decoder = null;

/** Whether the page may ask for a camera at all. */
export const mayUseCamera = () => Boolean(window.isSecureContext && navigator.mediaDevices?.getUserMedia);

/** Returns the browser's detector of QR codes, or null if it has none. */
async function ownDetector() {
  try {
    const formats = (await window.BarcodeDetector?.getSupportedFormats()) ?? [];
    return formats.includes("qr_code") ? new window.BarcodeDetector({ formats: ["qr_code"] }) : null;
  } catch {
    return null;
  }
}

/** Loads the decoder once. It is a script without a module, which names one object. */
function loadDecoder() {
  decoder ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.body.dataset.decoder;
    script.onload = () => resolve(window.__Html5QrcodeLibrary__);
    script.onerror = () => {
      decoder = null;
      reject(new Error("not loaded"));
    };
    document.head.append(script);
  });
  return decoder;
}

/** Returns a reader for pictures of the decoder, which needs an element of the page. */
async function ownDecoder() {
  const { Html5Qrcode, Html5QrcodeSupportedFormats: formats } = await loadDecoder();
  const box = document.createElement("div");
  box.id = "decoder";
  box.hidden = true;
  document.getElementById("decoder")?.remove();
  document.body.append(box);
  return new Html5Qrcode("decoder", { formatsToSupport: [formats.QR_CODE], verbose: false });
}

/** Returns the text of the QR code in a photograph, or null if there is none. */
export async function readPhoto(file) {
  const detector = await ownDetector();
  if (detector) {
    const codes = await detector.detect(await createImageBitmap(file));
    return codes[0]?.rawValue ?? null;
  }
  const reader = await ownDecoder();
  try {
    return await reader.scanFile(file, false);
  } catch {
    return null;
  }
}

/**
 * Shows the camera's picture in `box`, and calls `found` with each text that it reads. It calls again with
 * the same text only if the text was out of the picture for three seconds. Returns a function that ends it.
 * Calls `ended` if the device ends it. Throws if the camera or the decoder cannot be used; the camera is off
 * then. `facing` is "user" for a camera that looks at the person before the screen.
 */
export async function watchCamera(box, found, ended, facing = "environment") {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: facing, width: { ideal: 1280 } },
  });
  let isRunning = true;
  const stop = () => {
    isRunning = false;
    for (const track of stream.getTracks()) track.stop();
    box.replaceChildren();
  };
  // A track that the page stops itself reports no end.
  for (const track of stream.getTracks())
    track.addEventListener("ended", () => {
      stop();
      ended();
    });
  const seen = { text: "", at: 0 };
  async function next(read) {
    const text = await read().catch(() => null);
    if (!isRunning) return;
    const isNew = text !== seen.text || Date.now() - seen.at > 3000;
    if (text) Object.assign(seen, { text, at: Date.now() });
    if (text && isNew) found(text);
    setTimeout(next, 120, read);
  }
  try {
    const video = document.createElement("video");
    video.muted = true;
    video.setAttribute("playsinline", "");
    video.srcObject = stream;
    box.replaceChildren(video);
    await video.play();
    const read = await frames(video);
    if (!isRunning) throw new Error("ended");
    next(read);
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

/** Returns a function that reads the present picture of a video. */
async function frames(video) {
  const detector = await ownDetector();
  if (detector)
    return async () => {
      try {
        return (await detector.detect(video))[0]?.rawValue ?? null;
      } catch {
        return null;
      }
    };
  const reader = await ownDecoder();
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  // At 1000 points, the module of a code that fills a quarter of the picture has four. The decoder misses
  // some codes at one size, even in a still picture, and reads them at another one.
  const widths = [1000, 640, 820];
  return async () => {
    const width = widths.shift();
    widths.push(width);
    const scale = Math.min(1, width / (video.videoWidth || width));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!canvas.width) return null;
    context.drawImage(video, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    try {
      return await reader.scanFile(new File([blob], "frame.png", { type: "image/png" }), false);
    } catch {
      return null;
    }
  };
}
