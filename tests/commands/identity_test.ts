import assert from "node:assert/strict";
import { join } from "node:path";
import { commandWords } from "../../lib/core/platform/shell_word.ts";
import { makeIdentity, recipientOf } from "../../lib/text/seal/keys.ts";
import { writeIdentityFile } from "../../lib/text/seal/identity_file.ts";
import { sealBytes } from "../../lib/text/seal/seal.ts";
import { AGE, runAge } from "../_support/age_program.ts";
import { cliCommand, cliEnvironment } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { roundsOf } from "../_support/few_rounds.ts";
import { user } from "../_support/log_bytes.ts";
import { mulberry32 } from "../_support/mulberry32.ts";
import { snapshot } from "../_support/store_snapshot.ts";
import { runTraced, STRACE } from "../_support/strace.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { type Requirement, UNIX } from "../_support/needing.ts";
import { testsWith } from "../_support/tests_in.ts";

const identity = await makeIdentity();
const recipients = [await recipientOf(identity)];

/** A home with a session's log, beside it the same encrypted, and the key. */
class SealedHome extends CliHome {
  readonly plain = join(this.work, "plain.jsonl");
  readonly sealed = join(this.work, "F.age");
  readonly key = join(this.path, "key file.txt");
}

async function sealedHome(): Promise<SealedHome> {
  const home = new SealedHome();
  const events = Array.from({ length: 30 }, (_, index) => user(`unearthed ${index} `.repeat(100)));
  Deno.renameSync(home.keep(sessionId("aaaa"), events, { title: "Talk" }).path, home.plain);
  Deno.removeSync(home.store, { recursive: true });
  Deno.writeFileSync(home.sealed, await sealBytes(Deno.readFileSync(home.plain), { recipients }));
  await writeIdentityFile(home.key, identity, new Date());
  return home;
}

const sealing = (...needed: Requirement[]) => testsWith(sealedHome, ...needed);
const onUnix = sealing(UNIX);

// Slow: each command reads the log twice.
sealing().test("reads the same of an encrypted log as of the plain one", async (home) => {
  const { plain, sealed, key } = home;
  const lines = [
    ...["show", "show --json --last 3", "show --events", "doctor", "doctor --json"],
    ...["conversation", "conversation --format openai", "export --format jsonl"],
    ...["export --format md", "export --format html", "export --format jsonl --redact"],
  ];
  for (const name of lines) {
    const [command = "", ...args] = name.split(" ");
    const one = await home.run([command, plain, ...args]);
    const other = await home.run([command, sealed, ...args, "--identity", key]);
    assert.equal(other.status, 0, `${name}: ${other.stderr}`);
    // Paths, and the moment of an export, are their own.
    const same = (text: string): string =>
      text.replaceAll(sealed, plain).replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.Z]*/g, "");
    assert.equal(same(other.stdout), same(one.stdout), name);
    assert.ok(one.stdout.length > 50, name);
  }
  const diff = await home.run(["diff", plain, sealed, "--identity", key]);
  assert.match(diff.stdout, /The sessions are identical: 1 turn, 30 items/, diff.stderr);
});

onUnix.test("a command prints the identity; no shell runs it, and no message repeats what it prints", async (home) => {
  const { sealed, key } = home;
  const set = (line: string): Promise<unknown> =>
    home.run(["config", "set", "encrypt.key_command", line]);
  await set(`cat '${key}'`);
  assert.equal((await home.run(["doctor", sealed])).status, 0);
  const program = join(home.work, "mine");
  Deno.writeTextFileSync(program, `#!/bin/sh\necho ${identity}\n`, { mode: 0o755 });
  const wrong: Record<string, RegExp> = {
    "cat /nowhere/at/all": /cat ended with status 1/,
    "no-such-program-here": /there is no program no-such-program-here on PATH/,
    "mine": /there is no program mine on PATH/,
    "yes AGE-SECRET-KEY-1": /yes printed too much/,
    "echo secret words": /no line begins with AGE-SECRET-KEY-, as a private key does/,
    "echo $HOME; rm -rf $HOME": /no line begins with/,
    "true": /no line begins with AGE-SECRET-KEY-, as a private key does/,
  };
  for (const [line, reason] of Object.entries(wrong)) {
    await set(line);
    const { status, stdout, stderr } = await home.run(["doctor", sealed]);
    assert.deepEqual([status, stdout], [1, ""], line);
    assert.match(stderr, reason, line);
    assert.ok(stderr.includes("encrypt.key_command"), stderr);
    assert.ok(!stderr.includes("secret words"), stderr);
  }
  await set(program);
  assert.equal((await home.run(["doctor", sealed])).status, 0);
});

