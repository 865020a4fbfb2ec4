/** Forks or merges sessions of a store; prints the id of what was made, or on stderr why it was not. */
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";

/** What to do. */
export interface CopyScript {
  root: string;
  /** Id of the new session. */
  id: string;
  /** One to fork; several to merge. */
  refs: string[];
}

if (import.meta.main) {
  const { root, id, refs }: CopyScript = JSON.parse(Deno.args[0] ?? "");
  const store = openLocalStore({
    root,
    newId: () => id,
    now: () => new Date("2026-11-21T20:21:53.123Z"),
  });
  const [first = "", ...others] = refs;
  const encoder = new TextEncoder();
  try {
    const made = others.length === 0 ? await store.makeFork(first) : await store.merge(refs);
    Deno.stdout.writeSync(encoder.encode(`${made.session_id}\n`));
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    Deno.stderr.writeSync(encoder.encode(`${error.code}\n`));
    Deno.exitCode = 1;
  }
}
