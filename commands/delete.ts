/** `reprise delete` */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { printJson, say } from "./_message.ts";
import { findInStore, forgetRemoved } from "./_session.ts";
import { contextStore } from "./_store.ts";

export const deleteCommand = defineCommand({
  summary: "move sessions to the trash",
  description: "Move sessions to the trash. Nothing is deleted until `reprise trash empty`.",
  arguments: [["<refs...>", "which sessions"]],
  flags: { "--json": "one removal a line" },
  examples: ["reprise delete 3f2a", "reprise trash restore 3f2a"],
  run: (context, refs, { json }) => remove(context, refs, json ?? false),
});

async function remove(context: Context, refs: readonly string[], json: boolean): Promise<void> {
  const store = contextStore(context);
  // All are looked up first, so that a wrong one deletes nothing.
  const folders = await Promise.all(refs.map((ref) => findInStore(context, ref)));
  const ids = [...new Set(folders.map(({ session_id }) => session_id))];
  let kept: string | undefined;
  for (const id of ids) {
    const tombstone = await store.remove(id);
    kept = await forgetRemoved(context, [id]) ?? kept;
    if (json) await printJson(context, tombstone);
    else await say(context, `Moved ${id.slice(0, 8)} to ${tombstone.to}`);
  }
  if (!json) {
    await tellShared(context, ids);
    const names = ids.map((id) => id.slice(0, 8)).join(" ");
    await say(context, `Restore with: reprise trash restore ${names}`);
  }
  if (kept === undefined) return;
  await say(context, `reprise: ${kept}`);
  throw new CommandExit(STATUS.failed);
}

/** Says which of the deleted sessions are still in a team's store. */
async function tellShared(context: Context, ids: readonly string[]): Promise<void> {
  const { root } = contextStore(context);
  if (!existsSync(join(root, "sync"))) return;
  const { sharedIn } = await import("../lib/team/state/sync_state.ts");
  const shared = ids.filter((id) => sharedIn(root, id).length > 0).map((id) => id.slice(0, 8));
  if (shared.length === 0) return;
  const names = shared.join(" ");
  await say(
    context,
    `The team's store keeps its copy; to delete that: reprise sync withdraw ${names}`,
  );
}
