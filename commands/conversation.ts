/** `reprise conversation` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { Message } from "../lib/event/message.ts";
import type { MessageShape } from "../lib/projection/message_shape.ts";
import type { Context } from "./_context.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { openWhole } from "./_session.ts";

const SHAPES = [
  "plain",
  "openai",
  "anthropic",
  "ai-sdk",
] as const satisfies readonly MessageShape[];
const INCLUDE = ["include", "omit"] as const;

interface ConversationFlags {
  tools: "include" | "omit";
  reasoning: "include" | "omit";
  format: MessageShape;
  thread?: string;
}

/** Prints the conversation sent to the model. */
export function conversationCommand(context: Context): Command {
  return new Command("conversation")
    .summary("print the conversation sent to the model")
    .description(
      "Print the conversation that would be sent to the model, as JSON: an array of " +
        "messages, or with --format the request fragment {system?, messages} of a provider.",
    )
    .argument("<ref>", "which session, or the path of a log")
    .addOption(
      new Option("--tools <which>", "calls and results").choices(INCLUDE).default(
        "include" as const,
      ),
    )
    .addOption(
      new Option("--reasoning <which>", "the model's reasoning").choices(INCLUDE).default(
        "omit" as const,
      ),
    )
    .addOption(
      new Option("--format <shape>", "the messages' shape").choices(SHAPES).default(
        "plain" as const,
      ),
    )
    .option("--thread <id>", "another thread, such as a branch or a subagent; same as REF~ID")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise conversation 3f2a --tools omit\n  reprise conversation 3f2a --format openai | jq '.model = \"m1\"'",
    )
    .action((ref, flags) => conversation(context, ref, flags)) as unknown as Command;
}

async function conversation(
  context: Context,
  ref: string,
  flags: ConversationFlags,
): Promise<void> {
  const source = await openWhole(context, ref);
  const diagnostics = countDiagnostics();
  const { tools, reasoning, format } = flags;
  const options = {
    tools,
    reasoning,
    report: diagnostics.report,
    ...(flags.thread === undefined ? {} : { thread: flags.thread }),
  };
  if (format === "plain") await printBatches(context, source.messages(options));
  else await printMessages(context, (await source.conversation(options)).messages, format);
  await diagnostics.tell(context, source.ref);
}

/** Larger pieces are not written faster. */
const PIECE_CHARACTERS = 64 * 1024;

/** Prints messages as they come: nobody holds all of them. */
async function printBatches(
  context: Context,
  batches: AsyncIterable<readonly Message[]>,
): Promise<void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  const list = new PrintedList(context, "[", toJsonLine);
  for await (const batch of batches) for (const message of batch) list.add(message);
  list.end("]");
}

/** A list that is printed in pieces: the whole may be longer than a string can be. */
class PrintedList {
  readonly #context: Context;
  readonly #toJsonLine: (value: unknown) => string;
  #piece: string;
  #count = 0;

  constructor(context: Context, start: string, toJsonLine: (value: unknown) => string) {
    this.#context = context;
    this.#piece = start;
    this.#toJsonLine = toJsonLine;
  }

  add(value: unknown): void {
    const separator = this.#count++ === 0 ? "" : ",";
    this.#piece += `${separator}\n${this.#toJsonLine(value).slice(0, -1)}`;
    if (this.#piece.length < PIECE_CHARACTERS) return;
    this.#context.stdout.write(this.#piece);
    this.#piece = "";
  }

  end(end: string): void {
    this.#context.stdout.write(`${this.#piece}${this.#count === 0 ? "" : "\n"}${end}\n`);
  }
}

async function printMessages(
  context: Context,
  messages: readonly Message[],
  format: MessageShape,
): Promise<void> {
  const [{ toMessages }, { toJsonLine }] = await Promise.all([
    import("../lib/projection/message_shape.ts"),
    import("../lib/render/json_lines.ts"),
  ]);
  const shaped = toMessages(messages, format);
  const list: readonly unknown[] = Array.isArray(shaped) ? shaped : shaped.messages;
  const system = "system" in shaped ? `"system":${toJsonLine(shaped.system).trimEnd()},` : "";
  const printed = new PrintedList(
    context,
    Array.isArray(shaped) ? "[" : `{${system}"messages":[`,
    toJsonLine,
  );
  for (const message of list) printed.add(message);
  printed.end(Array.isArray(shaped) ? "]" : "]}");
}
