/** Parses a text of JSON; undefined for any other value. */
export function parsedJson(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    // SyntaxError: it is cut, or plain text.
    return undefined;
  }
}
