/** What others put into a shared folder: it costs the session that was hit, and no other. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { dirname, join } from "node:path";
import { makeIdentity, recipientOf } from "../../../../lib/text/seal/mod.ts";
import { sha256 } from "../../../../lib/features/team/branch_segments.ts";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import {
  decodeDocument,
  encodeDocument,
  type HeadDocument,
} from "../../../../lib/features/team/objects/head_document.ts";
import { baseKey, headKey } from "../../../../lib/features/team/objects/object_keys.ts";
import { SessionKey } from "../../../../lib/features/team/sealed/session_key.ts";
import { filesBelow } from "../../../_support/files_below.ts";
import { FolderTeam } from "../../../_support/folder_team.ts";
import { Machine } from "../../../_support/machine.ts";
import { needing, UNIX } from "../../../_support/needing.ts";
import { inDirectory, withDirectory } from "../../../_support/temp_directory.ts";

inDirectory.test("torn heads and foreign files cost what they hit alone", async (folder) => {
  const team = await new FolderTeam(join(folder, "team")).init();
  const laptop = new Machine({ folder: join(folder, "laptop") });
  const other = new Machine({ folder: join(folder, "other"), label: "other" });
  const desktop = new Machine({ folder: join(folder, "desktop"), label: "desktop" });
  const whole = await laptop.write(["whole"]);
  await laptop.push(team.connect());
  const [segment = ""] = filesBelow(join(team.folder, "v1", "segments"));
  const torn = await other.write(["torn"]);
  await other.push(team.connect());

  const heads = filesBelow(join(team.folder, "v1", "heads"));
  const head = heads.find((path) => path.includes(other.settings.device.id)) ?? "";
  const text = Deno.readTextFileSync(head);
  Deno.writeTextFileSync(head, text.slice(0, text.length / 2));
  const strange = join(dirname(head), `p-${"0".repeat(32)}.json`);
  for (const path of [strange, `${head}.tmp`, join(dirname(segment), "0-1.zstd")]) {
    Deno.writeTextFileSync(path, '{"sha256":"no"}\n{"sessions":[null]}');
  }
  const pulled = await desktop.pull(team.connect());
  assert.deepEqual([pulled.adopted, pulled.failed], [[whole], []]);

  Deno.writeTextFileSync(head, text);
  const later = await desktop.pull(team.connect());
  assert.deepEqual([later.adopted, later.failed], [[torn], []]);
});

inDirectory.test("a head that nests too deep, or claims too much, is told in one line", async (folder) => {
  const team = await new FolderTeam(join(folder, "team")).init();
  const laptop = new Machine({ folder: join(folder, "laptop") });
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  const [head = ""] = filesBelow(join(team.folder, "v1", "heads", "u-ada"));
  const deep = `{"len":1,"made_by":"x","row":{"title":${"[".repeat(9999)}${"]".repeat(9999)}}}`;
  const whole = decodeDocument(Deno.readFileSync(head)) as HeadDocument;
  for (
    const [wanted, text] of [
      [
        /Cannot write this machine's list of sessions: .* damaged/,
        JSON.stringify(whole).replace(/"summary":\{/, `"x":${deep},$&`),
      ],
      [
        /Cannot write this machine's list of sessions: .* damaged/,
        JSON.stringify(whole).replace(/"epoch":\d+/, '"epoch":1e10'),
      ],
    ] as const
  ) {
    const body = new TextEncoder().encode(`${text}\n`);
    Deno.writeTextFileSync(head, `{"sha256":"${sha256(body)}"}\n${text}\n`);
    await laptop.continue(id, ["more"]);
    const { failed: [failed] } = await laptop.push(team.connect());
    assert.match(failed?.message ?? "", wanted);
    assert.deepEqual((await laptop.pull(team.connect())).failed, []);
  }
});

inDirectory.test("a head of an invented device gives a sealed session no key", async (folder) => {
  const identity = await makeIdentity();
  const recipients = [await recipientOf(identity)];
  const team = await new FolderTeam(join(folder, "team")).init();
  const laptop = new Machine({ folder: join(folder, "laptop"), form: "sealed", recipients });
  const id = await laptop.write(["one"]);
  const { store, owner } = await laptop.push(team.connect());
  const strangers = SessionKey.make({ store, owner, session: id });
  const age = Buffer.from(await strangers.wrap(recipients, [])).toString("base64");
  const device = { id: crypto.randomUUID(), label: "x" };
  for (const [epochs, is_based] of [[0, false], [0, true], [7, false]] as const) {
    const [own = ""] = filesBelow(
      join(team.folder, "v1", "heads", "u-ada", laptop.settings.device.id),
    );
    const head = decodeDocument(Deno.readFileSync(own)) as HeadDocument;
    const [entry] = head.sessions;
    assert.ok(entry);
    const { claim } = entry;
    const false_entry = {
      ...{ ...entry, claim: { ...claim, epoch: claim.epoch + epochs }, branches: [] },
      keys: { at: "2099-01-01T00:00:00.000Z", age },
    };
    const base = encodeDocument([false_entry]);
    const { project, visible } = head;
    const place = { owner, device: device.id, project, visible };
    const objects = openFolderStore(team.folder);
    const name = sha256(base).slice(0, 32);
    await objects.put(baseKey(place, name), base);
    const sessions = is_based ? { pages: [name], sessions: [] } : { sessions: [false_entry] };
    const seq = epochs + 2 * Number(is_based);
    const bytes = encodeDocument({ ...head, device, seq, ...sessions }, seq);
    await objects.put(headKey(place), bytes);
    await laptop.continue(id, ["secret"]);
    const pushed = await laptop.push(team.connect(), { identities: [identity] });
    assert.deepEqual([pushed.sealed_anew, pushed.failed], [[id], []], `${epochs} ${is_based}`);
    const there = await team.greeted();
    for await (const some of there.segments([{ owner, session: id, n: 1, from: 0 }])) {
      for (const one of some) assert.throws(() => strangers.openSegment(one, 1));
    }
  }
});

inDirectory.test("a folder replaces an object if it is the expected one, and keeps no drafts", async (folder) => {
  const left = join(folder, "store", ".drafts", "left by a killed process");
  Deno.mkdirSync(dirname(left), { recursive: true });
  Deno.writeTextFileSync(left, "half");
  Deno.utimeSync(left, 0, 0);
  await using objects = openFolderStore(join(folder, "store"));
  const [one, other] = ["one", "other"].map((text) => new TextEncoder().encode(text));
  assert.ok(one && other);
  const tag = await objects.put("v1/a/b.json", one, null);
  assert.ok(tag);
  assert.equal(await objects.put("v1/a/b.json", other, null), undefined);
  assert.equal(await objects.put("v1/a/b.json", other, "another"), undefined);
  assert.deepEqual((await objects.get("v1/a/b.json", 3))?.bytes, one);
  await assert.rejects(objects.get("v1/a/b.json", 2), { code: "too-large" });
  assert.notEqual(await objects.put("v1/a/b.json", other, tag), tag);
  await objects.delete("v1/a/b.json");
  await objects.delete("v1/a/b.json");
  assert.equal(await objects.get("v1/a/b.json", 9), undefined);
  assert.deepEqual(filesBelow(folder), []);
});

Deno.test({
  ...needing("links in a shared folder are neither read nor written through", UNIX),
  fn: () =>
    withDirectory(async (folder) => {
      const [store, outside] = [join(folder, "store"), join(folder, "outside")];
      for (const path of [join(store, "v1", "heads"), outside]) {
        Deno.mkdirSync(path, { recursive: true });
      }
      Deno.writeTextFileSync(join(outside, "secret"), "secret");
      Deno.symlinkSync(join(outside, "secret"), join(store, "v1", "heads", "a.json"));
      Deno.symlinkSync(outside, join(store, "v1", "segments"));
      await using objects = openFolderStore(store);
      for await (const page of objects.list("v1/")) assert.fail(`${page.length}`);
      await assert.rejects(objects.get("v1/heads/a.json", 99), { code: "unsafe-store" });
      const bytes = new TextEncoder().encode("mine");
      await assert.rejects(objects.put("v1/segments/a", bytes), { code: "unsafe-store" });
      await objects.put("v1/heads/a.json", bytes);
      Deno.utimeSync(join(outside, "secret"), 0, 0);
      Deno.removeSync(join(store, ".drafts"));
      Deno.symlinkSync(outside, join(store, ".drafts"));
      await using another = openFolderStore(store);
      await assert.rejects(another.put("v1/heads/a.json", bytes), { code: "unsafe-store" });
      assert.equal(Deno.readTextFileSync(join(outside, "secret")), "secret");
      assert.deepEqual([...Deno.readDirSync(outside)].map(({ name }) => name), ["secret"]);
    }),
});
