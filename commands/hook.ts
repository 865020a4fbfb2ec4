/** `reprise hook` */
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { isCacheOff } from "./_library.ts";

/** Maximum number of characters of a hook's input. Agents give fewer. */
const MOST_INPUT = 1024 * 1024;
/** Milliseconds that the agent may wait for an answer. After that, the hook prints nothing. */
const DEADLINE_MS = { start: 2000, compact: 5000 } as const;
/** Milliseconds to save the cache after the deadline, so that the next start is faster. */
const SAVING_MS = 300;

type Moment = keyof typeof DEADLINE_MS;

export const hookCommand = defineCommand({
  description:
    "When an agent starts or compacts its context, tell it about earlier work that it may need. " +
    "Agents run these commands as hooks. To install the hooks: reprise setup. To switch them " +
    "off, set REPRISE_RECALL=off. On any error, the commands print nothing. The commands quote " +
    "only sessions that your agents wrote on this machine. Session files in the project's own " +
    "folder are never quoted. Secrets are replaced.",
  examples: [
    "reprise setup",
    `echo '{"cwd": "/home/you/project"}' | reprise hook start`,
  ],
  commands: {
    start: hookTable("start", "print how the last session of this project ended", "1,200"),
    compact: hookTable(
      "compact",
      "print messages of this session that a compaction dropped",
      "3,000",
    ),
  },
});

function hookTable(
  moment: Moment,
  summary: string,
  most: string,
): ReturnType<typeof defineCommand> {
  return defineCommand({
    summary,
    description:
      `${summary[0]?.toUpperCase()}${summary.slice(1)}, in at most ${most} characters.\n` +
      "The agent passes its session as JSON on standard input, and gets JSON back.",
    flags: {},
    examples: [
      `reprise hook ${moment} < input.json`,
      `echo '{"session_id": "3f2a", "cwd": "/src/app"}' | reprise hook ${moment}`,
    ],
    run: (context) => answer(context, moment),
  });
}

/** Prints a hook's answer, or nothing after an error or the deadline, so that the agent starts. */
async function answer(context: Context, moment: Moment): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ends = new AbortController();
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      ends.abort();
      timer = setTimeout(resolve, SAVING_MS, undefined);
    }, DEADLINE_MS[moment]);
  });
  try {
    const text = await Promise.race([answerText(context, moment, ends.signal), deadline]);
    if (text !== undefined && !ends.signal.aborted) context.stdout.write(text);
  } catch {
    // The sessions cannot be read, or the agent has gone: it is told nothing.
  } finally {
    clearTimeout(timer);
  }
}

async function answerText(
  context: Context,
  moment: Moment,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [{ hookOutput, parseHookInput }, { recall }] = await Promise.all([
    import("../lib/frontends/recall/hook_input.ts"),
    import("../lib/frontends/recall/recall.ts"),
  ]);
  const input = parseHookInput(await readInput(context));
  if (input === undefined) return undefined;
  const { variable, cwd, now, version } = context;
  const cache = isCacheOff(context) ? undefined : { version };
  const text = await recall(moment, input, { variable, cwd, now, signal, cache });
  return text === undefined ? undefined : hookOutput(input, text);
}

async function readInput({ stdin, stdin_terminal }: Context): Promise<string> {
  if (stdin_terminal) return "{}";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const chunk of stdin()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MOST_INPUT) return "";
  }
  return text + decoder.decode();
}
