/**
 * A program that appends to a session until it is killed, some events at once, and tells each that was
 * acknowledged: `<seq> <state> <name>`, a line each. Run with a JSON script.
 */
import type { Durability } from "../../../lib/core/store/session_parts.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";

/** What the program is to do. */
export interface Appending {
  root: string;
  /** Goes on with this session. @default {begins one} */
  resume?: string;
  durability: Durability;
  /** Length of every text, after its name. */
  bytes: number;
  /** Events that are appended at once. */
  together: number;
  /** Waits to be killed after so many bytes. */
  most_bytes: number;
}

async function run(script: Appending): Promise<void> {
  const { root, resume, durability, bytes, together, most_bytes } = script;
  const store = openStore({ root, durability });
  const session = resume === undefined ? store.create({ cwd: root }) : await store.resume(resume);
  const encoder = new TextEncoder();
  const padding = "x".repeat(bytes);
  for (let round = 0; round * together * bytes < most_bytes; round++) {
    await Promise.all(Array.from({ length: together }, async (_, index) => {
      const name = `${round}.${index}`;
      const content = `${name} ${padding}`;
      const told = await session.append({ kind: "user_message", payload: { content } });
      if (told.state === "held") return;
      Deno.stdout.writeSync(encoder.encode(`${told.seq} ${told.state} ${name}\n`));
    }));
  }
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}

if (import.meta.main) await run(JSON.parse(Deno.args[0] ?? "{}"));
