/** `reprise chat` */
import { typedIfSystem } from "../lib/core/log/io_error.ts";
import { CHAT_FLAGS, type ChatFlags, chosenModel, savingOf, startRef } from "./chat/start.ts";
import { autoPrune } from "./_auto_prune.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextStore } from "./_store.ts";
import { present } from "../lib/core/event/present.ts";
import type { LoopStart } from "../lib/frontends/screens/chat/chat_loop.ts";

export const chatCommand = defineCommand({
  description:
    "Chat with a small coding agent that saves the session as it happens. At a terminal, the " +
    "agent asks for messages. With a message from a pipe, the agent answers once. To choose " +
    "the model, use --model or the setting chat.model. Otherwise the environment decides: " +
    "OPENAI_API_KEY or OPENAI_BASE_URL, then ANTHROPIC_API_KEY, then a local Ollama.",
  arguments: [["[message...]", "the first message"]],
  flags: CHAT_FLAGS,
  examples: [
    "reprise chat --model mock          try it offline",
    "reprise chat --continue",
    "reprise chat --resume codex:01a1   continue a Codex session here",
    'git diff | reprise chat "Review this change:"',
  ],
  run: chat,
});

async function chat(
  context: Context,
  words: readonly string[],
  flags: ChatFlags,
): Promise<void> {
  if (!flags.session && (flags.continue || flags.resume !== undefined)) {
    throw new UsageError("with --no-session nothing is saved, so no session can be continued");
  }
  const at_terminal = context.stdin_terminal && context.stdout.terminal && !flags.json;
  if (flags.resume === true && !at_terminal) {
    throw new UsageError("--resume needs a REF if there is no terminal");
  }
  const { save, note } = savingOf(context, flags);
  if (save) await autoPrune(context, contextStore(context));
  const resume = await startRef(context, flags);
  const model = await chosenModel(context, flags);
  const settings = { context, model, save, past_calls: flags.tools };
  const yes = flags.yes ?? false;
  if (at_terminal) {
    const { chatAtTerminal } = await import("./chat/at_terminal.ts");
    const start: LoopStart = present({
      ...{ yes, note, message: words.length === 0 ? undefined : words.join(" ") },
      resume: resume ?? (flags.resume === true ? { choose: true as const } : undefined),
    });
    return await chatAtTerminal(context, settings, start);
  }
  const { runChatOnce } = await import("./chat/once.ts");
  await runChatOnce(context, {
    ...{ yes, note, settings, resume, json: flags.json ?? false },
    message: await pipedMessage(context, words),
  });
}

async function pipedMessage(context: Context, words: readonly string[]): Promise<string> {
  const said = words.join(" ");
  const piped = context.stdin_terminal ? "" : await readPipedMessage(context);
  return [said, piped].filter((text) => text !== "").join("\n\n");
}

/** Maximum bytes of a message. No model's context window holds more. */
const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Returns the text of standard input, trimmed.
 *
 * @throws {UsageError} if the input has more than {@linkcode MOST_BYTES} bytes
 * @throws {SessionError} `io` if the system refuses to read the input
 */
async function readPipedMessage(context: Context): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  try {
    for await (const chunk of context.stdin()) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw tooLong();
      pieces.push(decoder.decode(chunk, { stream: true }));
    }
  } catch (error) {
    throw typedIfSystem(error, "read", "standard input");
  }
  pieces.push(decoder.decode());
  return pieces.join("").trim();
}

function tooLong(): UsageError {
  const message = `standard input has more than ${MOST_BYTES} bytes, the limit of a message: ` +
    "pipe less, or name the file in the message";
  return new UsageError(message);
}
