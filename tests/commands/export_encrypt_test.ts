import assert from "node:assert/strict";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../lib/text/seal/keys.ts";
import { openSealedBytes } from "../../lib/text/seal/open_sealed.ts";
import { AGE, runAge } from "../_support/age_program.ts";
import { cliCommand, cliEnvironment, cliProcess, startHere } from "../_support/cli.ts";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { SMALL_DISK, withSmallDisk } from "../_support/small_disk.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { EVERY_ROUND } from "../_support/torture.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { needing } from "../_support/needing.ts";
import { testsNeeding } from "../_support/tests_in.ts";

const atTerminal = testsNeeding(TERMINAL);

// Put together here, so that nobody takes it for one that is in use.
const TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

const identity = await makeIdentity();
const recipient = await recipientOf(identity);

function homeWithTalk(): { home: CliHome; path: string } {
  const home = new CliHome();
  const { path } = home.keep(sessionId("aaaa"), [user(`unearthed ${TOKEN}`)], { title: "Talk" });
  return { home, path };
}

async function opened(path: string, key = identity): Promise<string> {
  const bytes = await openSealedBytes(Deno.readFileSync(path), { identities: [key] });
  return new TextDecoder().decode(bytes);
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("an encrypted export is the exact log, for each recipient, and its owner's alone", async () => {
  const { home, path } = homeWithTalk();
  await using _ = home;
  const other = await makeIdentity({ post_quantum: true });
  const to = ["--encrypt", recipient, "--encrypt", await recipientOf(other)];
  const { status, stdout, stderr } = await home.run([
    "export",
    "aaaa",
    ...to,
    "--out",
    "F.age",
  ]);
  assert.deepEqual([status, stdout, stderr], [
    0,
    "",
    "Wrote F.age (encrypted for 2 public keys)\n",
  ]);
  const file = join(home.work, "F.age");
  for (const key of [identity, other]) {
    assert.equal(await opened(file, key), Deno.readTextFileSync(path));
  }
  if (Deno.build.os !== "windows") assert.equal((Deno.statSync(file).mode ?? 0) & 0o777, 0o600);
  assert.deepEqual(namesIn(home.work), ["F.age"]);
});

Deno.test("every form can be encrypted, named before .age, and those for sharing hold no secret", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const forms: Record<string, RegExp> = {
    "a.md.age": /^# Talk/,
    "a.html.age": /^<!DOCTYPE html>/,
    "a.txt.AGE": /Talk/,
    "a.json.age": /^\{"summary"/,
    "a.jsonl.age": /^\{"v":\d,"seq":1,/,
  };
  for (const [name, form] of Object.entries(forms)) {
    const args = ["export", "aaaa", "--encrypt", recipient, "--out", name];
    await home.succeed(args);
    const text = await opened(join(home.work, name));
    assert.match(text, form, name);
    assert.match(text, /unearthed/, name);
    assert.equal(text.includes(TOKEN), name.includes(".json"), name);
  }
  const redacted = ["export", "aaaa", "--redact", "--encrypt", recipient, "--out", "r.age"];
  assert.equal((await home.run(redacted)).status, 0);
  assert.match(await opened(join(home.work, "r.age")), /unearthed \[redacted:/);
});

Deno.test("--encrypt alone takes the recipients of the settings", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const args = ["export", "aaaa", "--encrypt", "--out", "F.age"];
  const none = await home.run(args);
  assert.equal(none.status, 2);
  assert.match(
    none.stderr,
    /--encrypt needs a public key \(age1\.{3}\)\. To set a default key: reprise config set/,
  );
  const bad = await home.run(["config", "set", "encrypt.recipients", `${recipient} bob`]);
  assert.deepEqual([bad.status, bad.stdout], [2, ""]);
  assert.match(bad.stderr, /this is not a recipient \(a public key that begins with age1\): bob/);
  const other = await makeIdentity();
  const value = `${recipient}  ${await recipientOf(other)}`;
  assert.equal((await home.run(["config", "set", "encrypt.recipients", value])).status, 0);
  const { status, stderr } = await home.run(args);
  assert.deepEqual([status, stderr], [0, "Wrote F.age (encrypted for 2 public keys)\n"]);
  assert.match(await opened(join(home.work, "F.age"), other), /unearthed/);
});

Deno.test("bad recipients and pairs of options are refused, and leave no file", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const wrong: [args: string[], reason: RegExp][] = [
    [
      ["--encrypt", "age1foo"],
      /this is not a recipient \(a public key that begins with age1\): age1foo/,
    ],
    [["--encrypt", ""], /a recipient \(public key\) is empty/],
    [["--encrypt", recipient, "--encrypt", identity], /this is a private key/],
    [
      ["--encrypt", "ssh-ed25519 AAAA me"],
      /reprise export REF --format jsonl --out - \| age -R ~\/\.ssh\/id_ed25519/,
    ],
    [["--encrypt", recipient, "--passphrase"], /Give either --passphrase or --encrypt/],
    [["--passphrase"], /a passphrase can be typed only at a terminal/],
    [[], /a file name that ends in \.age needs --encrypt or --passphrase/],
  ];
  for (const [args, reason] of wrong) {
    const { status, stdout, stderr } = await home.run([
      ...["export", "aaaa", "--out", "F.age"],
      ...args,
    ]);
    assert.deepEqual([status, stdout], [2, ""], stderr);
    assert.match(stderr, reason);
    assert.ok(!stderr.includes("AGE-SECRET-KEY-1"), stderr);
    assert.deepEqual(namesIn(home.work), []);
  }
});

Deno.test("a file that is there is replaced with --force alone", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const file = join(home.work, "F.age");
  Deno.writeTextFileSync(file, "mine");
  const args = ["export", "aaaa", "--encrypt", recipient, "--out", "F.age"];
  const refused = await home.run(args);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /the file exists; to replace it, add --force/);
  assert.equal(Deno.readTextFileSync(file), "mine");
  assert.equal((await home.run([...args, "--force"])).status, 0);
  assert.match(await opened(file), /unearthed/);
  assert.deepEqual(namesIn(home.work), ["F.age"]);
});

