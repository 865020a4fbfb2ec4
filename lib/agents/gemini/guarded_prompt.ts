/**
 * Guards prompts that Gemini CLI would not send. Version 0.61 leaves out messages of the user that
 * begin with `/`, `?` or one of its own marks. It leaves out those without a text too, such as an
 * image alone (packages/core/src/utils/sessionUtils.ts, `isIgnoredUserContent`). A zero-width space
 * before it is sent, and shows nothing.
 */
import { type GenAiPart, genAiParts, genAiText, isThought } from "../genai_content.ts";

const GUARD = "\u200b";

/** What is not sent, and all that would read as a guarded one. */
const NOT_SENT = /^\u200b*\s*(?:[/?]|<session_context>|<hook_context>|$)/;

/** Returns a prompt that is sent: itself, or with a guard before it. */
export function guardedPrompt(parts: readonly GenAiPart[]): readonly GenAiPart[] {
  if (!NOT_SENT.test(genAiText(parts))) return parts;
  const at = firstText(parts);
  if (at < 0) return [{ text: GUARD }, ...parts];
  return parts.with(at, { text: `${GUARD}${parts[at]?.text}` });
}

/** Returns the content of a prompt as it was before it was guarded. */
export function unguardedPrompt(content: unknown): unknown {
  const text = genAiText(content);
  if (!text.startsWith(GUARD) || !NOT_SENT.test(text.slice(GUARD.length))) return content;
  const parts = genAiParts(content);
  const at = firstText(parts);
  const first = String(parts[at]?.text).slice(GUARD.length);
  return first === "" ? parts.toSpliced(at, 1) : parts.with(at, { ...parts[at], text: first });
}

/** The place of the first part that has letters. */
function firstText(parts: readonly GenAiPart[]): number {
  return parts.findIndex((part) =>
    typeof part.text === "string" && part.text !== "" && !isThought(part)
  );
}
