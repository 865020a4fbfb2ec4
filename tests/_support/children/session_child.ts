/**
 * A program that keeps a session by a script, in a process of its own, and says what became of each
 * step. Run with a JSON script as its argument; one JSON answer a line.
 */
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import type { Durability } from "../../../lib/core/store/session_parts.ts";
import type { Session } from "../../../lib/core/store/session.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";

/**
 * An event to append, several at once, an act, or a limit on the size of files: bytes that the log
 * may still grow by.
 */
export type Step =
  | { append: NewEvent }
  | { together: NewEvent[] }
  | { room: number | "unlimited" }
  | "sync"
  | "finish"
  | "release";

/** What the program is to do. */
export interface Script {
  root: string;
  /** Goes on with this session. @default {begins one} */
  resume?: string;
  /** Id of the session that is begun. */
  id?: string;
  durability?: Durability;
  steps: Step[];
}

/** What became of a step. */
export interface StepAnswer {
  seq?: number;
  state?: string;
  error?: { code: string; message: string; seq?: number; written?: boolean };
  degraded: boolean;
}

function failed(error: unknown): StepAnswer["error"] {
  if (!(error instanceof SessionError)) return { code: "untyped", message: String(error) };
  const { code, message, data } = error;
  return {
    code,
    message,
    ...(data.seq === undefined ? {} : { seq: data.seq }),
    ...(data.written === undefined ? {} : { written: data.written }),
  };
}

async function answer(session: Session, act: () => Promise<object | void>): Promise<StepAnswer> {
  try {
    return { ...await act(), degraded: session.degraded };
  } catch (error) {
    return { error: failed(error), degraded: session.degraded } as StepAnswer;
  }
}

async function limitFiles({ path }: Session, room: number | "unlimited"): Promise<StepAnswer> {
  const limit = room === "unlimited" ? room : Deno.statSync(path).size + room;
  const args = ["--pid", String(Deno.pid), `--fsize=${limit}:`];
  const { success } = await new Deno.Command("prlimit", { args }).output();
  return { state: success ? "limited" : "failed", degraded: false };
}

function ignore(): void {}

async function take(session: Session, step: Step): Promise<StepAnswer[]> {
  if (typeof step === "string") return [await answer(session, () => session[step]())];
  if ("room" in step) return [await limitFiles(session, step.room)];
  const events = "append" in step ? [step.append] : step.together;
  return await Promise.all(events.map((event) => answer(session, () => session.append(event))));
}

async function run({ root, resume, id, durability, steps }: Script): Promise<void> {
  const store = openStore({
    root,
    ...(durability === undefined ? {} : { durability }),
    ...(id === undefined ? {} : { newId: () => id }),
    now: () => new Date("2026-11-21T20:21:53.123Z"),
  });
  // Without a listener, a limit on the size of files kills the process.
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGXFSZ", ignore);
  const session = resume === undefined ? store.create({ cwd: root }) : await store.resume(resume);
  for (const step of steps) {
    for (const one of await take(session, step)) {
      Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(one) + "\n"));
    }
  }
  if (Deno.build.os !== "windows") Deno.removeSignalListener("SIGXFSZ", ignore);
}

if (import.meta.main) await run(JSON.parse(Deno.args[0] ?? "{}"));
