import assert from "node:assert/strict";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../lib/text/seal/keys.ts";
import { openSealedBytes } from "../../lib/text/seal/open_sealed.ts";
import { AGE, runAge } from "../_support/age_program.ts";
import { cliCommand, cliEnvironment, cliProcess, startHere } from "../_support/cli.ts";
import { CliHome, sessionId } from "../_support/cli_home.ts";
import { user } from "../_support/log_bytes.ts";
import { SMALL_DISK, withSmallDisk } from "../_support/small_disk.ts";
import { killAtEach, runTraced, STRACE, type Traced } from "../_support/strace.ts";
import { EVERY_ROUND } from "../_support/torture.ts";
import { shellLine, TERMINAL, Terminal } from "./_terminal.ts";
import { testsWith } from "../_support/tests_in.ts";

// Put together here, so that nobody takes it for one that is in use.
const TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";

const identity = await makeIdentity();
const recipient = await recipientOf(identity);

/** A home with a talk, and what can be known of encrypted exports of it. */
class TalkHome extends CliHome {
  readonly log: string;

  constructor() {
    super();
    const { path } = this.keep(sessionId("aaaa"), [user(`unearthed ${TOKEN}`)], { title: "Talk" });
    this.log = Deno.readTextFileSync(path);
  }

  /** Keeps a longer session. */
  keepLong(): void {
    const text = "unearthed ".repeat(1000);
    this.keep(sessionId("bbbb"), Array.from({ length: 300 }, () => user(text)));
  }

  opened(name: string, key = identity): Promise<string> {
    return textIn(Deno.readFileSync(join(this.work, name)), key);
  }
}

const inTalk = testsWith(talk);

function talk(): TalkHome {
  return new TalkHome();
}

