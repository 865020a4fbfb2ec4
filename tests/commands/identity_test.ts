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
import { needing } from "../_support/needing.ts";
import { onUnix, testsNeeding } from "../_support/tests_in.ts";

const atTerminal = testsNeeding(TERMINAL);

const identity = await makeIdentity();
const recipients = [await recipientOf(identity)];

/** A home with a session's log, beside it the same encrypted, and the key. */
interface SealedHome {
  home: CliHome;
  plain: string;
  sealed: string;
  key: string;
}

async function sealedHome(): Promise<SealedHome> {
  const home = new CliHome();
  const events = Array.from({ length: 30 }, (_, index) => user(`unearthed ${index} `.repeat(100)));
  const { path } = home.keep(sessionId("aaaa"), events, { title: "Talk" });
  const [plain, sealed] = [join(home.work, "plain.jsonl"), join(home.work, "F.age")];
  Deno.renameSync(path, plain);
  Deno.removeSync(home.store, { recursive: true });
  Deno.writeFileSync(sealed, await sealBytes(Deno.readFileSync(plain), { recipients }));
  const key = join(home.path, "key file.txt");
  await writeIdentityFile(key, identity, new Date());
  return { home, plain, sealed, key };
}

// Slow: each command reads the log twice.
Deno.test("reads the same of an encrypted log as of the plain one", async () => {
  const { home, plain, sealed, key } = await sealedHome();
  await using _ = home;
  const lines = [
    ["show"],
    ["show", "--json", "--last", "3"],
    ["show", "--events"],
    ["conversation"],
    ["conversation", "--format", "openai"],
    ["doctor"],
    ["doctor", "--json"],
    ["export", "--format", "jsonl"],
    ["export", "--format", "md"],
    ["export", "--format", "html"],
    ["export", "--format", "jsonl", "--redact"],
  ];
  for (const [command = "", ...args] of lines) {
    const one = await home.run([command, plain, ...args]);
    const other = await home.run([command, sealed, ...args, "--identity", key]);
    const name = [command, ...args].join(" ");
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

Deno.test("an import of an encrypted log is that of the plain one, and known again", async () => {
  const { home, plain, sealed, key } = await sealedHome();
  await using _ = home;
  const [from_plain, from_sealed] = await home.runInOrder([
    ["import", plain, "--again", "--json"],
    ["import", sealed, "--again", "--json", "--identity", key],
  ]);
  const [one, other] = [from_plain, from_sealed].map((result) => JSON.parse(result?.stdout ?? ""));
  assert.deepEqual([other.imported_from.agent, other.imported_from.id], [
    one.imported_from.agent,
    one.imported_from.id,
  ]);
  assert.deepEqual(other.written.account, one.written.account);
  const diff = await home.run(["diff", one.session_id, other.session_id]);
  assert.match(diff.stdout, /The sessions are identical/);
  // It is other bytes each time that it is encrypted, and the same session.
  Deno.writeFileSync(sealed, await sealBytes(Deno.readFileSync(plain), { recipients }));
  const again = await home.run(["import", sealed, "--identity", key]);
  assert.equal(again.stdout.trim(), other.session_id);
  assert.match(again.stderr, /Imported already[^]*reprise import \S+F\.age --again/);
});

Deno.test("an encrypted log is forked, whole or up to an event", async () => {
  const { home, plain, sealed, key } = await sealedHome();
  await using _ = home;
  const whole = await home.run(["fork", sealed, "--identity", key]);
  assert.equal(whole.status, 0, whole.stderr);
  const diff = await home.run(["diff", plain, whole.stdout.trim()]);
  assert.match(diff.stdout, /The sessions are identical: 1 turn, 30 items/);
  const part = await home.run(["fork", `${sealed}#5`, "--identity", key, "--json"]);
  assert.equal(JSON.parse(part.stdout).parent.seq, 5);
  const merge = await home.run(["merge", sealed, whole.stdout.trim()]);
  assert.equal(merge.status, 1);
});

Deno.test("the identity comes from --identity, the variable or a command, in this order", async () => {
  const { home, sealed, key } = await sealedHome();
  await using _ = home;
  const none = await home.run(["doctor", sealed]);
  assert.deepEqual([none.status, none.stdout], [1, ""]);
  assert.equal(
    none.stderr,
    `reprise: Cannot decrypt: the file is encrypted; give --identity FILE, or set REPRISE_IDENTITY: ${sealed}\n`,
  );
  const other = join(home.path, "other");
  await writeIdentityFile(other, await makeIdentity(), new Date());
  const wrong = await home.run(["doctor", sealed, "--identity", other]);
  assert.match(
    wrong.stderr,
    /the file is encrypted for another key, so this identity \(private key\) cannot decrypt it/,
  );
  const both = ["doctor", "F.age", "--identity", other, "--identity", key];
  assert.equal((await home.run(both)).status, 0);
  const env = { REPRISE_IDENTITY: key };
  const [by_variable, by_flag] = await Promise.all([
    home.run(["doctor", sealed], { env }),
    home.run(["doctor", sealed, "--identity", other], { env }),
  ]);
  assert.deepEqual([by_variable.status, by_flag.status], [0, 1]);
});

onUnix.test("a command prints the identity; no shell runs it, and no message repeats what it prints", async () => {
  const { home, sealed, key } = await sealedHome();
  await using _ = home;
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

onUnix.test("a key that others can read is refused", async () => {
  const { home, sealed, key } = await sealedHome();
  await using _ = home;
  Deno.chmodSync(key, 0o644);
  const { status, stderr } = await home.run(["show", sealed, "--identity", key]);
  assert.equal(status, 1);
  assert.match(stderr, /other users can read the file; make it private: chmod 600/);
  assert.ok(!stderr.includes(identity));
});

Deno.test("keeps nothing of a truncated or changed file, and fails", async () => {
  const { home, sealed, key } = await sealedHome();
  await using _ = home;
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

Deno.test(needing("files that age wrote are read, binary and in ASCII armor", AGE), async () => {
  const { home, plain, sealed, key } = await sealedHome();
  await using _ = home;
  for (const armor of [[], ["-a"]]) {
    const args = [...armor, "-r", recipients[0] ?? ""];
    Deno.writeFileSync(sealed, await runAge(args, Deno.readFileSync(plain)));
    const { status, stdout } = await home.run(["doctor", sealed, "--identity", key]);
    assert.deepEqual([status, stdout.slice(0, 6)], [0, "whole:"]);
  }
});

// Slow: strace follows a process of the program.
Deno.test(needing("reading an encrypted log writes no file", STRACE), async () => {
  const { home, sealed, key } = await sealedHome();
  await using _ = home;
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
atTerminal.test("the passphrase of a file is asked for on a terminal, and refused where there is none", async () => {
  const { home, plain, sealed } = await sealedHome();
  await using _ = home;
  const target = { passphrase: "correct horse", work_factor: 5 };
  Deno.writeFileSync(sealed, await sealBytes(Deno.readFileSync(plain), target));
  const piped = await home.run(["doctor", sealed]);
  assert.equal(piped.status, 1);
  assert.match(
    piped.stderr,
    /the file needs a passphrase\. Run this command at a terminal/,
  );
  const script = `${shellLine(["doctor", sealed])}; echo "ended $?"`;
  await using terminal = await Terminal.open(home, script, { columns: 100 });
  await terminal.until(/Passphrase of F\.age:/);
  await terminal.type("correct horse");
  await terminal.press("Enter");
  const screen = await terminal.until(/ended \d/);
  assert.match(screen, /whole: [^]*ended 0/);
  assert.ok(!screen.includes("horse"));
});

Deno.test("commands that would decrypt a session to disk, or cannot read it, say what to do", async () => {
  const { home, sealed, key } = await sealedHome();
  await using _ = home;
  const cases: [string[], RegExp][] = [
    [
      ["open", sealed, "--no-browser"],
      /it is encrypted\. To import it: reprise import .+ --format html/,
    ],
    [["backup", sealed], /it is encrypted\. Copy the file itself\n$/],
    [["merge", sealed, sealed], /it is encrypted. Import the session first: reprise import /],
  ];
  for (const [args, message] of cases) {
    const { status, stderr } = await home.run(args, { env: { REPRISE_IDENTITY: key } });
    assert.deepEqual([args[0], status], [args[0], 1]);
    assert.match(stderr, message);
  }
});