Deno.test("the words of a command are held together by quotes alone", () => {
  assert.deepEqual(commandWords(`op read 'op://a b/c' --x="y z" d\\e $HOME`), [
    ...["op", "read", "op://a b/c", "--x=y z", "d\\e", "$HOME"],
  ]);
  assert.deepEqual(commandWords("  "), []);
});

onUnix.test("a key that others can read is refused", async (home) => {
  const { sealed, key } = home;
  Deno.chmodSync(key, 0o644);
  const { status, stderr } = await home.run(["show", sealed, "--identity", key]);
  assert.equal(status, 1);
  assert.match(stderr, /other users can read the file; make it private: chmod 600/);
  assert.ok(!stderr.includes(identity));
});

sealing().test("keeps nothing of a truncated or changed file, and fails", async (home) => {
  const { sealed, key } = home;
  const whole = Deno.readFileSync(sealed);
  const random = mulberry32(3);
  await home.run(["config", "set", "session.retention_days", "90"]);
  const before = await snapshot(home.store);
  for (let round = 0; round < roundsOf(12); round++) {
    const place = 100 + Math.floor(random() * (whole.length - 100));
    const bytes = round % 2 === 0 ? whole.slice(0, place) : Uint8Array.from(whole);
    if (round % 2 === 1) bytes[place] = (bytes[place] ?? 0) ^ 4;
    Deno.writeFileSync(sealed, bytes);
    const lines = [["import"], ["fork"], ["export", "--out", "out.jsonl"], ["doctor"], ["show"]];
    for (const [command = "", ...args] of lines) {
      const line = [command, sealed, ...args, "--identity", key];
      const { status, stdout, stderr } = await home.run(line);
      const name = `${command}, round ${round}: ${stderr}`;
      assert.equal(status, 1, name);
      assert.match(
        stderr,
        /Cannot decrypt: the file is (?:cut off or was changed|encrypted for another key)/,
        name,
      );
      if (command !== "show") assert.equal(stdout, "", name);
    }
  }
  assert.deepEqual(await snapshot(home.store), before);
  assert.deepEqual([...Deno.readDirSync(home.work)].map(({ name }) => name).sort(), [
    ...["F.age", "plain.jsonl"],
  ]);
});

sealing(AGE).test("files that age wrote are read, binary and as ASCII", async (home) => {
  const { plain, sealed, key } = home;
  for (const armor of [[], ["-a"]]) {
    const args = [...armor, "-r", recipients[0] ?? ""];
    Deno.writeFileSync(sealed, await runAge(args, Deno.readFileSync(plain)));
    const { status, stdout } = await home.run(["doctor", sealed, "--identity", key]);
    assert.deepEqual([status, stdout.slice(0, 6)], [0, "whole:"]);
  }
});

// Slow: strace follows a process of the program.
sealing(STRACE).test("reading an encrypted log writes no file", async (home) => {
  const { sealed, key } = home;
  const { status, calls, stdout } = await runTraced(
    ["-e", "trace=openat,open,creat,memfd_create"],
    [...cliCommand(), "show", sealed, "--identity", key],
    { env: cliEnvironment({ home: home.path }), cwd: home.work },
  );
  assert.equal(status, 0);
  assert.match(stdout, /unearthed 29/);
  const writing = calls.filter((call) => /O_WRONLY|O_RDWR|O_CREAT|creat\(|memfd/.test(call));
  const { DENO_DIR = "/nowhere" } = cliEnvironment({ home: home.path });
  const isOurs = (call: string): boolean =>
    !/"\/dev\/|\.cache|deno/i.test(call) && !call.includes(DENO_DIR);
  assert.deepEqual(writing.filter(isOurs), []);
});

// Slow: a program in a terminal is answered key by key.
sealing(TERMINAL).test("a passphrase is asked for at a terminal alone", async (home) => {
  const { plain, sealed } = home;
  const target = { passphrase: "correct horse", work_factor: 5 };
  Deno.writeFileSync(sealed, await sealBytes(Deno.readFileSync(plain), target));
  const piped = await home.run(["doctor", sealed]);
  assert.equal(piped.status, 1);
  assert.match(piped.stderr, /the file needs a passphrase\. Run this command at a terminal/);
  const script = `${shellLine(["doctor", sealed])}; echo "ended $?"`;
  await using terminal = await Terminal.open(home, script, { columns: 100 });
  await terminal.until(/Passphrase of F\.age:/);
  await terminal.type("correct horse");
  await terminal.press("Enter");
  const screen = await terminal.until(/ended \d/);
  assert.match(screen, /whole: [^]*ended 0/);
  assert.ok(!screen.includes("horse"));
});
