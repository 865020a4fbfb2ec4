/** Folders and files that may not be written or read: by a user for whom modes count. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openStore } from "../../lib/core/store/open_store.ts";
import type { Listed } from "../_support/children/list_child.ts";
import type { Script, Step, StepAnswer } from "../_support/children/session_child.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { childPath } from "../_support/processes.ts";
import { setReadOnly, SMALL_DISK, withSmallDisk } from "../_support/small_disk.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { keepPiSession } from "../commands/_pi_session.ts";
import { needing } from "../_support/needing.ts";

/** Nobody, on most systems: any user but root would do. */
const UID = 65534;
const IS_ROOT = Deno.build.os !== "windows" && Deno.uid() === 0;

/** Words before a command that make it run as an ordinary user. */
const ORDINARY = IS_ROOT ? ["setpriv", `--reuid=${UID}`, `--regid=${UID}`, "--clear-groups"] : [];

function canRun(): boolean {
  if (Deno.build.os === "windows") return false;
  const [program = Deno.execPath(), ...args] = [...ORDINARY, Deno.execPath(), "--version"];
  try {
    return new Deno.Command(program, { args, env: { DENO_DIR: "/nowhere" } }).outputSync().success;
  } catch {
    // Root without `setpriv`.
    return false;
  }
}

const ORDINARY_USER = {
  what: "an ordinary user who may run Deno",
  get: "run the tests as one, or as root with setpriv",
  met: canRun(),
};
/** The user's compiled programs, for all tests. */
const CACHE = Deno.makeTempDirSync();
giveAway(CACHE);
globalThis.addEventListener("unload", () => Deno.removeSync(CACHE, { recursive: true }));

const ROOT = { what: "root", get: "run the tests as root", met: IS_ROOT };

/** Runs a program of the tests' own as an ordinary user, and gives its answers. */
async function answers<Answer>(
  directory: string,
  name: string,
  argument: string,
): Promise<Answer[]> {
  const command = [
    ...ORDINARY,
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    childPath(name),
    argument,
  ];
  const [program = "", ...args] = command;
  const { stdout, stderr, code } = await new Deno.Command(program, {
    args,
    cwd: directory,
    env: { DENO_DIR: CACHE, HOME: directory },
  }).output();
  const told = new TextDecoder().decode(stdout).trim().split("\n");
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return told.map((line) => JSON.parse(line));
}

function keepSession(
  directory: string,
  script: Partial<Script> & { steps: Step[] },
): Promise<StepAnswer[]> {
  const root = join(directory, "store");
  return answers(directory, "session_child", JSON.stringify({ root, ...script }));
}

async function list(directory: string): Promise<Listed> {
  const [listed] = await answers<Listed>(directory, "list_child", join(directory, "store"));
  assert.ok(listed);
  return listed;
}

function giveAway(path: string): void {
  const args = ["-R", `${UID}:${UID}`, path];
  if (IS_ROOT) assert.ok(new Deno.Command("chown", { args }).outputSync().success);
}

/** Runs a test with a store of one closed session, owned by the ordinary user. */
async function withSession(
  test: (directory: string, path: string) => Promise<void>,
): Promise<void> {
  await withDirectory(async (directory) => {
    const root = join(directory, "store");
    const session = openStore({ root }).create({ cwd: root });
    await session.append(user("kept"));
    await session.finish();
    giveAway(directory);
    await test(directory, session.path);
  });
}

const APPEND: Step[] = [{ append: user("one") }, { append: user("two") }];

// Slow: another user runs a process for each step.
Deno.test(
  needing("P1 where no folder can be made, each append is rejected as permission", ORDINARY_USER),
  async () => {
    await withSession(async (directory, path) => {
      const namespace = dirname(dirname(path));
      Deno.chmodSync(namespace, 0o500);
      const told = await keepSession(directory, { steps: [...APPEND, "finish"] });
      assert.deepEqual(told.map(({ error, degraded }) => [error?.code, degraded]), [
        ["permission", true],
        ["permission", true],
        [undefined, true],
      ]);
      assert.match(
        told[0]?.error?.message ?? "",
        /^Cannot create session: permission denied; check the owner and the mode of the path: /,
      );
      assert.equal([...Deno.readDirSync(namespace)].length, 1);
      Deno.chmodSync(namespace, 0o700);
      const again = await keepSession(directory, { steps: APPEND });
      assert.deepEqual(again.map(({ seq }) => seq), [2, 3]);
    });
  },
);

Deno.test(
  needing("a log that may not be written is not resumed, and its lock is let go", ORDINARY_USER),
  async () => {
    await withSession(async (directory, path) => {
      const bytes = Deno.readFileSync(path);
      const id = dirname(path).slice(-36);
      Deno.chmodSync(path, 0o400);
      await assert.rejects(
        keepSession(directory, { resume: id, steps: APPEND }),
        /permission denied/,
      );
      assert.deepEqual(Deno.readFileSync(path), bytes);
      Deno.chmodSync(path, 0o600);
      const told = await keepSession(directory, { resume: id, steps: APPEND });
      assert.deepEqual(told.map(({ seq }) => seq), [5, 6]);
    });
  },
);

