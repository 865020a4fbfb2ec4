/** `reprise record` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { SessionError } from "../lib/event/session_error.ts";
import type { SessionClosedPayload } from "../lib/event/payload.ts";
import type { Line } from "../lib/log/line_splitter.ts";
import { LineStream } from "../lib/log/line_stream.ts";
import type { Session } from "../lib/session/session.ts";
import { openStore, type SessionStore } from "../lib/session/session_store.ts";
import { readConfig } from "../lib/workspace/config_file.ts";
import { gitBranch } from "../lib/workspace/git_branch.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { type Answer, answerLine } from "./_record_line.ts";
import { contextStore } from "./_source.ts";

interface RecordFlags {
  cwd?: string;
  resume?: string;
  title?: string;
  app?: string;
  durability?: "boundary" | "event" | "none";
}

const DURABILITIES = ["boundary", "event", "none"] as const;

const PROTOCOL = `
In, one a line:   {"kind", "payload", "turn_id"?, "time"?}
Out, in order, once it is on disk:
                  {"session_id", "seq", "state", "input_line"}
              or  {"error": {"code", "message"}, "input_line"}
A state is "synced", "written", or "held" until the first event that begins the session.
End of input closes the session as completed; SIGINT and SIGTERM as failed.

Example:
  echo '{"kind":"user_message","payload":{"content":"Hello"}}' | reprise record`;

/** Keeps a session from events on standard input. */
export function recordCommand(context: Context): Command {
  return new Command("record")
    .summary("keep a session from events on standard input")
    .description("Keep a session from events on standard input, whatever program writes them.")
    .option("--cwd <dir>", "the session's working directory (default: this one)")
    .option("--resume <ref>", "go on with a session instead of beginning one")
    .option("--title <text>", "the session's title")
    .option("--app <name@version>", "the program that keeps it")
    .addOption(
      new Option("--durability <when>", "when an event is acknowledged").choices(DURABILITIES),
    )
    .addHelpText("after", PROTOCOL)
    .action((flags) => record(context, flags)) as unknown as Command;
}

function recordingStore(context: Context, flags: RecordFlags): SessionStore {
  const { root } = contextStore(context);
  const config = readConfig(root);
  if (!config["session.enabled"]) {
    throw new SessionError(
      "invalid-config",
      "Cannot record: sessions are off; run: reprise config set session.enabled true",
    );
  }
  const durability = flags.durability ?? config["session.durability"];
  return openStore({ root, durability, now: context.now });
}

async function openSession(
  context: Context,
  flags: RecordFlags,
): Promise<Session> {
  const store = recordingStore(context, flags);
  if (flags.resume !== undefined) {
    const session = await store.resume(store.find(flags.resume, context.cwd).session_id);
    if (flags.title !== undefined) {
      await session.append({ kind: "session_renamed", payload: { title: flags.title } });
    }
    return session;
  }
  const cwd = flags.cwd ?? context.cwd;
  const branch = gitBranch(cwd);
  const [name, version] = flags.app?.split("@") ?? [];
  return store.create({
    cwd,
    ...(flags.title === undefined ? {} : { title: flags.title }),
    ...(branch === undefined ? {} : { git: { branch } }),
    ...(name ? { app: version === undefined ? { name } : { name, version } } : {}),
  });
}

async function record(context: Context, flags: RecordFlags): Promise<void> {
  const session = await openSession(context, flags);
  const recorder = new Recorder(context, session);
  const stop = stopOnSignals(recorder);
  try {
    await recorder.run();
  } finally {
    stop();
  }
  if (recorder.status !== STATUS.done) throw new CommandExit(recorder.status);
}

/** Ends the recording in order when the process is told to stop. */
function stopOnSignals(recorder: Recorder): () => void {
  const onInterrupt = (): void => recorder.stop(STATUS.cancelled);
  const onTerminate = (): void => recorder.stop(STATUS.terminated);
  // Without a listener, a file size limit kills the process before it can say so.
  const onTooLarge = (): void => {};
  Deno.addSignalListener("SIGINT", onInterrupt);
  if (Deno.build.os !== "windows") {
    Deno.addSignalListener("SIGTERM", onTerminate);
    Deno.addSignalListener("SIGXFSZ", onTooLarge);
  }
  return () => {
    Deno.removeSignalListener("SIGINT", onInterrupt);
    if (Deno.build.os === "windows") return;
    Deno.removeSignalListener("SIGTERM", onTerminate);
    Deno.removeSignalListener("SIGXFSZ", onTooLarge);
  };
}

/** Answers that may be waiting for the disk at a time. */
const MOST_PENDING = 256;

/** One recording: lines in, answers out, in order. */
class Recorder {
  status: number = STATUS.done;
  readonly #context: Context;
  readonly #session: Session;
  readonly #abort = new AbortController();
  #pending: Promise<void>[] = [];
  #answered: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(context: Context, session: Session) {
    this.#context = context;
    this.#session = session;
  }

  stop(status: number): void {
    this.status = status;
    this.#abort.abort();
  }

  async run(): Promise<void> {
    try {
      const lines = this.#context.stdin().pipeThrough(new LineStream(), {
        signal: this.#abort.signal,
      });
      for await (const batch of lines) {
        for (const line of batch.lines) await this.#take(line);
      }
    } catch (error) {
      if (!this.#abort.signal.aborted) throw error;
    } finally {
      await this.#finish();
    }
  }

  async #take(line: Line): Promise<void> {
    const answer = answerLine(this.#session, line);
    if (answer === undefined) return;
    const before = this.#answered;
    const printed = before.then(async () => this.#print(await answer));
    this.#answered = printed;
    // Told to whoever waits for it; here only so that it does not count as unhandled.
    printed.catch(() => {});
    this.#pending.push(printed);
    if (this.#pending.length < MOST_PENDING) return;
    await Promise.all(this.#pending);
    this.#pending = [];
  }

  #print(answer: Answer): void {
    if ("error" in answer) this.status ||= STATUS.failed;
    if (answer.ends) this.#ended = true;
    const { ends: _, ...told } = answer;
    this.#context.stdout.write(JSON.stringify(told) + "\n");
  }

  async #finish(): Promise<void> {
    try {
      await this.#answered;
    } finally {
      // The program's own words on how it ended stand.
      if (this.#ended) await this.#session.release();
      else await this.#session.close(this.#outcome());
    }
  }

  #outcome(): SessionClosedPayload {
    const stopped = this.status === STATUS.cancelled || this.status === STATUS.terminated;
    return stopped ? { status: "failed", exit_code: this.status } : { status: "completed" };
  }
}