Deno.test("an encrypted export goes to a pipe", async () => {
  const { home, path } = homeWithTalk();
  await using _ = home;
  for (const args of [["--out", "-"], []]) {
    const line = ["export", "aaaa", "--encrypt", recipient, ...args];
    const { status, stdout } = startHere(line, { home: home.path, cwd: home.work });
    const written = new Uint8Array(await new Response(stdout as BodyInit).arrayBuffer());
    assert.equal((await status).code, 0);
    const bytes = await openSealedBytes(written, { identities: [identity] });
    assert.deepEqual(bytes, Deno.readFileSync(path));
  }
});

Deno.test({
  ...needing("age opens an export, and encrypts to SSH keys what comes through a pipe", AGE),
  fn: async () => {
    const { home, path } = homeWithTalk();
    await using _ = home;
    const key = join(home.path, "key");
    Deno.writeTextFileSync(key, identity);
    const args = ["export", "aaaa", "--encrypt", recipient, "--out", "F.age"];
    assert.equal((await home.run(args)).status, 0);
    const file = Deno.readFileSync(join(home.work, "F.age"));
    assert.deepEqual(await runAge(["-d", "-i", key], file), Deno.readFileSync(path));
    const ssh = join(home.path, "id_ed25519");
    const keygen = ["-q", "-t", "ed25519", "-N", "", "-f", ssh];
    assert.ok((await new Deno.Command("ssh-keygen", { args: keygen }).output()).success);
    const script = `${shellLine(["export", "aaaa", "--format", "jsonl", "--out", "-"])} | ` +
      `age -R '${ssh}.pub' -o x.age && age -d -i '${ssh}' x.age`;
    const { stdout } = await new Deno.Command("sh", {
      args: ["-c", script],
      cwd: home.work,
      env: cliEnvironment({ home: home.path }),
    }).output();
    assert.deepEqual(stdout, Deno.readFileSync(path));
  },
});

// Slow: strace follows a process of the program.
Deno.test(needing("no plain byte is written while an export is encrypted", STRACE), async () => {
  const { home, path } = homeWithTalk();
  await using _ = home;
  const line = ["export", "aaaa", "--format", "jsonl", "--out"];
  const env = cliEnvironment({ home: home.path });
  const run = async (...args: string[]): Promise<string[]> => {
    const traced = ["-e", "trace=write,pwrite64,writev,pwritev,pwritev2,rename", "-s", "100000"];
    const { status, calls } = await runTraced(traced, [...cliCommand(), ...line, ...args], {
      env,
      cwd: home.work,
    });
    assert.equal(status, 0);
    return calls;
  };
  const sealed = await run("F.age", "--encrypt", recipient);
  assert.ok(sealed.some((call) => call.includes("age-encryption.org/v1")));
  assert.deepEqual(sealed.filter((call) => call.includes("unearthed")), []);
  // What looks for plain bytes finds them where they are.
  const plain = await run("F.jsonl");
  assert.ok(plain.some((call) => call.includes("unearthed")));
  assert.equal(await opened(join(home.work, "F.age")), Deno.readTextFileSync(path));
});

/** Puts a session of some size into a home. */
function keepLong(home: CliHome, bytes: number): void {
  const text = "unearthed ".repeat(1000);
  const count = Math.ceil(bytes / text.length);
  home.keep(sessionId("aaaa"), Array.from({ length: count }, () => user(text)));
}

