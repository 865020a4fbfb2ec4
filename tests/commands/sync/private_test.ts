/** Private and restricted sessions never reach other readers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { jsonLines } from "../../_support/cli.ts";
import { type CliHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { onPostgres } from "../../_support/postgres.ts";
import {
  continueSession,
  expectStatus,
  makeStore,
  segmentsOf,
  type TeamHomes,
  trustEachOther,
  withTeamServer,
} from "../../_support/team_homes.ts";

const ONE = sessionId("aaaa1111");
const LATER = "said after it became private";

interface Scene extends TeamHomes {
  ann: CliHome;
  ben: CliHome;
}

/** Lets Ann share a session with the team, exactly, and ben read it. */
async function shared(team: TeamHomes): Promise<Scene> {
  await makeStore(team);
  const [ann, ben] = [team.machine(), team.machine()];
  ann.keep(ONE, [user("Why zebra?"), assistant("Because.")]);
  await expectStatus(ann, ["sync", "join", team.address("ann")]);
  await expectStatus(ben, ["sync", "join", team.address("ben")]);
  await expectStatus(ann, [...ADD, "--exact", "--yes"]);
  await expectStatus(ann, ["sync", "push"]);
  await expectStatus(ben, ["sync", "pull", "--all"]);
  assert.match((await expectStatus(ben, ["show", "team:ann/aaaa"])).stdout, /zebra/);
  return { ...team, ann, ben };
}

const ADD = ["sync", "add", "--project", "site"];

/** Adds the project in another way, and says something more. */
async function addAgain({ ann }: Scene, args: readonly string[]): Promise<void> {
  await expectStatus(ann, ["sync", "remove"]);
  const added = await expectStatus(ann, [...args, "--yes"]);
  assert.match(
    added.stderr,
    /^1 session may already be in the store with other sharing settings, /m,
  );
  await continueSession(ann, ONE, LATER);
}

async function rows({ ann }: Scene): Promise<string> {
  const { stdout } = await expectStatus(ann, ["list", "--remote", "--all", "--json"]);
  return jsonLines(stdout)
    .map(({ session_id, project, form, visible }) => `${session_id} ${project} ${form} ${visible}`)
    .join();
}

/** Checks that nothing that was said later is in the store, or with ben. */
async function assertHeld(scene: Scene): Promise<void> {
  const { ben } = scene;
  await expectStatus(ben, ["sync", "pull", "--all"]);
  const { stdout } = await expectStatus(ben, ["show", "team:ann/aaaa"]);
  assert.ok(stdout.includes("zebra") && !stdout.includes(LATER));
  assert.equal(await segmentsOf(scene), 1);
  assert.equal(await rows(scene), `${ONE} site log team`);
}

const CHANGES: Record<string, { add: string[]; stored: string; here: RegExp }> = {
  "private": {
    add: [...ADD, "--exact", "--private"],
    stored: "site log private",
    here: /exact logs of site, for you alone/,
  },
  "for another project": {
    add: ["sync", "add", "--project", "closed", "--exact"],
    stored: "closed log team",
    here: /exact logs of closed, for the team/,
  },
  "as redacted copies": {
    add: ADD,
    stored: "site copy team",
    here: /redacted copies of site, for the team/,
  },
};

