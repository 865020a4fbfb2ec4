/** `reprise conversation` */
import { Buffer } from "node:buffer";
import type { Message } from "../lib/core/event/message.ts";
import { present } from "../lib/core/event/present.ts";
import type { MessageShape, RequestShape } from "../lib/text/shape/message_shape.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { PrintedList } from "./_printed_list.ts";
import { openWhole } from "./_session.ts";

const SHAPES = [
  "plain",
  "openai",
  "anthropic",
  "ai-sdk",
  "openai-responses",
  "gemini",
  "bedrock",
  "ai-sdk-ui",
  "openai-agents",
] as const satisfies readonly MessageShape[];
const WITH_BYTES: readonly MessageShape[] = ["bedrock", "ai-sdk", "ai-sdk-ui", "openai-agents"];
const INCLUDE = ["include", "omit"] as const;

export const conversationCommand = defineCommand({
  description:
    "Print the conversation that the model would receive, as a JSON array of messages. With " +
    "--format, print a JSON object {system?, messages} in the form that a provider or an SDK " +
    "expects.",
  arguments: [["<ref>", "the session's id, or the path of its log"]],
  flags: {
    "--tools <which>": {
      help: "include or omit tool calls and results",
      choices: INCLUDE,
      default: "include",
    },
    "--reasoning <which>": {
      help: "include or omit the model's reasoning",
      choices: INCLUDE,
      default: "omit",
    },
    "--format <shape>": { help: "the message format", choices: SHAPES, default: "plain" },
    "--thread <id>": "use this branch or subagent of the session (same as REF~ID)",
    ...IDENTITY_FLAG,
  },
  examples: [
    "reprise conversation 3f2a --tools omit",
    "reprise conversation 3f2a --format openai | jq '.model = \"m1\"'",
  ],
  run: async (context, ref, flags) => {
    const source = await openWhole(context, ref, { identity: flags.identity });
    const diagnostics = countDiagnostics();
    const { tools, reasoning, format } = flags;
    const options = present({ tools, reasoning, thread: flags.thread });
    const { report } = diagnostics;
    const batches = source.messages({ ...options, report });
    if (format === "plain") await printPlain(context, batches);
    else await printShaped(context, format, { batches, readAgain: () => source.messages(options) });
    await diagnostics.tell(context, source.ref);
  },
});

type Batches = AsyncIterable<readonly Message[]>;

async function printPlain(context: Context, batches: Batches): Promise<void> {
  const { toJsonText } = await import("../lib/text/render/json_lines.ts");
  const list = new PrintedList(context, toJsonText);
  list.begin("[");
  for await (const batch of batches) for (const message of batch) list.add(message);
  list.end("]");
}

/** Prints messages in a provider's format. Delays them until the system instructions are known. */
async function printShaped(
  context: Context,
  format: RequestShape,
  { batches, readAgain }: { batches: Batches; readAgain: () => Batches },
): Promise<void> {
  const [{ MessageShaper }, { toJsonText }] = await Promise.all([
    import("../lib/text/shape/message_shape.ts"),
    import("../lib/text/render/json_lines.ts"),
  ]);
  const json = (value: unknown): string =>
    toJsonText(WITH_BYTES.includes(format) ? withBase64(value) : value);
  const list = new PrintedList(context, json);
  const shaper = new MessageShaper(format);
  const head = (system: { name: string; value: unknown } | undefined): string => {
    const own = system === undefined ? "" : `"${system.name}":${json(system.value)},`;
    return `{${own}"${shaper.list}":[`;
  };
  if (!shaper.system_apart) list.begin(head(undefined));
  for await (const batch of batches) {
    for (const message of shaper.add(batch)) list.add(message);
    if (list.held_characters > MOST_HELD_CHARACTERS) {
      // Instructions stand first but may come last, so all is read once more to find them.
      const again = new MessageShaper(format);
      for await (const messages of readAgain()) again.add(messages);
      list.begin(head(again.system));
    }
  }
  for (const message of shaper.end()) list.add(message);
  list.begin(head(shaper.system));
  list.end("]}");
}

/** Replaces byte arrays in a value with base64, which the AWS command line and SDKs accept. */
function withBase64(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (Array.isArray(value)) return value.map(withBase64);
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withBase64(member)]),
  );
}

/** Maximum characters of messages in memory. Nearly all conversations have fewer. */
const MOST_HELD_CHARACTERS = 4 * 1024 * 1024;
