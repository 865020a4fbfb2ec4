/** Two machines of a person, and a folder that both have: the command lines from the first one on. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionFolders } from "../../../lib/core/store/session_folder.ts";
import { openFolderStore } from "../../../lib/features/team/folder/folder_store.ts";
import { openObjectTeam } from "../../../lib/features/team/objects/object_team_store.ts";
import { readSyncSettings } from "../../../lib/features/team/sync_settings.ts";
import { CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { CUT, cutObjects, UNCUT } from "../../_support/cut_objects.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { needing, UNIX } from "../../_support/needing.ts";
import { SFTP, withSshServer } from "../../_support/sftp.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const [ONE, TWO] = [sessionId("aaaa1111"), sessionId("bbbb2222")];

type Run = (args: readonly string[], status?: number) => Promise<string>;

interface Machines {
  laptop: CliHome;
  desktop: CliHome;
  onLaptop: Run;
  onDesktop: Run;
}

/** Two homes with one identity, and programs of their own before the system's. */
async function withMachines(
  programs: string,
  test: (machines: Machines) => Promise<void>,
): Promise<void> {
  await using laptop = new CliHome();
  await using desktop = new CliHome();
  const identity = join(laptop.path, "key.txt");
  assert.equal((await laptop.run(["key", "new", "--out", identity])).status, 0);
  const env = {
    REPRISE_IDENTITY: identity,
    USER: "ann",
    PATH: `${programs}:${Deno.env.get("PATH")}`,
  };
  const runner = (home: CliHome): Run => async (args, status = 0) => {
    const is_local = args[1] === "add" || args[1] === "trust";
    const result = await home.run(args, { env, process: programs !== "" && !is_local });
    assert.equal(result.status, status, `${args.join(" ")}\n${result.stderr}`);
    return result.stdout + result.stderr;
  };
  await test({ laptop, desktop, onLaptop: runner(laptop), onDesktop: runner(desktop) });
}

function log(home: CliHome, id: string): string | undefined {
  const found = sessionFolders(home.store).find(({ session_id }) => session_id === id);
  return found && Deno.readTextFileSync(found.path);
}

const KEY = /[0-9a-f]{64}/;

/** Shares a session from its first command on, and gets it on the other machine. */
async function shareOne(
  { laptop, desktop, onLaptop, onDesktop }: Machines,
  address: string,
): Promise<void> {
  laptop.keep(ONE, [user("Why zebra?"), assistant("Because.")]);
  const made = await onLaptop(["sync", "init", address]);
  assert.match(
    made,
    /^Created a store that belongs to ann\. .*: reprise sync join '(?:file|ssh):\/\/\S+'\n/,
  );
  const [key = ""] = KEY.exec(made) ?? [];
  const added = await onLaptop(["sync", "add", "--project", "site", "--yes"]);
  assert.match(added, /encrypted/);
  assert.match(await onLaptop(["sync", "push"]), /^1 session pushed \(1 new\)/);
  const joined = await onDesktop(["sync", "join", address, "--trust", key]);
  const [other = ""] = KEY.exec(joined) ?? [];
  await onLaptop(["sync", "trust", other]);
  await onDesktop(["sync", "add", "--project", "site", "--yes"]);
  assert.match(
    await onDesktop(["sync", "pull"]),
    /^1 session updated on this machine \(1 of them new here\)/,
  );
  assert.equal(log(desktop, ONE), log(laptop, ONE));
}

/** Uses every command that asks the store, from both machines. */
async function useAll(
  { laptop, desktop, onLaptop, onDesktop }: Machines,
  address: string,
): Promise<void> {
  assert.match(await onLaptop(["sync", "push"]), /^Nothing new: 1 session shared/);
  assert.match(
    await onLaptop(["sync", "init", address], 1),
    /this place already has a store\. To use it/,
  );
  assert.match(await onDesktop(["list", "--remote"]), /Why zebra\?/);
  assert.match(await onDesktop(["show", "team:aaaa"]), /Because\./);
  desktop.keep(TWO, [user("On the desktop")]);
  await onDesktop(["sync", "push"]);
  assert.match(await onLaptop(["sync", "status"]), /to pull {3}1: reprise sync pull/);
  assert.match(
    await onLaptop(["sync", "pull"]),
    /^1 session updated on this machine \(1 of them new here\)/,
  );
  assert.equal(log(laptop, TWO), log(desktop, TWO));
  await onLaptop(["sync", "withdraw", "bbbb"]);
  assert.match(await onDesktop(["sync", "status"]), /withdrawn bbbb2222/);
  assert.doesNotMatch(await onDesktop(["list", "--remote"]), /On the desktop/);
}

