import assert from "node:assert/strict";
import { join } from "node:path";
import type { SyncSettings } from "../../../lib/features/team/shared_project.ts";
import {
  readSyncSettings,
  syncSettingsPath,
  writeSyncSettings,
} from "../../../lib/features/team/sync_settings.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { testData } from "../../_support/test_data.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

/** Settings, and changes of them, or whole texts, with what is said of each. */
const { usable: SETTINGS, unusable: UNUSABLE } = testData<{
  usable: SyncSettings;
  unusable: [change: string | Record<string, unknown>, message: string][];
}>("team/sync_settings.json");

inDirectory.test("without a file nothing is shared, and reading makes none", (root) => {
  assert.equal(readSyncSettings(root), undefined);
  assert.equal(readSyncSettings(join(root, "not there")), undefined);
  assert.deepEqual([...Deno.readDirSync(root)], []);
});

Deno.test(needing("written settings are read again, and the file is private", UNIX), async () => {
  await withDirectory((directory) => {
    const root = join(directory, "store");
    writeSyncSettings(root, SETTINGS);
    assert.deepEqual(readSyncSettings(root), SETTINGS);
    assert.equal((Deno.statSync(syncSettingsPath(root)).mode ?? 0) & 0o777, 0o600);
    assert.equal((Deno.statSync(root).mode ?? 0) & 0o777, 0o700);
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["sync.json"]);
  });
});

inDirectory.test("members of a later version outlive a change", (root) => {
  const later = { ...SETTINGS, proxy: [1], device: { ...SETTINGS.device, colour: "red" } };
  Deno.writeTextFileSync(syncSettingsPath(root), JSON.stringify(later));
  const read = readSyncSettings(root);
  assert.ok(read !== undefined);
  writeSyncSettings(root, { ...read, projects: [] });
  assert.deepEqual(JSON.parse(Deno.readTextFileSync(syncSettingsPath(root))), {
    ...later,
    projects: [],
  });
});

/** Settings with a change; a member that is changed to null is left out. */
function wrong(change: Record<string, unknown>): string {
  const members = Object.entries({ ...SETTINGS, ...change });
  return JSON.stringify(Object.fromEntries(members.filter(([, value]) => value !== null)));
}

inDirectory.test("a file that cannot be used names the member, and never a password", (root) => {
  for (const [change, message] of UNUSABLE) {
    const text = typeof change === "string" ? change : wrong(change);
    Deno.writeTextFileSync(syncSettingsPath(root), text);
    assert.throws(() => readSyncSettings(root), (error: Error & { code?: string }) => {
      assert.equal(error.code, "invalid-config", text);
      assert.match(error.message, new RegExp(message));
      assert.match(error.message, /^Cannot read sync settings: .+sync\.json$/);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    });
    assert.equal(Deno.readTextFileSync(syncSettingsPath(root)), text);
  }
  for (
    const [version, message] of [
      [3, /a newer Reprise wrote the file \(version 3\); update Reprise/],
      [1, /a development version wrote the file; delete it: /],
    ] as const
  ) {
    Deno.writeTextFileSync(syncSettingsPath(root), wrong({ version }));
    assert.throws(() => readSyncSettings(root), { code: "unsupported-version", message });
  }
});

Deno.test(
  needing("a device, a pipe or a huge file in its place is refused unread", UNIX),
  async () => {
    await withDirectory(async (root) => {
      const path = syncSettingsPath(root);
      await new Deno.Command("mkfifo", { args: [path] }).output();
      assert.throws(() => readSyncSettings(root), { code: "unsupported-source" });
      Deno.removeSync(path);
      Deno.writeTextFileSync(path, "");
      Deno.truncateSync(path, 1024 * 1024 + 1);
      assert.throws(() => readSyncSettings(root), { code: "unsupported-source" });
    });
  },
);

Deno.test(needing("a link is read, and not written through", UNIX), async () => {
  await withDirectory((directory) => {
    const [root, target] = [join(directory, "store"), join(directory, "mine.json")];
    Deno.mkdirSync(root);
    Deno.writeTextFileSync(target, JSON.stringify(SETTINGS));
    Deno.symlinkSync(target, syncSettingsPath(root));
    assert.deepEqual(readSyncSettings(root), SETTINGS);
    assert.throws(() => writeSyncSettings(root, SETTINGS), { code: "unsafe-store" });
  });
});
