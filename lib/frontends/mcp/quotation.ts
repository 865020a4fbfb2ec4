/** Prepares texts of sessions for a model's provider. Removes secrets and marks quoted lines. */
import { Redactor } from "../../text/redaction/redactor.ts";
import { sanitizeLine, sanitizeText } from "../../text/render/sanitize.ts";

export interface Quotation {
  value<Value>(value: Value): Value;
  line(text: string): string;
}

const ELLIPSIS = "…";

/**
 * Returns the functions that prepare values and texts of sessions for a provider.
 *
 * @param redacts True to replace secrets. Each value is redacted alone, so equal values always give
 * equal texts. The pages of an answer are cut from this text, so the text must stay equal.
 */
export function quotation(redacts: boolean): Quotation {
  return {
    value: (value) => redacts ? withoutSecrets(value) : value,
    line: (text) => sanitizeLine(redacts ? withoutSecrets(text) : text),
  };
}

function withoutSecrets<Value>(value: Value): Value {
  const redactor = new Redactor();
  redactor.observeValue(value);
  return redactor.value(value, "") as Value;
}

/** Returns a snippet without cut words at its ends, because a partial secret is not recognized. */
export function wholeWords(snippet: string): string {
  const start = snippet.startsWith(ELLIPSIS) ? snippet.search(/\s/) : 0;
  const end = snippet.endsWith(ELLIPSIS) ? snippet.search(/\s\S*$/) : snippet.length;
  if (start < 0 || end <= start) return ELLIPSIS;
  const inner = snippet.slice(start, end);
  return `${start > 0 ? ELLIPSIS : ""}${inner}${end < snippet.length ? ` ${ELLIPSIS}` : ""}`;
}

/** Indents all lines but the first, so that quoted text never begins a line. */
export function indented(text: string): string {
  return sanitizeText(text).trimEnd().replaceAll(/\n(?!\n)/g, "\n  ");
}
