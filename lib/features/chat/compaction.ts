/** Shortens a conversation: the model's summary and the last turn replace it. */
import type { PayloadByKind } from "../../../mod.ts";
import { outputText } from "../../core/pipeline/mod.ts";
import { contentText, type Message, type Part } from "../../../mod.ts";
import { present } from "../../core/event/present.ts";
import type { CompletionOptions, ModelClient } from "./models/model.ts";
import { ModelError } from "./models/model_error.ts";
import { messageTokens, textTokens } from "../../core/projection/token_estimate.ts";

interface CompactionRequest {
  model: ModelClient;
  messages: readonly Message[];
  trigger: "manual" | "auto";
  guidance?: string | undefined;
  tokens_before: number;
}

/** Maximum share of the window that the last turn may take to be kept unsummarized. */
const KEPT_SHARE = 0.2;
/** Maximum share of the window that the conversation takes in the request for a summary. */
const TOLD_SHARE = 0.6;
const CHARACTERS_PER_TOKEN = 4;
/** Maximum number of characters of one message or tool result in the request for a summary. */
const MAX_TOLD = 6000;

const SYSTEM =
  `You summarize the conversation of a user with a coding agent, so that the agent can continue with \
the summary alone. Say, briefly and exactly: what the user wants and wanted, in their own words \
where these matter; what was decided and why; which files were read, made or changed and how they \
stand; which commands were run and what came of them; what is not done yet, and the next step. Name \
paths, names and values exactly. Answer with the summary alone.`;

const HEAD = "Summary of the conversation so far:";

/**
 * Asks the model for a summary; undefined if there is nothing to summarize.
 *
 * @throws {ModelError}
 */
export async function makeCompaction(
  request: CompactionRequest,
  options: CompletionOptions,
): Promise<PayloadByKind["compaction_applied"] | undefined> {
  const { model, messages, guidance, trigger, tokens_before } = request;
  const { head, kept } = split(messages, model.context_limit * KEPT_SHARE);
  if (head.length === 0) return undefined;
  const wish = guidance === undefined
    ? ""
    : `\n\nThe user asks for this in the summary: ${guidance}`;
  const told = tell(head, model.context_limit * TOLD_SHARE * CHARACTERS_PER_TOKEN);
  const content = `<conversation>\n${told}\n</conversation>${wish}`;
  const messagesToAsk: Message[] = [{ role: "user", content }];
  const answer = await model.complete(
    { system: SYSTEM, messages: messagesToAsk, tools: [] },
    options,
  );
  const summary = answer.text.trim();
  if (summary === "") {
    throw new ModelError("invalid-response", "Cannot compact: the model returned an empty summary");
  }
  return toPayload(summary, kept, { trigger, guidance, tokens_before });
}

function toPayload(
  summary: string,
  kept: Message[],
  { trigger, guidance, tokens_before }: Pick<
    CompactionRequest,
    "trigger" | "guidance" | "tokens_before"
  >,
): PayloadByKind["compaction_applied"] {
  const messages: Message[] = [{ role: "user", content: `${HEAD}\n\n${summary}` }, ...kept];
  const tokens_after = messageTokens(messages);
  return present({
    status: "Conversation compacted",
    messages,
    summary,
    tokens_before,
    tokens_after,
    trigger,
    guidance,
  });
}

/**
 * Splits off the last turn, if it is small and not the only one. Removes reasoning from that turn,
 * because a provider's signature of reasoning is valid only after the original messages.
 */
function split(
  messages: readonly Message[],
  most_tokens: number,
): { head: readonly Message[]; kept: Message[] } {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const kept = messages.slice(Math.max(at, 0)).flatMap(withoutReasoning);
  if (at <= 0 || messageTokens(kept) > most_tokens) return { head: messages, kept: [] };
  return { head: messages.slice(0, at), kept };
}

function withoutReasoning(message: Message): Message[] {
  const { role, content } = message;
  if (typeof content === "string") return [message];
  const parts = content.filter(({ type }) => type !== "reasoning");
  return parts.length === 0 ? [] : [{ role, content: parts }];
}

/** Returns the newest messages within the limit as text. The last message is always included. */
function tell(messages: readonly Message[], most_characters: number): string {
  const told: string[] = [];
  let room = most_characters;
  for (const message of messages.toReversed()) {
    const text = tellMessage(message);
    room -= text.length;
    if (room < 0 && told.length > 0) {
      told.push("[earlier messages are left out]");
      break;
    }
    told.push(text);
  }
  return told.reverse().join("\n\n");
}

function tellMessage({ role, content }: Message): string {
  const parts = typeof content === "string" ? [] : content;
  const said = shortened(contentText(content));
  return [...(said === "" ? [] : [`[${role}] ${said}`]), ...parts.flatMap(tellPart)].join("\n");
}

function tellPart(part: Part): string[] {
  if (part.type === "tool_call") {
    return [`[call of ${part.name}] ${shortened(JSON.stringify(part.input) ?? "")}`];
  }
  if (part.type === "tool_result") {
    return [`[result of ${part.name}: ${part.status}] ${shortened(outputText(part.output))}`];
  }
  return part.type === "image" || part.type === "file" ? [`[${part.type} ${part.path ?? ""}]`] : [];
}

function shortened(text: string): string {
  if (text.length <= MAX_TOLD) return text;
  const half = MAX_TOLD / 2;
  return `${text.slice(0, half)}\n[... ${text.length - MAX_TOLD} characters ...]\n${
    text.slice(-half)
  }`;
}

export function fixedTokens(system: string, tools: readonly unknown[]): number {
  return textTokens(system) + textTokens(JSON.stringify(tools));
}
