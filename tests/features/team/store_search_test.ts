/** A store that does not search by itself: the summaries are read here, as far as they open. */
import assert from "node:assert/strict";
import { remoteQuery } from "../../../lib/library/search/said_text.ts";
import { searchShared } from "../../../lib/features/team/store_search.ts";
import { SessionKey } from "../../../lib/features/team/sealed/session_key.ts";
import { NO_HEAD, sha256 } from "../../../lib/features/team/branch_segments.ts";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { MemoryTeam } from "../../_support/memory_team_store.ts";

const DEVICE = { id: "11111111-1111-4111-8111-111111111111", label: "laptop" };

Deno.test("searches summaries where a store does not search, and counts those that stay closed", async () => {
  const team = new MemoryTeam();
  const store = team.connect("ada");
  const greeting = await store.hello(DEVICE);
  const identity = await makeIdentity();
  const recipient = await recipientOf(identity);
  async function share(id: string, title: string, key?: SessionKey): Promise<void> {
    const form = key === undefined ? "copy" : "sealed";
    const terms = { project: "p", form, visible: "team" } as const;
    const keys = key && { keys: await key.wrap([recipient], []) };
    await store.claim([{ id, ...terms, ...keys }], DEVICE.id);
    const bytes = new TextEncoder().encode("x\n");
    const row = key === undefined ? { title } : key.sealRow({ title });
    await store.append([{
      ...{ session: id, n: 1, off: 0, prev: NO_HEAD, len: 2, sha: sha256(bytes), ...terms },
      ...{ codec: "plain", bytes, summary: { len: 2, made_by: "t", row } },
    }]);
  }
  await share("open", "Fix the zebra");
  for (let number = 0; number < 1000; number++) await share(`newer${number}`, "A lioness");
  await share("other", "A lion");
  const place = { store: greeting.id, owner: "ada", session: "sealed" };
  await share("sealed", "A sealed zebra", SessionKey.make(place));
  const found = async (identities: string[]): Promise<[string[], number]> => {
    const asked = { ...remoteQuery("zebra"), limit: 10, identities };
    const { rows, closed } = await searchShared(store, greeting, asked);
    return [rows.map(({ session_id }) => session_id).sort(), closed];
  };
  assert.deepEqual(await found([]), [["open"], 1]);
  assert.deepEqual(await found([identity]), [["open", "sealed"], 0]);
});
