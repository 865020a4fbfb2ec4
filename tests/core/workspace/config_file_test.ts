import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { defaultConfig } from "../../../lib/core/workspace/config.ts";
import {
  configPath,
  readConfig,
  writeConfigValue,
} from "../../../lib/core/workspace/config_file.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { needing, UNIX } from "../../_support/needing.ts";

inDirectory.test("without a file the settings are the defaults, and reading makes none", (root) => {
  assert.deepEqual(readConfig(root), defaultConfig());
  assert.deepEqual(readConfig(join(root, "not there")), defaultConfig());
  assert.deepEqual([...Deno.readDirSync(root)], []);
});

inDirectory.test("a value is set and taken back, and all else in the file stays", (directory) => {
  const root = join(directory, "store");
  writeConfigValue(root, "session.retention_days", 30);
  assert.equal(readConfig(root)["session.retention_days"], 30);
  Deno.writeTextFileSync(configPath(root), '{"later.setting":[1],"session.retention_days":30}');
  writeConfigValue(root, "session.enabled", false);
  writeConfigValue(root, "session.retention_days", undefined);
  assert.deepEqual(JSON.parse(Deno.readTextFileSync(configPath(root))), {
    "later.setting": [1],
    "session.enabled": false,
  });
  assert.equal(readConfig(root)["session.retention_days"], undefined);
});

Deno.test(needing("the file is private, and there is no draft beside it", UNIX), async () => {
  await withDirectory((directory) => {
    const root = join(directory, "store");
    writeConfigValue(root, "session.enabled", false);
    assert.equal((Deno.statSync(configPath(root)).mode ?? 0) & 0o777, 0o600);
    assert.equal((Deno.statSync(root).mode ?? 0) & 0o777, 0o700);
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["config.json"]);
  });
});

Deno.test(
  needing("settings are read through a link, and not written through it", UNIX),
  async () => {
    await withDirectory((directory) => {
      const [root, target] = [join(directory, "store"), join(directory, "settings.json")];
      Deno.mkdirSync(root);
      Deno.writeTextFileSync(target, '{"session.retention_days":30}');
      Deno.symlinkSync(target, configPath(root));
      assert.equal(readConfig(root)["session.retention_days"], 30);
      assert.throws(() => writeConfigValue(root, "session.enabled", false), {
        code: "unsafe-store",
        message: `Cannot write settings: ${
          configPath(root)
        } is a link; change the file ${target} itself`,
      });
      assert.equal(Deno.readTextFileSync(target), '{"session.retention_days":30}');
      assert.ok(Deno.lstatSync(configPath(root)).isSymlink);
    });
  },
);

inDirectory.test("a file that cannot be read is not written over", (root) => {
  Deno.writeTextFileSync(configPath(root), "{ not JSON");
  assert.throws(() => writeConfigValue(root, "session.enabled", false), (error) => {
    return error instanceof SessionError && error.code === "invalid-config";
  });
  assert.equal(Deno.readTextFileSync(configPath(root)), "{ not JSON");
});

inDirectory.test("an invalid value stays in the file until it is set", (root) => {
  const bad = { "session.enabled": 1, "session.durability": "x" };
  Deno.writeTextFileSync(configPath(root), JSON.stringify(bad));
  assert.throws(() => readConfig(root), SessionError);
  writeConfigValue(root, "session.enabled", true);
  assert.deepEqual(JSON.parse(Deno.readTextFileSync(configPath(root))), {
    ...bad,
    "session.enabled": true,
  });
  writeConfigValue(root, "session.durability", undefined);
  assert.equal(readConfig(root)["session.enabled"], true);
});

Deno.test(needing("a change that fails is a typed error, and leaves no draft", UNIX), async () => {
  await withDirectory((root) => {
    // A folder in its place can be read by nobody, nor replaced by a file.
    Deno.mkdirSync(configPath(root));
    assert.throws(() => readConfig(root), (error) => {
      assert.ok(error instanceof SessionError);
      assert.match(error.message, /^Cannot read settings: .+: .*config\.json$/);
      return true;
    });
    Deno.removeSync(configPath(root));
    Deno.writeTextFileSync(join(root, "file"), "");
    assert.throws(
      () => writeConfigValue(join(root, "file", "store"), "session.enabled", true),
      SessionError,
    );
    assert.deepEqual([...Deno.readDirSync(root)].map(({ name }) => name), ["file"]);
  });
});
