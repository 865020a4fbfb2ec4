/** Sessions and backups that were pushed to a store before they were scrubbed. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sessionFolders } from "../../../lib/core/store/session_folder.ts";
import { jsonLines } from "../../_support/cli.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { leaksBelow, PLANTED_REFS, plantSecrets } from "../../_support/planted_secrets.ts";
import { continueSession } from "../../_support/team_homes.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

/** Machines of one person with one key and one folder. */
class Machines implements AsyncDisposable {
  readonly #homes: CliHome[] = [];
  readonly #folder: string;
  readonly #form: string;

  constructor(folder: string, form: string) {
    this.#folder = folder;
    this.#form = form;
  }

  /** Adds a machine that has the project; the first one makes the store. */
  async add(): Promise<CliHome> {
    const home = new CliHome();
    const key = join(this.#folder, "key.txt");
    const store = join(this.#folder, "store");
    if (this.#homes.length === 0) await this.run(home, ["key", "new", "--out", key]);
    const is_first = this.#homes.length === 0;
    const joined = await this.run(home, ["sync", is_first ? "init" : "join", store]);
    const [own = ""] = /[0-9a-f]{64}/.exec(joined) ?? [];
    for (const other of this.#homes) {
      const [its = ""] = /[0-9a-f]{64}/.exec(await this.run(other, ["sync", "status"])) ?? [];
      await this.run(other, ["sync", "trust", own]);
      await this.run(home, ["sync", "trust", its]);
    }
    await this.run(home, ["sync", "add", "--project", "site", this.#form, "--yes"]);
    this.#homes.push(home);
    return home;
  }

  async run(home: CliHome, args: readonly string[], status = 0): Promise<string> {
    const env = { REPRISE_IDENTITY: join(this.#folder, "key.txt"), USER: "ann" };
    const result = await home.run(args, { env });
    assert.equal(result.status, status, `${args.join(" ")}\n${result.stderr}`);
    return result.stdout + result.stderr;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const home of this.#homes) await home[Symbol.asyncDispose]();
  }
}

function logs(home: CliHome): Map<string, string> {
  return new Map(
    sessionFolders(home.store).map(({ session_id, path }) => [
      session_id,
      Deno.readTextFileSync(path),
    ]),
  );
}

const [CLAUDE = "", , , , OWN = ""] = PLANTED_REFS;
const SCRUB = ["--scrub", "--write"];

for (const form of ["--exact", "--sealed"]) {
  // Slow: three machines share a folder.
  Deno.test(`after a scrub the next push of ${form} replaces a session and a backup in the store`, () =>
    withDirectory(async (folder) => {
      await using machines = new Machines(folder, form);
      const laptop = await machines.add();
      const planted = plantSecrets(laptop);
      const [backup] = jsonLines((await laptop.succeed(["backup", CLAUDE, "--json"])).stdout);
      const copy = String(backup?.session_id);
      await machines.run(laptop, ["sync", "push"]);
      const before = logs(laptop);
      const key = ["--identity", join(folder, "key.txt")];
      const look = await machines.run(laptop, ["secrets", CLAUDE, "--scrub"], 1);
      assert.match(
        look,
        new RegExp(`${copy} \\(its backup\\) is also in store .* \\(project site\\)\\. The next`),
      );
      for (const ref of [CLAUDE, OWN]) {
        const said = await machines.run(laptop, ["secrets", ref, ...SCRUB, ...key]);
        const id = ref === OWN ? OWN : copy;
        assert.match(
          said,
          new RegExp(`push replaces the (?:copy|session) there\\. To delete .*withdraw ${id}`),
        );
      }
      // Nothing comes back with a pull before the push.
      assert.match(await machines.run(laptop, ["sync", "pull"]), /^Nothing new/);
      const pushed = await machines.run(laptop, ["sync", "push"]);
      assert.match(pushed, /^Replaced in the store, because secrets were scrubbed here: .*, /m);
      assert.match(await machines.run(laptop, ["sync", "push"]), /^Nothing new/);
      assert.match(await machines.run(laptop, ["sync", "pull"]), /^Nothing new/);
      const desktop = await machines.add();
      await machines.run(desktop, ["sync", "pull"]);
      assert.deepEqual(logs(desktop), logs(laptop));
      assert.deepEqual([...logs(desktop).keys()].sort(), [copy, OWN].sort());
      assert.deepEqual(leaksBelow(desktop.store, planted), []);
      assert.doesNotMatch(await machines.run(desktop, ["list", "--all", "--remote"]), /@2/);
      for (const ref of [CLAUDE, OWN]) {
        await machines.run(laptop, ["secrets", ref, "--scrub", "--undo", ...key]);
      }
      assert.match(await machines.run(laptop, ["sync", "push"]), /^Replaced in the store/m);
      const phone = await machines.add();
      await machines.run(phone, ["sync", "pull"]);
      assert.deepEqual(logs(phone), before);
    }));
}

// Slow: two machines share a folder.
Deno.test("a session that another machine continued is not replaced in the store", () =>
  withDirectory(async (folder) => {
    await using machines = new Machines(folder, "--exact");
    const laptop = await machines.add();
    plantSecrets(laptop);
    await machines.run(laptop, ["sync", "push"]);
    const desktop = await machines.add();
    await machines.run(desktop, ["sync", "pull"]);
    await continueSession(desktop, OWN, "And then?");
    await machines.run(desktop, ["sync", "push"]);
    await machines.run(laptop, ["secrets", OWN, ...SCRUB, "--no-original"]);
    const refused = await machines.run(laptop, ["sync", "push"], 1);
    assert.match(
      refused,
      new RegExp(`another machine continued it\\. .*: reprise sync withdraw ${OWN}`),
    );
    await machines.run(laptop, ["sync", "withdraw", OWN]);
    await machines.run(laptop, ["sync", "push"]);
  }));
// Slow: two machines share a folder.
Deno.test("another machine that has the old lines does not send them again", () =>
  withDirectory(async (folder) => {
    await using machines = new Machines(folder, "--exact");
    const laptop = await machines.add();
    const planted = plantSecrets(laptop);
    await machines.run(laptop, ["sync", "push"]);
    const desktop = await machines.add();
    await machines.run(desktop, ["sync", "pull"]);
    await machines.run(laptop, ["secrets", OWN, ...SCRUB, "--no-original"]);
    const pushed = await machines.run(laptop, ["sync", "push"]);
    assert.match(
      pushed,
      /^Replaced in .*: aaaa0000\. Other machines .* delete the sessions there$/m,
    );
    for (const command of ["push", "pull", "push", "pull"]) {
      await machines.run(desktop, ["sync", command]);
    }
    assert.match(await machines.run(desktop, ["sync", "push"]), /^Nothing new/);
    const phone = await machines.add();
    await machines.run(phone, ["sync", "pull"]);
    assert.deepEqual(leaksBelow(phone.store, planted), []);
    assert.deepEqual(logs(phone), logs(laptop));
  }));

// Slow: two machines share a folder.
Deno.test("a machine that only pushed does not send lines again that another one scrubbed", () =>
  withDirectory(async (folder) => {
    await using machines = new Machines(folder, "--exact");
    const laptop = await machines.add();
    const planted = plantSecrets(laptop);
    await machines.run(laptop, ["sync", "push"]);
    const desktop = await machines.add();
    await machines.run(desktop, ["sync", "pull"]);
    await machines.run(desktop, ["secrets", OWN, ...SCRUB, "--no-original"]);
    await machines.run(desktop, ["sync", "push"]);
    await machines.run(laptop, ["sync", "pull"]);
    await machines.run(laptop, ["sync", "push"]);
    const phone = await machines.add();
    await machines.run(phone, ["sync", "pull"]);
    assert.deepEqual(leaksBelow(phone.store, planted), []);
  }));
