/** Marks the audience of parts, for readers of other agents' sessions. */
import { isFor, textFor } from "./audience.ts";
import type { Audience, Content, Part } from "./message.ts";
import type { EventKind, PayloadByKind } from "./payload.ts";

/** Returns the parts of which the model gets `sent` and the user sees `shown`. */
export function partFor(sent: Part, shown: Part | undefined): Part[] {
  if (shown === sent) return [sent];
  if (shown === undefined) return [{ ...sent, audience: "model" }];
  if (sent.type === "text" && shown.type === "text") {
    const texts = textFor(shown.text, sent.text);
    return typeof texts === "string" ? [sent] : texts;
  }
  return [{ ...shown, audience: "user" }, { ...sent, audience: "model" }];
}

/**
 * Returns a payload with all that it says for one audience; other kinds stay as they are. A part
 * that is for the other one alone is for nobody then.
 */
export function addressed<Kind extends EventKind>(
  kind: Kind,
  payload: PayloadByKind[Kind],
  audience: Audience | undefined,
): PayloadByKind[Kind] {
  if (audience === undefined) return payload;
  // The part that declares a call says whose it is, and a command of the user has none.
  const own = kind === "bash_start" && "origin" in payload;
  if (own || kind === "reasoning_message") return { audience, ...payload };
  const said = kind === "user_message" || kind === "assistant_message" ||
    kind === "assistant_interrupted";
  if (!said) return payload;
  const { content } = payload as { content: Content };
  if (content === "") return payload;
  const parts: Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const left = parts.filter((part) => isFor(part, audience));
  return { ...payload, content: left.map((part) => ({ ...part, audience })) };
}
