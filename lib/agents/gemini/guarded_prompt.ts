/**
 * Guards prompts that Gemini CLI would not send. Version 0.61 leaves out messages that begin with a
 * slash, a question mark or a context tag (packages/core/src/utils/sessionUtils.ts). If a
 * zero-width space precedes the text, the client sends it. The space is invisible.
 */
import { type GenAiPart, genAiParts, isThought } from "../engine/genai/genai_content.ts";

const GUARD = "\u200b";

/** The `displayContent` that shows nothing. Without it, calls and results appear in brackets. */
export const NOTHING_SHOWN = " ";

const NOT_SENT = /^\s*(?:[/?]|<session_context>|<hook_context>)/;
/** Matches texts to guard: those that the client would not send, or that look guarded already. */
const GUARDED = /^\u200b*\s*(?:[/?]|<session_context>|<hook_context>)/;

export function isUnsent(content: unknown): boolean {
  return NOT_SENT.test(leadingText(content));
}

/** Returns a prompt's parts. Adds a zero-width space if Gemini CLI would not send the text. */
export function guardedPrompt(parts: readonly GenAiPart[]): readonly GenAiPart[] {
  const [first, ...rest] = parts;
  if (first === undefined || !GUARDED.test(leadingText(parts))) return parts;
  return [{ ...first, text: `${GUARD}${first.text}` }, ...rest];
}

export function unguardedPrompt(content: unknown): unknown {
  const [first, ...rest] = genAiParts(content);
  const text = typeof first?.text === "string" ? first.text : "";
  if (first === undefined || !text.startsWith(GUARD)) return content;
  if (!GUARDED.test(leadingText(content).slice(GUARD.length))) return content;
  const own = text.slice(GUARD.length);
  return own === "" ? rest : [{ ...first, text: own }, ...rest];
}

/**
 * Returns the text before the first part of another kind. The client shows other kinds as names in
 * brackets.
 */
function leadingText(content: unknown): string {
  let text = "";
  for (const part of genAiParts(content)) {
    if (typeof part.text !== "string" || isThought(part)) break;
    text += part.text;
  }
  return text;
}
