/** What is told of systems on which the tests do not run. */
import assert from "node:assert/strict";
import { batchArguments, isBatchFile } from "../../../lib/core/platform/batch_file.ts";
import { othersMay } from "../../../lib/core/platform/file_mode.ts";
import { runsAtAll } from "../../../lib/core/platform/process_state.ts";
import { withSoftSync } from "../../../lib/core/platform/refused_sync.ts";
import { systemsIn } from "../../../lib/core/platform/wsl_systems.ts";

Deno.test("a mode tells what others may do, and nothing on Windows, which has none", () => {
  assert.equal(othersMay("anything", 0o600, "linux"), false);
  assert.equal(othersMay("anything", 0o640, "darwin"), true);
  assert.equal(othersMay("write", 0o644, "linux"), false);
  assert.equal(othersMay("write_of_all", 0o775, "linux"), false);
  for (const mode of [0o666, null]) assert.equal(othersMay("anything", mode, "windows"), undefined);
  assert.equal(othersMay("anything", null, "linux"), undefined);
});

Deno.test("a process runs while the signal 0 reaches it", async () => {
  assert.equal(runsAtAll(Deno.pid), "running");
  // Another user's, where the tests are not root's.
  assert.equal(runsAtAll(1), "running");
  const child = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).spawn();
  await child.status;
  assert.equal(runsAtAll(child.pid), undefined);
});

Deno.test("a batch file gets its arguments as they are, and runs nothing that stands in them", () => {
  for (const name of ["C:\\npm\\claude.cmd", "run.BAT"]) assert.ok(isBatchFile(name));
  for (const name of ["claude.exe", "cmd", "a.cmd.exe"]) assert.ok(!isBatchFile(name));
  const of = (...args: string[]): string | undefined =>
    batchArguments("C:\\a b\\x.cmd", args).at(-1);
  assert.deepEqual(batchArguments("x.cmd", []), ["/d", "/v:off", "/s", "/c", '"x.cmd"']);
  assert.equal(of("--resume"), '"C:\\a^ b\\x.cmd ^^^"--resume^^^""');
  assert.equal(of("a&calc"), '"C:\\a^ b\\x.cmd ^^^"a^^^&calc^^^""');
  assert.equal(of('"', "%PATH%"), '"C:\\a^ b\\x.cmd ^^^"\\^^^"^^^" ^^^"^^^%PATH^^^%^^^""');
  assert.equal(of("end\\"), '"C:\\a^ b\\x.cmd ^^^"end\\\\^^^""');
  for (const broken of ["a\nb", "a\rb"]) {
    assert.throws(() => of(broken), /cannot contain line breaks/);
  }
});

Deno.test("the systems of WSL are lines of UTF-16", () => {
  const bytes = new Uint8Array(
    Uint16Array.from("Ubuntu\r\nDebian-ü\r\n", (one) => one.charCodeAt(0)).buffer,
  );
  assert.deepEqual(systemsIn(bytes), ["Ubuntu", "Debian-ü"]);
  assert.deepEqual(systemsIn(new Uint8Array(0)), []);
});

Deno.test("a sync that a disk refuses passes, and is told once; another fault stays", async () => {
  const told: string[] = [];
  const failing = (error: Error) => {
    const fail = (): never => {
      throw error;
    };
    const file = { sync: async () => await fail(), syncData: async () => await fail() };
    return withSoftSync({ ...file, syncSync: fail, syncDataSync: fail }, (line) => told.push(line));
  };
  const refused = failing(Object.assign(new Error("F_FULLFSYNC"), { code: "ENOTSUP" }));
  await refused.sync();
  await refused.syncData();
  refused.syncSync();
  refused.syncDataSync();
  assert.equal(told.length, 1);
  const full = failing(Object.assign(new Error("disk full"), { code: "ENOSPC" }));
  await assert.rejects(full.syncData(), /disk full/);
  assert.throws(() => full.syncDataSync(), /disk full/);
});