const STORIES: Record<string, (scene: Scene) => Promise<void>> = {
  ...Object.fromEntries(
    Object.entries(CHANGES).map(([name, { add, stored, here }]) => [
      `a session that is shared with the team, and added again ${name}, stays as it was until the user agrees`,
      async (scene: Scene) => {
        const { ann, ben, sql } = scene;
        await sql(
          `create role closed_readers_${scene.name}; grant closed_readers_${scene.name} to ann;
          insert into reprise.project values ('closed', 'closed_readers_${scene.name}')`,
        );
        await addAgain(scene, add);
        const pushed = await expectStatus(ann, ["sync", "push"]);
        assert.match(
          pushed.stderr,
          /^Changes not sent: aaaa1111: the store has exact logs of site, for the team, but this machine's settings say /m,
        );
        assert.match(pushed.stderr, here);
        assert.match(pushed.stderr, /with this machine's settings: reprise sync push --replace$/m);
        await assertHeld(scene);
        const { stdout: status } = await expectStatus(ann, ["sync", "status"]);
        assert.match(status, /^in store {2}1 session: exact logs of site, for the team$/m);
        assert.match(
          status,
          /^differs {3}aaaa1111 {2}the store has exact logs of site, for the team, but this machine's settings say /m,
        );
        const refused = await expectStatus(ann, ["sync", "push", "--replace"], 1);
        assert.match(
          refused.stderr,
          /Cannot replace the shared sessions without your consent, .+ To confirm: --yes$/m,
        );
        await assertHeld(scene);

        await expectStatus(ann, ["sync", "push", "--replace", "--yes"]);
        assert.equal(await rows(scene), `${ONE} ${stored}`);
        const after = (await expectStatus(ann, ["sync", "status", "--json"])).stdout;
        assert.deepEqual(jsonLines(after)[0]?.other_terms, []);
        const { stdout } = await expectStatus(ann, ["list", "--remote", "--all", "--json"]);
        assert.equal(jsonLines(stdout).length, 1);
        await expectStatus(ben, ["sync", "pull", "--all"]);
        const read = await expectStatus(ben, ["show", "team:ann/aaaa"]);
        // What he pulled stays with him; what is the team's, he reads.
        assert.equal(read.stdout.includes(LATER), name === "as redacted copies");
      },
    ]),
  ),
  "another machine that is set up in the old way sends nothing into a private session": async (
    scene,
  ) => {
    const { ann } = scene;
    const desktop = scene.machine();
    await expectStatus(desktop, ["sync", "join", scene.address("ann")]);
    await expectStatus(desktop, [...ADD, "--exact", "--yes"]);
    await trustEachOther(ann, desktop);
    await expectStatus(desktop, ["sync", "pull"]);
    await addAgain(scene, [...ADD, "--exact", "--private"]);
    await expectStatus(ann, ["sync", "push", "--replace", "--yes"]);
    await continueSession(desktop, ONE, "of the desktop");
    const pushed = await expectStatus(desktop, ["sync", "push"]);
    assert.match(
      pushed.stderr,
      /: the store has exact logs of site, for you alone, but this machine's settings say /,
    );
    assert.equal(await rows(scene), `${ONE} site log private`);
  },
  "what was exact is sealed by a replacement, and the plain bytes are gone": async (scene) => {
    const recipient = await recipientOf(await makeIdentity());
    await addAgain(scene, [...ADD, "--sealed", "--recipient", recipient]);
    await expectStatus(scene.ann, ["sync", "push", "--replace", "--yes"]);
    assert.equal(await rows(scene), `${ONE} site sealed team`);
    assert.equal(
      await scene.sql("select count(*) from reprise.object where key ~ '[.](plain|zstd)$'"),
      "0",
    );
  },
  "a withdrawn session is not brought back by a replacement": async (scene) => {
    await addAgain(scene, [...ADD, "--exact", "--private"]);
    await expectStatus(scene.ann, ["sync", "withdraw", "aaaa"]);
    for (let round = 0; round < 2; round++) {
      await expectStatus(scene.ann, ["sync", "push", "--replace", "--yes"]);
      assert.equal(await segmentsOf(scene), 0);
    }
  },
  "the name of a private project is read by its owner alone": async (scene) => {
    const directory = join(scene.ann.path, "diary");
    Deno.mkdirSync(directory);
    scene.ann.keep(sessionId("bbbb2222"), [user("dear diary")], { cwd: directory });
    await expectStatus(scene.ann, [
      ...["sync", "add", directory, "--project", "a secret plan"],
      ...["--exact", "--private", "--yes"],
    ]);
    await expectStatus(scene.ann, ["sync", "push"]);
    assert.equal(await segmentsOf(scene), 2);
    const all = "select key, encode(bytes, 'escape') from reprise.object";
    assert.match(await scene.sql(all), /secret plan/);
    const read = await scene.sql(`set session authorization ben; ${all}`);
    assert.doesNotMatch(read, /secret plan|dear diary|bbbb2222/);
    assert.match(read, /site/);
  },
};

// Slow: each of seven stories has a database and a store.
onPostgres.test("terms under which a session is shared change by consent alone", async (test) => {
  await withTeamServer(async (newTeam) => {
    for (const [name, story] of Object.entries(STORIES)) {
      await test.step(name, async () => await story(await shared(await newTeam())));
    }
  });
});