inHome.test("a store cannot be made where a file is, which stays as it was", async (home) => {
  const path = join(home.path, "notes.txt");
  Deno.writeTextFileSync(path, "mine\n");
  for (const way of ["init", "join"]) {
    const { status, stderr } = await home.run(["sync", way, path]);
    assert.equal(status, 1);
    assert.match(stderr, /^reprise: Cannot use the store: this is a file, .+notes\.txt\n$/);
  }
  assert.equal(Deno.readTextFileSync(path), "mine\n");
});

// Slow: two machines run all that people do with a shared folder.
Deno.test("two machines share sealed sessions through a folder", async () => {
  await withDirectory((folder) =>
    withMachines("", async (machines) => {
      const address = join(folder, "Sync", "reprise");
      await shareOne(machines, address);
      await useAll(machines, address);
      const text = filesBelow(folder).map((path) => Deno.readTextFileSync(path)).join("\n");
      assert.doesNotMatch(text, /zebra|Because|On the desktop/i);
    })
  );
});

Deno.test("withdraw finishes a withdrawal that was cut off", async () => {
  await withDirectory((folder) =>
    withMachines("", async (machines) => {
      const { laptop, onLaptop } = machines;
      await shareOne(machines, folder);
      await using objects = openFolderStore(folder);
      const left = filesBelow(join(folder, "v1", "segments")).length;
      // The tombstone is written, and no byte is deleted.
      const cut = { ...cutObjects(objects, UNCUT), delete: () => Promise.reject(new Error(CUT)) };
      const store = openObjectTeam(cut);
      const settings = readSyncSettings(laptop.store);
      assert.ok(settings !== undefined && left > 0);
      await store.hello(settings.device);
      await assert.rejects(store.withdraw(ONE), { message: CUT });
      assert.equal(filesBelow(join(folder, "v1", "segments")).length, left);
      assert.match(await onLaptop(["sync", "withdraw", "aaaa"]), /^Withdrawn: aaaa1111$/m);
      assert.deepEqual(filesBelow(join(folder, "v1", "segments")), []);
      assert.match(await onLaptop(["sync", "status"]), /withdrawn aaaa1111/);
      assert.match(await onLaptop(["sync", "withdraw", "aaaa"], 1), /Cannot find session/);
    })
  );
});

Deno.test("an import leaves sealed, though lists show its original", async () => {
  await withDirectory((folder) =>
    withMachines("", async ({ laptop, onLaptop }) => {
      const id = "8d1f0000-0000-4000-8000-000000000001";
      const sessions = join(laptop.path, ".claude", "projects", "-app");
      Deno.mkdirSync(sessions, { recursive: true });
      const message = { role: "user", content: "Why zebra?" };
      const line = { type: "user", uuid: "u1", sessionId: id, cwd: laptop.work, message };
      const text = JSON.stringify({ ...line, timestamp: "2026-01-01T00:00:00Z" });
      Deno.writeTextFileSync(join(sessions, `${id}.jsonl`), `${text}\n`);
      await onLaptop(["import", "8d1f"]);
      await onLaptop(["sync", "init", join(folder, "store")]);
      await onLaptop(["sync", "add", "--project", "site", "--yes"]);
      assert.match(await onLaptop(["sync", "push"]), /^1 session pushed \(1 new\)/);
    })
  );
});

Deno.test("a folder that takes sealed sessions alone says so, and exact ones need a word", async () => {
  await withDirectory((folder) =>
    withMachines("", async ({ laptop, onLaptop }) => {
      laptop.keep(ONE, [user("Why zebra?")]);
      const address = `${join(folder, "store")}?user=ben`;
      assert.match(
        await onLaptop(["sync", "init", address, "--sealed"]),
        /a store that belongs to ben/,
      );
      const add = ["sync", "add", "--project", "site", "--exact"];
      assert.match(await onLaptop(add, 1), /--exact sends sessions unredacted/);
      await onLaptop([...add, "--yes"]);
      assert.match(
        await onLaptop(["sync", "push"], 1),
        /this store accepts only encrypted sessions/,
      );
      await onLaptop(["sync", "remove"]);
      await onLaptop(["sync", "add", "--project", "site", "--yes"]);
      assert.match(await onLaptop(["sync", "push"]), /^1 session pushed/);
      // As where the share is not mounted.
      Deno.removeSync(join(folder, "store"), { recursive: true });
      assert.match(await onLaptop(["sync", "push"], 1), /folder may not be mounted/);
      assert.equal(filesBelow(folder).length, 0);
    })
  );
});

// Slow: a program finds another sftp only in a process of its own.
Deno.test({
  ...needing("two machines share sealed sessions in a folder of a host, by sftp", SFTP, UNIX),
  fn: () =>
    withSshServer(({ port, programs }) =>
      withDirectory((folder) =>
        withMachines(
          programs,
          (machines) => shareOne(machines, `ssh://127.0.0.1:${port}${join(folder, "store")}`),
        )
      )
    ),
});