Deno.test(
  needing("a session whose folder may not be written, but its files may, goes on", ORDINARY_USER),
  async () => {
    await withSession(async (directory, path) => {
      Deno.chmodSync(dirname(path), 0o500);
      const id = dirname(path).slice(-36);
      const told = await keepSession(directory, { resume: id, steps: [...APPEND, "finish"] });
      assert.deepEqual(told.map(({ seq, error }) => seq ?? error), [5, 6, undefined]);
      assert.deepEqual([...Deno.readDirSync(dirname(path))].map(({ name }) => name).sort(), [
        "lock",
        "transcript_events.jsonl",
      ]);
      Deno.chmodSync(dirname(path), 0o700);
    });
  },
);

Deno.test(
  needing(
    "a lock that may not be opened is no lock to take, and none that stops a list",
    ORDINARY_USER,
  ),
  async () => {
    await withSession(async (directory, path) => {
      Deno.chmodSync(join(dirname(path), "lock"), 0o000);
      const id = dirname(path).slice(-36);
      await assert.rejects(
        keepSession(directory, { resume: id, steps: APPEND }),
        /permission denied/,
      );
      assert.deepEqual(await list(directory), {
        rows: [{ title: "kept", status: "completed" }],
        errors: [],
      });
    });
  },
);

// Slow: another user runs a process for each step.
Deno.test(
  needing("a session that may not be read is told, and the others are listed", ORDINARY_USER),
  async () => {
    await withSession(async (directory, path) => {
      await keepSession(directory, { steps: [{ append: user("other") }, "finish"] });
      for (const [closed, mode] of [[path, 0o600], [dirname(path), 0o700]] as const) {
        Deno.chmodSync(closed, 0o000);
        const { rows, errors } = await list(directory);
        assert.deepEqual(rows, [{ title: "other", status: "completed" }]);
        assert.deepEqual(errors.map(({ code }) => code), ["permission"]);
        assert.match(
          errors[0]?.message ?? "",
          /^Cannot (?:read session|open log): permission denied; .*: /,
        );
        Deno.chmodSync(closed, mode);
      }
      assert.equal((await list(directory)).rows.length, 2);
    });
  },
);

Deno.test(needing("a store that may not be read is one typed error", ORDINARY_USER), async () => {
  await withSession(async (directory) => {
    const sessions = join(directory, "store", "sessions");
    Deno.chmodSync(sessions, 0o000);
    const { rows, errors } = await list(directory);
    assert.deepEqual([rows, errors.map(({ code }) => code)], [[], ["permission"]]);
    Deno.chmodSync(sessions, 0o700);
  });
});

Deno.test(
  needing(
    "another user's store is refused to write, and can be read where its modes let in",
    ROOT,
    ORDINARY_USER,
  ),
  async () => {
    await withSession(async (directory, path) => {
      const root = join(directory, "store");
      Deno.chownSync(root, 0, 0);
      Deno.chmodSync(root, 0o755);
      await assert.rejects(
        keepSession(directory, { steps: APPEND }),
        new RegExp(
          `Cannot use store: the owner is user 0, not you \\(${UID}\\); set REPRISE_HOME to`,
        ),
      );
      assert.equal((await list(directory)).rows.length, 1);
      assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
    });
  },
);

/** Commands that write to the store. */
const WRITING = [
  ...["fork aaaa", "merge aaaa bbbb", "import pi:1111", "backup pi:1111", "rename aaaa T"],
  ...["archive aaaa", "relink /gone .", "delete aaaa", "delete --max-size 1B"],
  ...["config set session.retention_days 30", "rename pi:1111 T"],
];

Deno.test(
  needing(
    "a store on a read-only disk is found and read, and refuses writes with a reason",
    SMALL_DISK,
  ),
  async () => {
    await withSmallDisk(async (disk) => {
      await using home = new CliHome();
      keepPiSession(home);
      for (const prefix of ["aaaa", "bbbb"]) home.keep(sessionId(prefix), [user(`the ${prefix}`)]);
      const env = { REPRISE_HOME: join(disk, "store") };
      Deno.mkdirSync(env.REPRISE_HOME, { mode: 0o700 });
      const { success } = await new Deno.Command("cp", {
        args: ["-a", join(home.store, "sessions"), env.REPRISE_HOME],
      }).output();
      assert.ok(success);
      setReadOnly(disk);
      const before = snapshot(disk);
      const lines = WRITING.map((line) => line.split(" "));
      const refused = await home.runAll(lines, { env });
      for (const [index, { status, stdout, stderr }] of refused.entries()) {
        assert.deepEqual([status, stdout], [1, ""], `${WRITING[index]}: ${stderr}`);
        assert.match(stderr, /^reprise: Cannot .*read-only/i, WRITING[index]);
      }
      const reading = [
        "list",
        "show aaaa",
        "search the",
        "export aaaa",
        "secrets aaaa",
        "doctor aaaa",
      ];
      const read = await home.runAll(reading.map((line) => line.split(" ")), { env });
      for (const [index, { status, stdout, stderr }] of read.entries()) {
        assert.equal(status, 0, `${reading[index]}: ${stderr}`);
        assert.match(stdout + stderr, /the aaaa|No secrets|whole/, reading[index]);
      }
      assert.deepEqual(snapshot(disk), before);
    });
  },
);