// Slow: processes of the program start.
inHome.test("an export that is killed leaves no file of its name, and nothing plain", async (home) => {
  keepLong(home, 3_000_000);
  const args = ["export", "aaaa", "--encrypt", recipient, "--out", "F.age"];
  // On a busy machine the program may be done before the signal reaches it.
  do {
    for (const name of namesIn(home.work)) Deno.removeSync(join(home.work, name));
    const child = cliProcess(args, { home: home.path, cwd: home.work }).spawn();
    const ended = child.output();
    const size = async (name: string): Promise<number> =>
      (await Deno.stat(join(home.work, name)).catch(() => undefined))?.size ?? 0;
    for (let bytes = 0; bytes < 100_000;) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      bytes = Math.max(0, ...await Promise.all(namesIn(home.work).map(size)));
    }
    child.kill("SIGKILL");
    await ended;
  } while (namesIn(home.work).includes("F.age"));
  const [draft = "", ...others] = namesIn(home.work);
  assert.deepEqual(others, []);
  assert.notEqual(draft, "F.age");
  const left = Deno.readFileSync(join(home.work, draft));
  assert.ok(!new TextDecoder().decode(left).includes("unearthed"));
  await assert.rejects(openSealedBytes(left, { identities: [identity] }), { code: "damaged" });
  assert.equal((await home.run(args)).status, 0);
  assert.match(await opened(join(home.work, "F.age")), /unearthed/);
});

Deno.test({
  ...needing(
    "killed before any call on its files, an export is there whole or not at all",
    STRACE,
    EVERY_ROUND,
  ),
  fn: async () => {
    const { home, path } = homeWithTalk();
    await using _ = home;
    const file = join(home.work, "F.age");
    const command = [...cliCommand(), "export", "aaaa", "--encrypt", recipient, "--out", file];
    const env = cliEnvironment({ home: home.path });
    const names = ["write", "fsync", "fdatasync", "rename"];
    const trace = ["-e", `trace=${names.join(",")}`];
    const attempt = async (fault: readonly string[]): Promise<Traced> => {
      const work = Deno.makeTempDirSync({ dir: home.path });
      const out = join(work, "F.age");
      const args = [...command.slice(0, -1), out];
      const traced = await runTraced([...trace, ...fault], args, { env, cwd: work });
      if (namesIn(work).includes("F.age")) {
        assert.equal(await opened(out), Deno.readTextFileSync(path));
      } else assert.notEqual(traced.status, 0);
      return traced;
    };
    const whole = await runTraced(trace, command, { env, cwd: home.work });
    assert.equal(whole.status, 0);
    const { tried, killed } = await killAtEach(whole, names, attempt);
    assert.ok(killed >= tried / 2, `${killed} of ${tried}`);
  },
});

Deno.test(
  needing("an encrypted export to a full disk fails and leaves nothing", SMALL_DISK),
  async () => {
    await withSmallDisk(async (disk) => {
      await using home = new CliHome();
      keepLong(home, 3_000_000);
      const args = ["export", "aaaa", "--encrypt", recipient, "--out", join(disk, "F.age")];
      const { status, stderr } = await home.run(args);
      assert.equal(status, 1);
      assert.match(stderr, /Cannot write export: the disk is full; free some space and try again/);
      assert.deepEqual(namesIn(disk), []);
    });
  },
);

// Slow: a program in a terminal is answered key by key.
atTerminal.test("a terminal gets no encrypted export, and a passphrase is neither shown nor mistyped", async () => {
  const { home } = homeWithTalk();
  await using _ = home;
  const script = `${shellLine(["export", "aaaa", "--encrypt", recipient])}; echo "first $?"\n` +
    `${shellLine(["export", "aaaa", "--passphrase", "--out", "F.age"])}; echo "second $?"`;
  await using terminal = await Terminal.open(home, script, { columns: 100 });
  await terminal.until(/Cannot write an encrypted export to a terminal.*\n[^]*first 2/);
  await terminal.until(/Passphrase:/);
  await terminal.type("correct horse");
  await terminal.press("Enter");
  await terminal.until(/Once more:/);
  await terminal.type("correct house");
  await terminal.press("Enter");
  const screen = await terminal.until(/second \d/);
  assert.match(screen, /Cannot encrypt: the two passphrases differ\n+second 1/);
  assert.ok(!screen.includes("horse"), screen);
  assert.deepEqual(namesIn(home.work), []);
});

Deno.test({
  // The cost of a guess is some seconds and 256 MiB.
  ...needing(
    "a passphrase that was typed twice opens the export with age",
    TERMINAL,
    AGE,
    EVERY_ROUND,
  ),
  fn: async () => {
    const { home, path } = homeWithTalk();
    await using _ = home;
    const line = shellLine(["export", "aaaa", "--passphrase", "--out", "F.age"]);
    const script = `${line}; echo "ended $?"; age -d -o plain F.age; echo "age $?"`;
    await using terminal = await Terminal.open(home, script, { columns: 100 });
    for (const question of [/Passphrase:/, /Once more:/, /ended 0[^]*passphrase:/]) {
      await terminal.until(question);
      // The last character is taken back, as a person would.
      await terminal.type("correct horsy");
      await terminal.press("BSpace");
      await terminal.type("e");
      await terminal.press("Enter");
    }
    await terminal.until(/age 0/);
    assert.deepEqual(Deno.readFileSync(join(home.work, "plain")), Deno.readFileSync(path));
  },
});
