/** Finds the secrets in messages that are handed over, and takes them out where that is asked for. */
import type { Redactor } from "../redaction/redactor.ts";
import type { HandedCall, HandedMessage, HandedPart } from "../source/session_writer.ts";

/**
 * Returns a message without secrets. The redactor counts them; images and what a provider gave are not
 * looked into.
 */
export function withoutSecrets(redactor: Redactor, message: HandedMessage): HandedMessage {
  if (message.role === "user") {
    return { ...message, parts: partsWithout(redactor, message.parts, "prompt") };
  }
  return {
    ...message,
    text: redactor.text(message.text, "answer"),
    calls: message.calls.map((call) => callWithout(redactor, call)),
  };
}

function partsWithout(
  redactor: Redactor,
  parts: readonly HandedPart[],
  field: string,
): HandedPart[] {
  return parts.map((part) =>
    part.type === "text" ? { ...part, text: redactor.text(part.text, field) } : part
  );
}

function callWithout(redactor: Redactor, call: HandedCall): HandedCall {
  const { input, output, original } = call;
  const own = redactor.value(input, "input") as HandedCall["input"];
  const before = own === input ? original : { ...original, ...withoutInput(redactor, original) };
  return {
    ...call,
    input: own,
    output: partsWithout(redactor, output, "output"),
    original: before,
  };
}

/** The call as it was travels along: it must not tell what the other does not. */
function withoutInput(
  redactor: Redactor,
  { input }: HandedCall["original"],
): { input?: unknown } {
  return input === undefined ? {} : { input: redactor.value(input, "input") };
}
