/** `reprise acp` */
import { chosenModel, savingOf } from "./chat/start.ts";
import { defineCommand } from "./_command.ts";
import { CommandExit } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { agentsOf } from "./_scope.ts";
import { AGENT_FLAG } from "./_scope_flags.ts";
import { parseSize } from "./_values.ts";
import { contextStore } from "./_store.ts";
import { withSignals } from "./_until_signal.ts";
import { present } from "../lib/core/event/present.ts";

/** Default of `--replay-limit` in bytes. The editor gets only the end of a longer session. */
const REPLAY_LIMIT = 8e6;

export const acpCommand = defineCommand({
  description:
    "Let an editor list, show and continue the sessions of all agents. The editor starts this " +
    "command, and speaks the Agent Client Protocol with it over standard input and output. " +
    "The model that is set for reprise chat answers your prompts, and not the agent that wrote the " +
    "session. Your first prompt in a session of another agent imports that session.",
  flags: {
    ...AGENT_FLAG,
    "--model <name>": "the model (PROVIDER:NAME, as for reprise chat), or mock for an offline test",
    "--replay-limit <size>": {
      help: "how much of a long session to send to the editor, counted from the end",
      parse: parseSize,
      default: REPLAY_LIMIT,
      default_text: "8M",
    },
  },
  examples: ["reprise acp", "reprise acp --model ollama --agent claude"],
  run: async (context, flags) => {
    const { stdin, stdout, version, now } = context;
    const { agent, model, replayLimit: replay_limit } = flags;
    const chat = present({ session: true, tools: "include", model } as const);
    // An editor shows no failure of the first prompt as well as this.
    if (model !== undefined) await chosenModel(context, chat);
    const { save, note } = savingOf(context, chat);
    if (note !== undefined) await say(context, note);
    const agents = agentsOf(agent);
    const { serveEditor } = await import("../lib/frontends/acp/serve.ts");
    // Editors end their agents by a signal. It interrupts prompts, and closes every log.
    const { status } = await withSignals(["SIGINT", "SIGTERM", "SIGHUP"], async (signal) => {
      await serveEditor({
        ...{ version, now, save, replay_limit, signal, agents },
        library: contextLibrary(context),
        store: contextStore(context),
        chooseModel: () => chosenModel(context, chat),
        input: stdin(),
        send: (bytes) => stdout.sendBytes(bytes),
      });
    });
    if (status !== undefined) throw new CommandExit(status);
  },
});
