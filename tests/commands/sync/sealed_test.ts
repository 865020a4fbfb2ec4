/** Sealed sessions on the command line: keys, and the messages without them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { SessionKey } from "../../../lib/features/team/sealed/session_key.ts";
import { deviceKey } from "../../../lib/features/team/state/device_key_file.ts";
import { openDatabaseTeam } from "../../_support/database_team.ts";
import { jsonLines } from "../../_support/cli.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import {
  continueSession,
  expectStatus,
  makeStore,
  onTeam,
  trustEachOther,
} from "../../_support/team_homes.ts";

const ONE = sessionId("aaaa1111");

// Slow: a server has a store, and three machines join it.
onTeam.test("a sealed session is read with a key, and not without one", async (team) => {
  await makeStore(team);
  const [laptop, desktop, ben] = [team.machine(), team.machine(), team.machine()];
  const identity = await makeIdentity();
  const recipient = await recipientOf(identity);
  laptop.keep(ONE, [user("a sealed zebra")]);
  for (const [home, role] of [[laptop, "ann"], [desktop, "ann"], [ben, "ben"]] as const) {
    await expectStatus(home, ["sync", "join", team.address(role)]);
  }
  await trustEachOther(laptop, desktop);
  const add = ["sync", "add", "--project", "site", "--sealed", "--recipient", recipient];
  for (const home of [laptop, desktop]) await expectStatus(home, [...add, "--yes"]);
  await expectStatus(laptop, ["sync", "push"]);
  const rows = await team.sql("select encode(bytes, 'escape') from reprise.object");
  assert.doesNotMatch(rows, /zebra/);

  const missing = await expectStatus(desktop, ["sync", "pull"]);
  assert.match(
    missing.stderr,
    /^Not decrypted, because you have no private key for these sessions\. .+ FILE: team:/m,
  );
  const unread = await expectStatus(desktop, ["show", "team:aaaa"], 1);
  assert.match(
    unread.stderr,
    /it is encrypted, and you have no private key for it\. Give --identity/,
  );
  const { stdout: listed } = await expectStatus(ben, ["list", "--remote", "--all"]);
  assert.match(listed, /team:ann\/aaaa1111\S* .+ sealed .+\(sealed\)/);
  const foreign = await expectStatus(ben, ["show", "team:ann/aaaa"], 1);
  assert.match(foreign.stderr, /it is encrypted, and you have no private key/);

  const key = join(desktop.path, "key.txt");
  Deno.writeTextFileSync(key, `${identity}\n`, { mode: 0o600 });
  const pulled = await expectStatus(desktop, ["sync", "pull", "--identity", key]);
  assert.match(pulled.stderr, /^1 session updated on this machine \(1 of them new here\)/);
  const [row] = jsonLines((await expectStatus(desktop, ["list", "--json"])).stdout);
  assert.deepEqual([row?.session_id, row?.title], [ONE, "a sealed zebra"]);
  const phone = team.machine();
  await expectStatus(phone, ["sync", "join", team.address("ann")]);
  await expectStatus(phone, [...add, "--yes"]);
  const trusted = async (): Promise<string> =>
    (await expectStatus(phone, ["sync", "trust", "--identity", key])).stderr;
  const [, found = "", by] =
    /^Not trusted: session aaaa1111 is .* key (\w{64}) \(signed by .* key (\w{64})\)\./m.exec(
      await trusted(),
    ) ?? [];
  assert.equal(by, deviceKey(laptop.store).id);
  await expectStatus(phone, ["sync", "trust", found]);
  assert.doesNotMatch(await trusted(), /Not trusted/);
  const strangers = SessionKey.make({ store: "", owner: "ann", session: ONE });
  {
    await using store = await openDatabaseTeam(team.address("ann"));
    await store.hello({ id: crypto.randomUUID(), label: "stranger" });
    await store.rekey(ONE, await strangers.wrap([recipient], []));
  }
  await continueSession(laptop, ONE, "more");
  const pushed = await expectStatus(laptop, ["sync", "push", "--identity", key]);
  assert.match(
    pushed.stderr,
    /^These sessions were encrypted again with a new key, .*: aaaa1111$/m,
  );
  const shown = await expectStatus(ben, ["show", "team:ann/aaaa", "--identity", key]);
  assert.match(shown.stdout, /a sealed zebra/);
});
