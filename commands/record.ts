/** `reprise record` */
import { resolve } from "node:path";
import { SessionError } from "../lib/core/event/session_error.ts";
import { onSignals, outliveFileSizeLimit } from "../lib/core/platform/signals.ts";
import type { Session } from "../lib/core/store/session.ts";
import { openLocalStore } from "../lib/core/store/open_store.ts";
import type { LocalStore } from "../lib/core/store/local_store.ts";
import { readConfig } from "../lib/core/workspace/config_file.ts";
import { gitBranch } from "../lib/core/workspace/git_file.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import { autoPrune } from "./_auto_prune.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { say } from "./_message.ts";
import { LineRecorder } from "./record/recorder.ts";
import { findInStore } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { present } from "../lib/core/event/present.ts";

const DURABILITIES = ["boundary", "event", "none"] as const;

const PROTOCOL = `
Input, one event per line:
                  {"kind", "payload", "turn_id"?, "time"?}
Output, one line per event, in input order, once the event is saved to disk:
                  {"session_id", "seq", "state", "input_line"}
              or  {"error": {"code", "message"}, "input_line"}
The state is "synced" (on the disk), "written" (passed to the operating system,
but not synced), or "held" (not saved yet: the session's first message saves
it). A line over 64 MiB is rejected. A line over 1 GiB ends the recording. The
end of input ends the session as completed. SIGINT or SIGTERM ends the session
as failed.

Write each response as one event, with its texts and tool calls. For each call,
write a start event when the call begins to run, and an end event when it ends:
  {"kind":"user_message","payload":{"content":"What is in a.ts?"}}
  {"kind":"assistant_message","payload":{"content":[
    {"type":"text","text":"Let me look."},
    {"type":"tool_call","call_id":"c1","name":"read","input":{"path":"a.ts"}}]}}
  {"kind":"tool_start","payload":{"call_id":"c1"}}
  {"kind":"tool_end","payload":
    {"call_id":"c1","name":"read","status":"ok","output":"let a = 1;"}}
  {"kind":"assistant_message","payload":{"content":"It defines a."}}
Write each event on one line. (In this example, two events take several lines,
to fit the page.) An event that makes no sense is not recorded, such as the end
of a tool call that never began. The answer to it has the code "invalid-event",
and says what to do. All other events are recorded.

Examples:
  my-agent | reprise record --app my-agent@1.2
  echo '{"kind":"user_message","payload":{"content":"Hello"}}' | reprise record`;

const RECORD_FLAGS = {
  "--cwd <dir>": "the session's working directory (default: the current directory)",
  "--resume <ref>": {
    help: "continue this session instead of starting a new one",
    conflicts: ["cwd", "app"],
  },
  "--title <text>": "the session's title",
  "--app <name@version>": "name and version of the program that writes the session",
  "--durability <when>": {
    help:
      "when to force events to the disk: after each message and tool result (boundary), after " +
      "each event (event), or never (none)",
    choices: DURABILITIES,
  },
} as const satisfies Flags;

type RecordFlags = FlagsOf<typeof RECORD_FLAGS>;

export const recordCommand = defineCommand({
  description:
    "Record a session of any program. The program writes events to this command's standard input.",
  flags: RECORD_FLAGS,
  notes: PROTOCOL,
  run: async (context, flags) => {
    const session = await openSession(context, flags);
    const { toJsonLine } = await import("../lib/text/render/json_lines.ts");
    const recorder = new LineRecorder(context, session, toJsonLine);
    if (context.stdin_terminal) {
      await say(context, "Reading events, one per line; ^D ends the session");
    }
    const stop = stopOnSignals(recorder);
    try {
      await recorder.run();
    } finally {
      stop();
    }
    if (recorder.status !== STATUS.done) throw new CommandExit(recorder.status);
  },
});

function recordingStore(context: Context, flags: RecordFlags): LocalStore {
  const { root } = contextStore(context);
  const config = readConfig(root);
  if (!config["session.enabled"]) {
    throw new SessionError(
      "invalid-config",
      "Cannot record: saving sessions is switched off; run: reprise config set " +
        "session.enabled true",
    );
  }
  const durability = flags.durability ?? config["session.durability"];
  return openLocalStore({ root, durability, now: context.now });
}

async function openSession(
  context: Context,
  flags: RecordFlags,
): Promise<Session> {
  const store = recordingStore(context, flags);
  await autoPrune(context, store);
  if (flags.resume !== undefined) {
    const session = await store.resume((await findInStore(context, flags.resume)).session_id);
    if (flags.title !== undefined) {
      await session.append({ kind: "session_renamed", payload: { title: flags.title } });
    }
    return session;
  }
  const cwd = resolve(context.cwd, flags.cwd ?? ".");
  const branch = gitBranch(cwd);
  return store.create(present({
    cwd,
    title: flags.title || undefined,
    git: branch === undefined ? undefined : { branch },
    app: flags.app ? parseApp(flags.app) : undefined,
  }));
}

/** Parses `name@version` or `name`. The name may begin with `@`, such as `@scope/agent`. */
function parseApp(text: string): { name: string; version?: string } {
  const at = text.lastIndexOf("@");
  return at <= 0 ? { name: text } : { name: text.slice(0, at), version: text.slice(at + 1) };
}

function stopOnSignals(recorder: LineRecorder): () => void {
  outliveFileSizeLimit();
  return onSignals({
    SIGINT: () => recorder.stop(STATUS.cancelled),
    SIGTERM: () => recorder.stop(STATUS.terminated),
  });
}
