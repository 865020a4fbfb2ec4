/**
 * Parses the start of a JSON document. Its first bytes tell the kind of file, whatever the order of
 * its keys.
 */

/** Where a text can be cut so that it is whole once its brackets are closed. */
interface Cut {
  at: number;
  /** The brackets that are open there, to be closed in this order. */
  closers: string;
}

/** The value that a text holds as far as it goes: undefined where it is no JSON from the start on. */
export function parseJsonPrefix(text: string): unknown {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const { at, closers } = lastCut(text);
  return at === 0 ? undefined : parsed(text.slice(0, at) + closers);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // SyntaxError: it is cut, or no JSON.
    return undefined;
  }
}

/** A string, which may be cut, or a mark between values. */
const STEP = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|[{}[\],]/g;

function lastCut(text: string): Cut {
  let closers = "";
  let cut: Cut = { at: 0, closers };
  for (const { 0: token, index } of text.matchAll(STEP)) {
    if (token === "{") closers = `}${closers}`;
    else if (token === "[") closers = `]${closers}`;
    else if (token === "}" || token === "]") closers = closers.slice(1);
    else if (token !== ",") continue;
    // Before a comma, and behind a bracket, all that was begun is whole.
    cut = { at: token === "," ? index : index + 1, closers };
  }
  return cut;
}
