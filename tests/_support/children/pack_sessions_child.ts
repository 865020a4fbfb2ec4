/** Packs the cold rollouts of a home, and makes them plain again. Argument: the home. */
import { packSessions } from "../../../lib/features/backup/pack_sessions.ts";
import { unpackSessions } from "../../../lib/features/backup/unpack_sessions.ts";
import { openLibrary } from "../../../lib/library/mod.ts";

const [home = ""] = Deno.args;

if (import.meta.main) {
  const root = `${home}/store`;
  const variable = (name: string): string | undefined => name === "HOME" ? home : undefined;
  const { environment } = openLibrary({ root, variable }).place;
  const options = { environment, root, before: new Date("2026-06-01T00:00:00Z"), dry: false };
  await Array.fromAsync(packSessions("codex", options));
  await Array.fromAsync(unpackSessions("codex", options));
}
