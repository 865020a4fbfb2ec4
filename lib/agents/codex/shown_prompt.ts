/**
 * Extracts what a person sees of a prompt. Editors put what they know of the open files before it,
 * under headings, and the request last (codex-rs/protocol, `USER_MESSAGE_BEGIN`).
 * `strip_user_message_prefix` cuts the same for Codex's own titles. What a review found comes as a
 * prompt too: it was shown as a review.
 */
const REQUEST = "## My request for Codex:";
/** Preambles begin with a heading: `# Context from my IDE setup:`, `# Files mentioned by the user:`. */
const PREAMBLE = /^\s*# \S/;
const REVIEW = /^\s*<user_action>[\s\S]*<\/user_action>\s*$/;

/** Returns the part of a prompt's text that its author wrote; empty where that is none of it. */
export function shownPrompt(text: string): string {
  if (REVIEW.test(text)) return "";
  const start = PREAMBLE.test(text) ? text.indexOf(`\n${REQUEST}`) : -1;
  const request = start < 0 ? "" : text.slice(start + 1 + REQUEST.length).trim();
  return request === "" ? text : request;
}
