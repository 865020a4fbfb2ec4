/** `reprise chat` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { typedIfSystem } from "../lib/log/io_error.ts";
import { type ChatFlags, chosenModel, savingOf, startRef } from "./chat/start.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { parseCount } from "./_number.ts";

/** Talks with a model, and keeps the session. */
export function chatCommand(context: Context): Command {
  return new Command("chat")
    .summary("talk with a model; the session is kept")
    .description(
      "A small coding agent: what is said and done is kept as it happens. At a terminal it " +
        "asks for message after message; with a message in a pipe it answers. The model is " +
        "that of --model, of the setting chat.model, of OPENAI_API_KEY or OPENAI_BASE_URL, of " +
        "ANTHROPIC_API_KEY, or of an Ollama.",
    )
    .argument("[message...]", "what to say first")
    .option("--model <name>", "provider:name, such as anthropic:claude-sonnet-4-5; or mock")
    .addOption(new Option("--continue", "go on with this directory's latest session"))
    .addOption(
      new Option("--resume [ref]", "go on with a session, of any agent; asks which without REF")
        .conflicts("continue"),
    )
    .addOption(new Option("--no-session", "keep nothing"))
    .addOption(
      new Option("--tools <which>", "what the model gets of the calls before a resume").choices(
        ["include", "omit"] as const,
      ).default("include" as const),
    )
    .option("--window <tokens>", "tokens that the model's window holds", parseCount)
    .option("--thinking <tokens>", "tokens that an Anthropic model may think", parseCount)
    .option("--yes", "allow every call without asking")
    .option("--json", "without a terminal: every item a line")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise chat --model mock          try it offline\n" +
        "  reprise chat --continue\n  reprise chat --resume codex:01a1   go on here with a session of Codex\n" +
        '  git diff | reprise chat "Review this change:"',
    )
    .action((words, flags) => chat(context, words, flags)) as unknown as Command;
}

async function chat(
  context: Context,
  words: readonly string[],
  flags: ChatFlags,
): Promise<void> {
  if (!flags.session && (flags.continue || flags.resume !== undefined)) {
    throw new UsageError("--no-session keeps nothing, so there is nothing to go on with");
  }
  const at_terminal = context.stdin_terminal && context.stdout.terminal && !flags.json;
  if (flags.resume === true && !at_terminal) {
    throw new UsageError("--resume needs a REF where there is no terminal to ask at");
  }
  const { save, note } = savingOf(context, flags);
  const resume = await startRef(context, flags);
  const model = await chosenModel(context, flags);
  const settings = { context, model, save, past_calls: flags.tools };
  const start = {
    settings,
    yes: flags.yes ?? false,
    ...(note === undefined ? {} : { note }),
  };
  if (at_terminal) {
    const { runChatLoop } = await import("./chat/loop.ts");
    return await runChatLoop(context, {
      ...start,
      ...(flags.resume === true ? { resume: { choose: true } } : {}),
      ...(resume === undefined ? {} : { resume }),
      ...(words.length === 0 ? {} : { message: words.join(" ") }),
    });
  }
  const { runChatOnce } = await import("./chat/once.ts");
  await runChatOnce(context, {
    ...start,
    json: flags.json ?? false,
    message: await pipedMessage(context, words),
    ...(resume === undefined ? {} : { resume }),
  });
}

/** The message of the arguments, and below it what is piped in. */
async function pipedMessage(context: Context, words: readonly string[]): Promise<string> {
  const said = words.join(" ");
  const piped = context.stdin_terminal ? "" : (await readInput(context)).trim();
  return [said, piped].filter((text) => text !== "").join("\n\n");
}

async function readInput(context: Context): Promise<string> {
  try {
    return await new Response(context.stdin()).text();
  } catch (error) {
    throw typedIfSystem(error, "read", "standard input");
  }
}
