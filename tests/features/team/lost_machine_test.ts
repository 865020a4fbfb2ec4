/** A machine that was lost, and a new identity: what comes is sealed with keys that others lack. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { removeDevice } from "../../../lib/features/team/remove_device.ts";
import { keyOf, type SessionKey } from "../../../lib/features/team/sealed/session_key.ts";
import { deviceKey } from "../../../lib/features/team/state/device_key_file.ts";
import { ObjectTeam } from "../../_support/folder_team.ts";
import { Machine } from "../../_support/machine.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";

interface Scene {
  laptop: Machine;
  desktop: Machine;
  team: ObjectTeam;
  /** The identity that both machines have. */
  shared: string;
}

const inScene = testsIn((test: (scene: Scene) => Promise<void>) =>
  withDirectory(async (folder) => {
    const machine = (label: string): Machine =>
      new Machine({ folder: join(folder, label), label, form: "sealed" });
    const [laptop, desktop] = [machine("laptop"), machine("desktop")];
    for (const { settings } of [laptop, desktop]) settings.trusted = [...settings.trusted ?? []];
    await test({
      ...{ laptop, desktop, team: await new ObjectTeam().init() },
      shared: await makeIdentity(),
    });
  })
);

/** Unwraps the key of the only session in the store. */
async function openedBy(team: ObjectTeam, identity: string): Promise<SessionKey> {
  const store = team.connect();
  const { id } = await store.hello({ id: crypto.randomUUID(), label: "x" });
  const [branch] = await store.branches();
  assert.ok(branch);
  return await keyOf(branch, id, [identity]);
}

/** Removes the desktop from the laptop, and gives the laptop an identity before the old one. */
async function removeDesktop({ laptop, team, shared }: Scene): Promise<string[]> {
  const { settings } = await removeDevice(team.connect(), laptop.settings, {
    name: "desktop",
    recipients: [await recipientOf(shared)],
    own: deviceKey(laptop.root).id,
    now: new Date(),
  });
  Object.assign(laptop.settings, settings);
  return [await makeIdentity(), shared];
}

/** Lets both machines write in one session. */
async function shareOne({ laptop, desktop, team, shared }: Scene): Promise<string> {
  const identities = [shared];
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect(), { identities });
  await desktop.pull(team.connect(), { identities });
  await desktop.continue(id, ["two"]);
  await desktop.push(team.connect(), { identities });
  await laptop.pull(team.connect(), { identities });
  assert.equal(laptop.log(id), desktop.log(id));
  return id;
}

inScene.test("a removed machine is not trusted, and opens none of the later lines", async (scene) => {
  const { laptop, team, shared } = scene;
  const id = await shareOne(scene);
  const before = await openedBy(team, shared);
  const identities = await removeDesktop(scene);
  assert.ok(!laptop.settings.trusted?.includes(deviceKey(scene.desktop.root).id));
  await laptop.continue(id, ["three"]);
  assert.deepEqual((await laptop.push(team.connect(), { identities })).failed, []);
  await assert.rejects(openedBy(team, shared), { code: "encrypted" });
  const [fresh = ""] = identities;
  assert.notEqual((await openedBy(team, fresh)).fingerprint, before.fingerprint);
  const store = await team.greeted();
  const bytes: boolean[] = [];
  for await (const window of store.segments([{ owner: "ada", session: id, n: 1, from: 0 }])) {
    for (const segment of window) {
      const opens = (): unknown => before.openSegment(segment, segment.sealed_n ?? 1);
      try {
        bytes.push(opens() !== undefined);
      } catch {
        bytes.push(false);
      }
    }
  }
  assert.deepEqual(bytes, [true, true, false]);
});

inScene.test("machines that stay read both the old lines and the new ones", async (scene) => {
  const { laptop, desktop, team } = scene;
  const id = await shareOne(scene);
  const identities = await removeDesktop(scene);
  await laptop.continue(id, ["three"]);
  await laptop.push(team.connect(), { identities });
  await desktop.pull(team.connect(), { identities });
  assert.equal(desktop.log(id), laptop.log(id));
  await desktop.continue(id, ["four"]);
  assert.deepEqual((await desktop.push(team.connect(), { identities })).sealed_anew, []);
});

inScene.test("a push refuses the key of a removed machine, and names what to do", async (scene) => {
  const { laptop, team, shared } = scene;
  await shareOne(scene);
  await removeDesktop(scene);
  await laptop.write(["new"]);
  await assert.rejects(laptop.push(team.connect(), { identities: [shared] }), {
    code: "encrypted",
    message: /a removed machine has the private key of this one, too\. Make a new key/,
  });
});

inScene.test("a push refuses recipients whose keys this machine lacks", async ({ laptop, team, shared }) => {
  await laptop.write(["one"]);
  await assert.rejects(laptop.push(team.connect()), /this machine has no private key/);
  const [project] = laptop.settings.projects;
  assert.ok(project);
  project.recipients = [await recipientOf(await makeIdentity())];
  await assert.rejects(
    laptop.push(team.connect(), { identities: [shared] }),
    /no key on this machine could decrypt the sessions/,
  );
});

inScene.test("a new identity is used from the next push on", async ({ laptop, team, shared }) => {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect(), { identities: [shared] });
  const before = await openedBy(team, shared);
  const fresh = await makeIdentity();
  await laptop.continue(id, ["two"]);
  await laptop.push(team.connect(), { identities: [fresh, shared] });
  assert.notEqual((await openedBy(team, fresh)).fingerprint, before.fingerprint);
});

inScene.test("a push that encrypts again leaves nothing that the removed machine opens", async (scene) => {
  const { laptop, team, shared } = scene;
  const id = await shareOne(scene);
  const before = await openedBy(team, shared);
  const identities = await removeDesktop(scene);
  const { sealed_anew } = await laptop.push(team.connect(), { identities, rekey: true });
  assert.deepEqual(sealed_anew, [id]);
  const store = await team.greeted();
  for await (const window of store.segments([{ owner: "ada", session: id, n: 1, from: 0 }])) {
    for (const segment of window) assert.throws(() => before.openSegment(segment, 1));
  }
  await scene.desktop.pull(team.connect(), { identities });
  assert.equal(scene.desktop.log(id), laptop.log(id));
});

inScene.test("a removal refuses this machine and unknown names", async (scene) => {
  const { laptop, team } = scene;
  await shareOne(scene);
  const remove = (name: string): Promise<unknown> =>
    removeDevice(team.connect(), laptop.settings, {
      ...{ name, recipients: [], own: deviceKey(laptop.root).id, now: new Date() },
    });
  await assert.rejects(remove("nobody"), { code: "not-found" });
  await assert.rejects(remove(deviceKey(laptop.root).id), { code: "invalid-config" });
  assert.ok(await remove(deviceKey(scene.desktop.root).id.slice(0, 12)));
});