async function textIn(sealed: Uint8Array, key = identity): Promise<string> {
  return new TextDecoder().decode(await openSealedBytes(sealed, { identities: [key] }));
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

inTalk.test("an encrypted export is the exact log, for each public key that is named, and its owner's alone", async (home) => {
  const other = await makeIdentity({ post_quantum: true });
  const keys = [recipient, await recipientOf(other)];
  await home.succeed(["config", "set", "encrypt.recipients", keys.join("  ")]);
  for (const named of [keys.flatMap((key) => ["--encrypt", key]), ["--encrypt"]]) {
    const { stdout, stderr } = await home.succeed(
      ["export", "aaaa", ...named, "--out", "F.age", "--force"],
    );
    assert.deepEqual([stdout, stderr], ["", "Wrote F.age (encrypted for 2 public keys)\n"]);
    for (const key of [identity, other]) assert.equal(await home.opened("F.age", key), home.log);
    const { mode } = Deno.statSync(join(home.work, "F.age"));
    if (Deno.build.os !== "windows") assert.equal((mode ?? 0) & 0o777, 0o600);
    assert.deepEqual(namesIn(home.work), ["F.age"]);
  }
});

inTalk.test("every form can be encrypted, named before .age, and those for sharing hold no secret", async (home) => {
  const forms: [name: string, form: RegExp, ...flags: string[]][] = [
    ["a.md.age", /^# Talk[^]*unearthed/],
    ["a.html.age", /^<!DOCTYPE html>[^]*unearthed/],
    ["a.txt.AGE", /Talk[^]*unearthed/],
    ["a.json.age", /^\{"summary"[^]*unearthed/],
    ["a.jsonl.age", /^\{"v":\d,"seq":1,[^]*unearthed/],
    ["a.age", /^\{"v":\d,"seq":1,[^]*unearthed \[redacted:/, "--redact"],
  ];
  for (const [name, form, ...flags] of forms) {
    await home.succeed(["export", "aaaa", "--encrypt", recipient, "--out", name, ...flags]);
    const text = await home.opened(name);
    assert.match(text, form, name);
    assert.equal(text.includes(TOKEN), name.includes(".json"), name);
  }
});

inTalk.test("an encrypted export goes to a pipe", async (home) => {
  for (const args of [["--out", "-"], []]) {
    const line = ["export", "aaaa", "--encrypt", recipient, ...args];
    const { status, stdout } = startHere(line, { home: home.path, cwd: home.work });
    const written = new Uint8Array(await new Response(stdout as BodyInit).arrayBuffer());
    assert.equal((await status).code, 0);
    assert.equal(await textIn(written), home.log);
  }
});

testsWith(talk, AGE).test(
  "age opens an export, and encrypts to SSH keys what comes through a pipe",
  async (home) => {
    const [key, ssh] = [join(home.path, "key"), join(home.path, "id_ed25519")];
    Deno.writeTextFileSync(key, identity);
    await home.succeed(["export", "aaaa", "--encrypt", recipient, "--out", "F.age"]);
    const plain = await runAge(["-d", "-i", key], Deno.readFileSync(join(home.work, "F.age")));
    assert.equal(new TextDecoder().decode(plain), home.log);
    const keygen = ["-q", "-t", "ed25519", "-N", "", "-f", ssh];
    assert.ok((await new Deno.Command("ssh-keygen", { args: keygen }).output()).success);
    const script = `${shellLine(["export", "aaaa", "--format", "jsonl", "--out", "-"])} | ` +
      `age -R '${ssh}.pub' -o x.age && age -d -i '${ssh}' x.age`;
    const options = { cwd: home.work, env: cliEnvironment({ home: home.path }) };
    const { stdout } = await new Deno.Command("sh", { args: ["-c", script], ...options }).output();
    assert.equal(new TextDecoder().decode(stdout), home.log);
  },
);

// Slow: strace follows a process of the program.
testsWith(talk, STRACE).test(
  "no plain byte is written while an export is encrypted",
  async (home) => {
    const options = { env: cliEnvironment({ home: home.path }), cwd: home.work };
    const run = async (...args: string[]): Promise<string[]> => {
      const trace = ["-e", "trace=write,pwrite64,writev,pwritev,pwritev2,rename", "-s", "100000"];
      const line = [...cliCommand(), "export", "aaaa", "--format", "jsonl", "--out", ...args];
      const { status, calls } = await runTraced(trace, line, options);
      assert.equal(status, 0);
      return calls;
    };
    const sealed = await run("F.age", "--encrypt", recipient);
    assert.ok(sealed.some((call) => call.includes("age-encryption.org/v1")));
    assert.deepEqual(sealed.filter((call) => call.includes("unearthed")), []);
    // What looks for plain bytes finds them where they are.
    const plain = await run("F.jsonl");
    assert.ok(plain.some((call) => call.includes("unearthed")));
    assert.equal(await home.opened("F.age"), home.log);
  },
);

// Slow: processes of the program start.
inTalk.test("an export that is killed leaves no file of its name, and nothing plain", async (home) => {
  home.keepLong();
  const args = ["export", "bbbb", "--encrypt", recipient, "--out", "F.age"];
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
  await assert.rejects(textIn(left), { code: "damaged" });
  await home.succeed(args);
  assert.match(await home.opened("F.age"), /unearthed/);
});

testsWith(talk, STRACE, EVERY_ROUND).test(
  "killed before any call on its files, an export is there whole or not at all",
  async (home) => {
    const names = ["write", "fsync", "fdatasync", "rename"];
    const attempt = async (fault: readonly string[]): Promise<Traced> => {
      const work = Deno.makeTempDirSync({ dir: home.path });
      const out = join(work, "F.age");
      const command = [...cliCommand(), "export", "aaaa", "--encrypt", recipient, "--out", out];
      const options = { env: cliEnvironment({ home: home.path }), cwd: work };
      const ended = await runTraced(["-e", `trace=${names.join(",")}`, ...fault], command, options);
      if (namesIn(work).includes("F.age")) {
        assert.equal(await textIn(Deno.readFileSync(out)), home.log);
      } else assert.notEqual(ended.status, 0);
      return ended;
    };
    const whole = await attempt([]);
    assert.equal(whole.status, 0);
    const { tried, killed } = await killAtEach(whole, names, attempt);
    assert.ok(killed >= tried / 2, `${killed} of ${tried}`);
  },
);

testsWith(talk, SMALL_DISK).test(
  "an encrypted export to a full disk fails and leaves nothing",
  async (home) => {
    home.keepLong();
    await withSmallDisk(async (disk) => {
      const args = ["export", "bbbb", "--encrypt", recipient, "--out", join(disk, "F.age")];
      const { status, stderr } = await home.run(args);
      assert.equal(status, 1);
      assert.match(stderr, /Cannot write export: the disk is full; free some space and try again/);
      assert.deepEqual(namesIn(disk), []);
    });
  },
);

// Slow: a program in a terminal is answered key by key.
testsWith(talk, TERMINAL).test("a passphrase is neither shown nor mistyped", async (home) => {
  const script = `${shellLine(["export", "aaaa", "--passphrase", "--out", "F.age"])}; echo "is $?"`;
  await using terminal = await Terminal.open(home, script, { columns: 100 });
  for (const [question, answer] of [[/Passphrase:/, "horse"], [/Once more:/, "house"]] as const) {
    await terminal.until(question);
    await terminal.type(`correct ${answer}`);
    await terminal.press("Enter");
  }
  const screen = await terminal.until(/is \d/);
  assert.match(screen, /Cannot encrypt: the two passphrases differ\n+is 1/);
  assert.ok(!screen.includes("horse"), screen);
  assert.deepEqual(namesIn(home.work), []);
});

// The cost of a guess is some seconds and 256 MiB.
testsWith(talk, TERMINAL, AGE, EVERY_ROUND).test(
  "a passphrase that was typed twice opens the export with age",
  async (home) => {
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
    assert.equal(Deno.readTextFileSync(join(home.work, "plain")), home.log);
  },
);
