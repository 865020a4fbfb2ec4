/** `reprise acp` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { chosenModel, savingOf } from "./chat/start.ts";
import type { Context } from "./_context.ts";
import { CommandExit } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { agentsOf } from "./_scope.ts";
import { scopeOptions } from "./_scope_options.ts";
import { parseSize } from "./_size.ts";
import { contextStore } from "./_store.ts";
import { withSignals } from "./_until_signal.ts";

interface AcpFlags {
  agent?: string;
  model?: string;
  replayLimit: number;
}

/** Bytes of a session that is replayed whole. */
const REPLAY_LIMIT = 8e6;

/** Serves every session to an editor, over the Agent Client Protocol. */
export function acpCommand(context: Context): Command {
  const { agent } = scopeOptions();
  return new Command("acp")
    .summary("serve every session to an editor, over ACP")
    .description(
      "Serve the sessions of all agents to an editor over the Agent Client Protocol, on " +
        "standard input and output. The editor lists, shows and continues them. They continue " +
        "in Reprise's own chat; a session of another agent is imported at its first prompt.",
    )
    .addOption(agent)
    .option("--model <name>", "as of chat: provider:name, or mock")
    .addOption(
      new Option("--replay-limit <size>", "replay only so much of a long session's end")
        .argParser(parseSize).default(REPLAY_LIMIT, "8M"),
    )
    .addHelpText("after", "\nExamples:\n  reprise acp\n  reprise acp --model ollama --agent claude")
    .action(async (flags) => await serve(context, flags as AcpFlags)) as unknown as Command;
}

async function serve(context: Context, flags: AcpFlags): Promise<void> {
  const { stdin, stdout, version, now } = context;
  const { agent, model, replayLimit: replay_limit } = flags;
  const chat = {
    session: true,
    tools: "include",
    ...(model === undefined ? {} : { model }),
  } as const;
  const { save, note } = savingOf(context, chat);
  if (note !== undefined) await say(context, note);
  const agents = agentsOf(agent);
  const { serveEditor } = await import("../lib/acp/serve.ts");
  // Editors end their agents by a signal: what runs is interrupted then, and every log closed.
  const { status } = await withSignals(["SIGINT", "SIGTERM", "SIGHUP"], async (signal) => {
    await serveEditor({
      ...{ version, now, save, replay_limit, signal },
      library: contextLibrary(context),
      store: contextStore(context),
      chooseModel: () => chosenModel(context, chat),
      ...(agents === undefined ? {} : { agents }),
      input: stdin(),
      send: (bytes) => stdout.sendBytes(bytes),
    });
  });
  if (status !== undefined) throw new CommandExit(status);
}
