/** A program that builds the index of a store anew, again and again, and tells when one is begun. */
import { updateIndex } from "../../../lib/library/search/mod.ts";
import { ownSessions } from "../own_sessions.ts";

if (import.meta.main) {
  const [store = "", cache = "", rounds = "1"] = Deno.args;
  const sessions = ownSessions(store);
  for (let round = 0; round < Number(rounds); round++) {
    await Deno.stdout.write(new TextEncoder().encode(`${round}\n`));
    await updateIndex(cache, sessions, { fresh: true });
  }
}
