/**
 * A program that imports and keeps a session of events that it makes, in a process of its own. Run with
 * a JSON script as its argument; says what was written, and the most memory that it took.
 */
import { decodeEvent } from "../../../lib/core/event/decode.ts";
import type { LogEvent } from "../../../lib/core/event/envelope.ts";
import { EventDigest } from "../../../lib/core/store/import/source_state.ts";
import { copySource } from "../../../lib/core/store/import/source_copy.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";

/** What the program is to do. */
export interface ImportScript {
  root: string;
  /** Id that the session gets. */
  id: string;
  /** Prompts that the source has. */
  prompts: number;
  /** File to keep beside the log. */
  file: string;
}

/** What the program prints. */
export interface ImportPeak {
  bytes: number;
  peak_mib: number;
}

/** Time at which the source was begun. */
export const CREATED = "2026-11-21T20:21:53.123Z";

async function* talk({ root, prompts }: ImportScript): AsyncGenerator<readonly LogEvent[]> {
  const started = { session_id: "s", created_at: CREATED, cwd: root };
  yield read({ seq: 1, kind: "session_started", payload: started });
  const content = "Hello ".repeat(2000);
  for (let seq = 2; seq <= prompts + 1; seq++) {
    yield read({ seq, kind: "user_message", time: CREATED, payload: { content } });
    await Promise.resolve();
  }
}

function read(value: unknown): LogEvent[] {
  const event = decodeEvent(value);
  return event === undefined ? [] : [event];
}

/** Imports and keeps the talk; gives the bytes of its log. */
export async function importTalk(script: ImportScript): Promise<number> {
  const { root, id, file } = script;
  const digest = new EventDigest();
  const { bytes } = await openLocalStore({ root, newId: () => id }).import({
    ...{ agent: "pi", id: "p1", path: file, digest, events: talk(script) },
    async attach(directory): Promise<void> {
      const plan = { agent: "pi", id: "p1", files: [file], digest, now: new Date(CREATED) };
      await copySource(directory, plan);
    },
  });
  return bytes;
}

if (import.meta.main) {
  const bytes = await importTalk(JSON.parse(Deno.args[0] ?? ""));
  const [, kib] = Deno.readTextFileSync("/proc/self/status").match(/VmHWM:\s+(\d+) kB/) ?? [];
  const peak: ImportPeak = { bytes, peak_mib: Number(kib) / 1024 };
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(peak)));
}
