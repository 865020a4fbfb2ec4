/**
 * Makes foreign text harmless on a terminal. Characters that move the cursor, colour, hide or
 * reorder text are shown instead. Nothing is dropped without a trace.
 */

// What may not be shown as it is, by code units and not by properties: in nearly all text there is
// none of it, and a plain class looks through a text five times as fast. A test holds it to SUSPECT.
const CONTROLS = "\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f";
const INVISIBLE = "\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f" +
  "\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb";
/** First UTF-16 units of surrogate pairs that may be invisible characters. */
const INVISIBLE_PAIRS = "\\ud82f\\ud834\\udb40-\\udb43";
const DOUBTFUL = new RegExp(`[${CONTROLS}${INVISIBLE}${INVISIBLE_PAIRS}]`);
/** Matches characters that only the exact patterns can judge, because their context decides. */
const INTRICATE = new RegExp(`[\\u200c\\u200d\\ufe00-\\ufe0f${INVISIBLE_PAIRS}]`);
const SIMPLE_MULTI_LINE = new RegExp(`\\r\\n|[${CONTROLS}${INVISIBLE}]`, "g");
const SIMPLE_SINGLE_LINE = new RegExp(`\\r\\n|[\\n\\t${CONTROLS}${INVISIBLE}]`, "g");

/** Matches a line that needs no change. This spares most lines the slow exact patterns. */
const PLAIN_LINE = /^[\x20-\x7e]*$/;

// Default_Ignorable_Code_Point holds what takes part in a text without being seen: zero-width
// characters, bidi controls, BOM, variation selectors, tag characters.
const SUSPECT = "(?![\\n\\t])" +
  "[\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\uFFF9-\\uFFFB]";

// What is ignorable and yet belongs to a script or an emoji: joined emoji, flags of regions,
// joiners inside words that need them, one variation selector after what it varies.
const ENTITLED = [
  String
    .raw`\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]{0,2}\u200D(?=\p{Extended_Pictographic})`,
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`,
  String.raw`(?<=(?!\p{Default_Ignorable_Code_Point})[\p{M}\p{Script=Arabic}])[\u200C\u200D]`,
  String.raw`(?<!\p{Default_Ignorable_Code_Point})[\uFE00-\uFE0F]`,
  String.raw`(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]`,
].join("|");

interface ExactPatterns {
  multi_line: RegExp;
  single_line: RegExp;
}

let exact: ExactPatterns | undefined;

/** Compiles the exact patterns on first use. Compiling them takes longer than a short command. */
function exactPatterns(): ExactPatterns {
  return exact ??= {
    multi_line: new RegExp(`(${ENTITLED})|\\r\\n|${SUSPECT}`, "gu"),
    single_line: new RegExp(`(${ENTITLED})|\\r\\n|[\\n\\t]|${SUSPECT}`, "gu"),
  };
}

/**
 * Makes control characters visible and harmless. DEL and C0 controls except tab and line feed
 * become control pictures (ESC is `␛`). Other invisible characters become their code, such as
 * `<U+202E>`. A lone surrogate becomes U+FFFD, CRLF a line feed. Takes linear time.
 */
export function sanitizeText(text: string): string {
  const well_formed = text.isWellFormed();
  if (well_formed && !DOUBTFUL.test(text)) return text;
  if (well_formed && !INTRICATE.test(text)) {
    return text.replace(
      SIMPLE_MULTI_LINE,
      (found) => found === "\r\n" ? "\n" : showCharacter(found),
    );
  }
  return text.replace(
    exactPatterns().multi_line,
    (found, entitled?: string) => entitled ?? (found === "\r\n" ? "\n" : showCharacter(found)),
  );
}

/**
 * Makes a text harmless like {@linkcode sanitizeText}, and also shows line feeds and tabs. So the
 * text takes one line. For titles, paths, ids and names.
 */
export function sanitizeLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text;
  if (text.isWellFormed() && !INTRICATE.test(text)) {
    return text.replace(
      SIMPLE_SINGLE_LINE,
      (found) => showCharacter(found === "\r\n" ? "\n" : found),
    );
  }
  return text.replace(
    exactPatterns().single_line,
    (found, entitled?: string) => entitled ?? showCharacter(found === "\r\n" ? "\n" : found),
  );
}

const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = "\u2421";
const REPLACEMENT = "\uFFFD";

function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === DELETE) return DELETE_PICTURE;
  if (code >= 0xd800 && code <= 0xdfff) return REPLACEMENT;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}

/**
 * Makes control characters and line ends of a question visible. `left_out` is the number of
 * characters that are missing at its end.
 */
export function questionText(text: string, left_out: number): string {
  const shown = sanitizeText(text).replaceAll("\n", "␊\n");
  return left_out === 0 ? shown : `${shown}\n… ${left_out} more characters are not shown`;
}
