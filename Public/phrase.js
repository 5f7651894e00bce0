// Fills in phrases by the same rules as `Phrase` in the Swift target `Phrases`.

/** Korean particles: the written pair, the form after a consonant and the form after a vowel. */
const particles = new Map([
  ["을(를)", ["을", "를"]],
  ["이(가)", ["이", "가"]],
  ["은(는)", ["은", "는"]],
  ["과(와)", ["과", "와"]],
  ["와(과)", ["과", "와"]],
  ["(으)로", ["으로", "로"]],
]);
const anyPair = [...particles.keys()].map((pair) => pair.replace(/[()]/g, "\\$&")).join("|");
/** `{name}` or `{count|answer|answers}`, and behind it perhaps a closing mark and a particle pair. */
const placeholder = new RegExp(`\\{(\\w+)(?:\\|([^|}]*)\\|([^|}]*))?\\}(["”’)]?)(${anyPair})?`, "g");

/**
 * Whether `language` has the singular for a number (CLDR, plural rules): for 1, and in French for each number
 * whose integer part is 0 or 1.
 */
const hasSingular = (language, number) => (language === "fr" ? /^[01](?!\d)/ : /^1$/).test(number);

/**
 * Returns `sentence` with its values: `{name}`; `{count|answer|answers}`, which is the first word if the
 * language has the singular for the value, else the second; and the Korean particle that fits the value, for
 * `{name}을(를)`. Placeholders without a value stay.
 */
export function fillIn(sentence, values, language = document.documentElement.lang) {
  return sentence.replace(placeholder, (whole, name, one, several, mark, pair = "") => {
    const value = values[name];
    if (value === undefined || value === null) return whole;
    if (one !== undefined) return (hasSingular(language, String(value)) ? one : several) + mark + pair;
    return `${value}${mark}${pair && particle(pair, String(value))}`;
  });
}

/**
 * Returns the particle of a pair that fits `value`, or the pair itself if the sound of the value is unknown.
 */
function particle(pair, value) {
  const sound = finalSound(value);
  if (!sound) return pair;
  const [closed, open] = particles.get(pair);
  // 로 follows ㄹ as it follows a vowel.
  return sound === "vowel" || (sound === "rieul" && open === "로") ? open : closed;
}

function finalSound(value) {
  const last = value.at(-1) ?? "";
  if (last >= "가" && last <= "힣") {
    // A syllable's code point is 0xAC00 + (initial × 21 + vowel) × 28 + final (Unicode §3.12).
    const final = (last.charCodeAt(0) - 0xac00) % 28;
    return final === 0 ? "vowel" : final === 8 ? "rieul" : "consonant";
  }
  // 일, 칠, 팔 · 영, 삼, 육 · 이, 사, 오, 구
  if (/[178]/.test(last)) return "rieul";
  if (/[036]/.test(last)) return "consonant";
  return /[2459]/.test(last) ? "vowel" : null;
}

/**
 * Returns a host's text in the reader's language, or the text without a language. The tags of `texts` have
 * small letters.
 */
export const textIn = (language, text, texts) =>
  texts?.[language.toLowerCase()] ?? texts?.[language.split("-")[0]] ?? text;
