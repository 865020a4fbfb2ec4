/** Parses JSON text. Returns undefined for invalid JSON and for a value that is no string. */
export function parsedJson(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    // SyntaxError: it is cut, or plain text.
    return undefined;
  }
}
