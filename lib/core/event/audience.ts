/**
 * Selects the parts of a content for its audience: the user's screen, or the model's messages.
 *
 * @module
 */
import type { Audience, Content, Output, OutputPart, Part, TextPart } from "./message.ts";
import type { EventKind, PayloadByKind } from "./payload.ts";
import { present } from "./present.ts";

/**
 * Returns the part of a content or an output that one audience gets, without the field `audience`.
 * Texts that continue each other become one text. If parts were left out or joined, a single text
 * becomes a string. A content without audiences and without continued texts is returned unchanged.
 *
 * @param content A content of a message, or the output of a call. It is not changed.
 * @param audience The receiver.
 * @returns The remaining content, or an empty list if nothing is for this audience.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { contentFor } from "@reprise/reprise/pipeline";
 * import type { Part } from "@reprise/reprise";
 *
 * const content: Part[] = [
 *   { type: "text", text: "<time>noon</time>", audience: "model" },
 *   { type: "text", text: "Hello" },
 * ];
 * assert.equal(contentFor(content, "user"), "Hello");
 * assert.equal(contentFor("Hello", "model"), "Hello");
 * ```
 */
export function contentFor(content: Content, audience: Audience): Content;
/** Returns the part of an output that one audience gets. */
export function contentFor(output: Output, audience: Audience): Output;
export function contentFor(content: Content | Output, audience: Audience): Content | Output {
  if (typeof content === "string") return content;
  const parts: readonly (Part | OutputPart)[] = content;
  if (!parts.some(isMarked)) return content;
  return oneText(partsFor(parts, audience) as Content);
}

/**
 * Converts a content of one text part to a string, unless the part has an audience or provider
 * data.
 */
export function oneText(content: Content): Content;
export function oneText(output: Output): Output;
export function oneText(content: Content | Output): Content | Output {
  if (typeof content === "string" || content.length !== 1) return content;
  const [only] = content;
  if (only?.type !== "text" || only.provider_data !== undefined) return content;
  return only.audience === undefined ? only.text : content;
}

export function toContent(parts: readonly Part[]): Content {
  return parts.length === 0 ? "" : oneText([...parts]);
}

export function toOutput(parts: readonly OutputPart[]): Output {
  return parts.length === 0 ? "" : oneText([...parts]);
}

function isMarked(part: Part | OutputPart): boolean {
  return part.audience !== undefined || (part.type === "text" && part.continues === true);
}

export function isFor(part: { audience?: Audience }, audience: Audience): boolean {
  return part.audience === undefined || part.audience === audience;
}

function partsFor(
  parts: readonly (Part | OutputPart)[],
  audience: Audience,
): (Part | OutputPart)[] {
  const result: (Part | OutputPart)[] = [];
  let open: TextPart | undefined;
  for (const { audience: whose, ...part } of parts) {
    if (part.type !== "text" || !part.continues) open = undefined;
    if (whose !== undefined && whose !== audience) continue;
    if (part.type !== "text") result.push(part);
    else if (open !== undefined) open.text += part.text;
    else {
      const { continues: _continues, name: _name, ...text } = part;
      open = text;
      result.push(text);
    }
  }
  return result;
}

/**
 * Returns an output as one text, for a place that holds text alone. Values become JSON; each image
 * and file becomes a line. Parts are joined by LF.
 *
 * @param output The output of a call.
 * @param audience Leaves out parts for the other audience. @default {nothing is left out}
 * @returns The text, which may be empty.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { outputText } from "@reprise/reprise/pipeline";
 *
 * assert.equal(outputText([{ type: "text", text: "a" }, { type: "json", value: { b: 1 } }]), 'a\n{"b":1}');
 * ```
 */
export function outputText(output: Output, audience?: Audience): string {
  const own = audience === undefined ? output : contentFor(output, audience);
  return typeof own === "string" ? own : own.map(outputPartText).join("\n");
}

function outputPartText(part: OutputPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "json") return JSON.stringify(part.value);
  const about = [part.media_type, part.path].filter((detail) => detail);
  return `[${part.type}: ${about.join(", ")}]`;
}

/**
 * Returns texts of which the user sees `shown` and the model gets `sent`. Common text is stored
 * once. Equal texts become one string. If one text contains the other, the common text becomes a
 * part of its own.
 *
 * @param shown The text for the user; empty if the user sees nothing.
 * @param sent The text for the model; empty if the model gets nothing.
 * @returns A string if both get the same text, else text parts.
 */
export function textFor(shown: string, sent: string): string | TextPart[] {
  if (shown === sent) return sent;
  const [whole, part, audience] = shown.length < sent.length
    ? [sent, shown, "model" as const]
    : [shown, sent, "user" as const];
  const at = whole.indexOf(part);
  if (part !== "" && at >= 0) {
    const around = [whole.slice(0, at), part, whole.slice(at + part.length)];
    const marks = [{ audience }, {}, { audience }];
    return around.flatMap((text, index): TextPart[] => {
      const continues = around.slice(0, index).some((before) => before !== "");
      if (text === "") return [];
      return [
        present(
          { type: "text", text, ...marks[index], continues: continues || undefined } as const,
        ),
      ];
    });
  }
  return [
    ...(shown === "" ? [] : [{ type: "text" as const, text: shown, audience: "user" as const }]),
    ...(sent === "" ? [] : [{ type: "text" as const, text: sent, audience: "model" as const }]),
  ];
}

/**
 * Returns a text that the user did not write, as parts for the model alone. The part with the text
 * `shown` gets `name`. If `sent` does not contain `shown`, all of `sent` gets `name`.
 */
export function untypedParts(name: string, shown: string, sent: string): TextPart[] {
  const audience = "model";
  const texts = textFor(shown, sent);
  if (typeof texts === "string" || texts.some((part) => part.audience === "user")) {
    return [{ type: "text", text: sent, name, audience }];
  }
  return texts.map((part) => part.audience === audience ? part : { ...part, name, audience });
}

/** Returns a content that the user did not write, as parts for the model alone. */
export function untypedContent(content: Content, name: string): Part[] {
  const parts: readonly Part[] = typeof content === "string"
    ? [{ type: "text", text: content }]
    : content;
  return parts.flatMap((part): Part[] =>
    part.type === "text"
      ? untypedParts(name, part.text, part.text)
      : [{ ...part, audience: "model" }]
  );
}

export function partFor(sent: Part, shown: Part | undefined): Part[] {
  if (shown === sent) return [sent];
  if (shown === undefined) return [{ ...sent, audience: "model" }];
  if (sent.type === "text" && shown.type === "text") {
    const texts = textFor(shown.text, sent.text);
    return typeof texts === "string" ? [sent] : texts;
  }
  return [{ ...shown, audience: "user" }, { ...sent, audience: "model" }];
}

/** Limits messages, reasoning and user commands to `audience`. Other payloads stay unchanged. */
export function addressed<Kind extends EventKind>(
  kind: Kind,
  payload: PayloadByKind[Kind],
  audience: Audience | undefined,
): PayloadByKind[Kind] {
  if (audience === undefined) return payload;
  // The part that declares a call has the call's audience. A command of the user has no such part.
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
