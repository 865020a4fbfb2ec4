/**
 * Prunes all of a store, moves one session back and deletes the others for good. Arguments: data
 * root, the session to move back.
 */
import { openLocalStore } from "../../../lib/core/store/open_store.ts";

/** Prunes, restores and deletes. */
export async function pruneAndRestore(root: string, restored: string): Promise<void> {
  const store = openLocalStore({ root });
  await store.prune({ max_bytes: 0 });
  await store.restore(restored);
  await store.emptyTrash();
}

if (import.meta.main) await pruneAndRestore(Deno.args[0] ?? "", Deno.args[1] ?? "");
