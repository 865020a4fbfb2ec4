/**
 * Prunes all of a store, moves one session back and deletes the others for good. Arguments: data
 * root, the session to move back.
 */
import { openLocalStore } from "../../../lib/session/open_store.ts";

const [root = "", restored = ""] = Deno.args;

if (import.meta.main) {
  const store = openLocalStore({ root });
  await store.prune({ max_bytes: 0 });
  await store.restore(restored);
  await store.emptyTrash();
}
