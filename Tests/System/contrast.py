"""The contrast of what a page shows, from its computed colours (WCAG 2.2, 1.4.3 and 1.4.11)."""
# Functions of colours, for the scripts of other tests, too.
CANVAS = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
// Any CSS colour as red, green, blue and alpha, each from 0 to 1.
const parts = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
};
const over = (top, bottom) => [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
const luminance = (colour) =>
  colour.slice(0, 3)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
const ratio = (one, other) => {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};
"""
FIND = CANVAS + """
const behind = (element) => {
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";
  if (!element) return parts(isDark ? "#000" : "#fff");
  const own = parts(getComputedStyle(element).backgroundColor);
  return own[3] === 1 ? own : over(own, behind(element.parentElement));
};
const isSeen = (element) =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".unseen");
const found = [];
for (const element of document.body.querySelectorAll("*")) {
  if (!isSeen(element)) continue;
  const style = getComputedStyle(element);
  const name = `${element.tagName.toLowerCase()}.${element.className}`;
  const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (hasText && !element.disabled) {
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const contrast = ratio(over(parts(style.color), behind(element)), behind(element));
    if (contrast < (isLarge ? 3 : 4.5)) found.push(`text of ${name}: ${contrast.toFixed(2)}`);
  }
  // A control needs a border or a surface that can be told from the page around it.
  const isField = element.matches("input:not([type=radio]):not([type=checkbox]), textarea, select");
  if (isField || element.matches("button, .choice, .star")) {
    const around = behind(element.parentElement);
    const line = over(parts(style.borderTopColor), around);
    const edge = parseFloat(style.borderTopWidth) ? ratio(line, around) : 1;
    const surface = ratio(behind(element), around);
    const isLink = style.textDecorationLine.includes("underline");
    if (!isLink && Math.max(edge, surface) < 3)
      found.push(`border of ${name}: ${edge.toFixed(2)}, surface: ${surface.toFixed(2)}`);
  }
}
return found;
"""


def violations(browser, scheme):
    """Returns the texts and borders of the open page that are too weak in a scheme, `light` or `dark`."""
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"}]})
    return browser.driver.execute_script(FIND)
