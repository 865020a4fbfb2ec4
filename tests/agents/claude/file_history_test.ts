import assert from "node:assert/strict";
import { join } from "node:path";
import { jsonLines } from "../../_support/cli.ts";
import { CliHome } from "../../_support/cli_home.ts";

const ID = "aaaaaaaa-0000-4000-8000-000000000000";
/** Larger than any file that is read. */
const TOO_LARGE = 64 * 1024 * 1024 + 1;

type Fields = Record<string, unknown>;

/** Records in the form of Claude Code 2.0.27 and 2.1.330. */
class ClaudeHome extends CliHome {
  readonly #records: Fields[] = [];
  #count = 0;

  /** Adds a record behind the last one; returns its id. */
  record(type: "user" | "assistant", content: unknown, more: Fields = {}): string {
    const uuid = `u${++this.#count}`;
    const parentUuid = this.#records.length === 0 ? null : `u${this.#count - 1}`;
    const timestamp = new Date(Date.UTC(2026, 10, 21, 20, 0, this.#count)).toISOString();
    const message = { role: type, content };
    const fixed = { parentUuid, cwd: this.work, sessionId: ID, uuid, timestamp, type, message };
    this.#records.push({ ...fixed, version: "2.1.330", ...more });
    return uuid;
  }

  /** Adds a call and its result. */
  call(name: string, input: Fields, toolUseResult: Fields): void {
    const id = `toolu_${this.#count}`;
    this.record("assistant", [{ type: "tool_use", id, name, input }]);
    this.record("user", [{ type: "tool_result", tool_use_id: id, content: "ok" }], {
      toolUseResult,
    });
  }

  edit(file_path: string, [old_string, new_string]: [string, string], originalFile: string): void {
    const texts = { oldString: old_string, newString: new_string };
    const patch = { structuredPatch: [], userModified: false, replaceAll: false };
    const result = { filePath: file_path, ...texts, originalFile, ...patch };
    this.call("Edit", { file_path, old_string, new_string }, result);
  }

  snapshot(messageId: string, files: Record<string, string | null>): void {
    const trackedFileBackups = Object.fromEntries(
      Object.entries(files).map(([path, backupFileName]) => [path, { backupFileName, version: 1 }]),
    );
    const snapshot = { messageId, trackedFileBackups, timestamp: "2026-11-21T20:00:00.000Z" };
    this.#records.push({ type: "file-history-snapshot", messageId, snapshot });
  }

  /** The path of a copy in the agent's history. */
  copy(name: string, bytes: Uint8Array | string): string {
    const folder = join(this.path, ".claude", "file-history", ID);
    Deno.mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    if (typeof bytes === "string") Deno.writeTextFileSync(path, bytes);
    else Deno.writeFileSync(path, bytes);
    return path;
  }

  save(): void {
    const folder = join(
      this.path,
      ".claude",
      "projects",
      this.work.replaceAll(/[^A-Za-z0-9]/g, "-"),
    );
    Deno.mkdirSync(folder, { recursive: true });
    const text = this.#records.map((record) => `${JSON.stringify(record)}\n`).join("");
    Deno.writeTextFileSync(join(folder, `${ID}.jsonl`), text);
  }

  /** Saves the records so far as those of a sub-agent, and begins again. */
  saveSubagent(agentId: string): void {
    const project = this.work.replaceAll(/[^A-Za-z0-9]/g, "-");
    const folder = join(this.path, ".claude", "projects", project, ID, "subagents");
    Deno.mkdirSync(folder, { recursive: true });
    const side = this.#records.splice(0).map((record) => ({
      ...record,
      isSidechain: true,
      agentId,
    }));
    const text = side.map((record) => `${JSON.stringify(record)}\n`).join("");
    Deno.writeTextFileSync(join(folder, `agent-${agentId}.jsonl`), text);
  }

  async files(ref = ID): Promise<Fields[]> {
    const { stdout } = await this.run(["files", ref, "--json"]);
    return jsonLines(stdout);
  }
}

Deno.test("the text that an edit found makes the file's content proven", async () => {
  await using home = new ClaudeHome();
  home.record("user", "go");
  home.edit(join(home.work, "a.ts"), ["one", "two"], "zero\none\n");
  home.edit(join(home.work, "a.ts"), ["two", "three"], "zero\ntwo\n");
  home.save();
  const [file] = await home.files();
  assert.deepEqual([file?.grade, file?.added, file?.removed], ["proven", 1, 1]);
  const out = join(home.path, "out");
  const { status } = await home.run(["files", ID, "--out", out]);
  assert.deepEqual([status, Deno.readTextFileSync(join(out, "a.ts"))], [0, "zero\nthree\n"]);
});

Deno.test("files --diff is a patch that git applies to the files before the session", async () => {
  await using home = new ClaudeHome();
  const lines = Array.from({ length: 30 }, (_, index) => `\tline ${index}\n`).join("");
  const [edited, made, bare] = ["a.ts", "b/made.ts", "bare.txt"].map((name) =>
    join(home.work, name)
  );
  home.record("user", "go");
  home.edit(edited ?? "", ["line 3\n", "line three\n"], lines);
  home.edit(edited ?? "", ["line 25\n", ""], lines.replace("line 3\n", "line three\n"));
  home.edit(bare ?? "", ["no", "still no"], "no newline");
  const content = "made\n";
  home.call("Write", { file_path: made, content }, {
    ...{ type: "create", filePath: made, content, originalFile: null, structuredPatch: [] },
  });
  home.save();
  Deno.writeTextFileSync(edited ?? "", lines);
  Deno.writeTextFileSync(bare ?? "", "no newline");
  const patch = join(home.path, "session.patch");
  Deno.writeTextFileSync(patch, (await home.run(["files", ID, "--diff"])).stdout);
  const applied = new Deno.Command("git", { args: ["apply", patch], cwd: home.work }).outputSync();
  assert.equal(new TextDecoder().decode(applied.stderr), "");
  const expected = lines.replace("line 3\n", "line three\n").replace("line 25\n", "");
  assert.equal(Deno.readTextFileSync(edited ?? ""), expected);
  assert.equal(Deno.readTextFileSync(made ?? ""), "made\n");
  assert.equal(Deno.readTextFileSync(bare ?? ""), "still no newline");
});

Deno.test("changes of a sub-agent count by their time, and its thread can be named", async () => {
  await using home = new ClaudeHome();
  const filePath = join(home.work, "a.ts");
  home.record("user", "do a part");
  home.edit(filePath, ["one", "two"], "one\n");
  home.saveSubagent("abcdef12");
  home.record("user", "go on");
  home.edit(filePath, ["two", "three"], "two\n");
  home.save();
  const counts = async (ref: string): Promise<unknown> => (await home.files(ref))[0]?.changes;
  assert.equal(await counts(ID), 2);
  assert.equal(await counts(`${ID}#2`), 1);
  assert.equal(await counts(`${ID}~abcdef12`), 1);
  assert.equal(await counts(`${ID}~abcd#2`), 0);
  const { status, stderr } = await home.run(["files", `${ID}~nothing`]);
  assert.deepEqual([status, /branch or subagent "nothing"/.test(stderr)], [1, true]);
});

Deno.test("a whole read tells of a change that no call made, and a read of a part nothing", async () => {
  await using home = new ClaudeHome();
  const filePath = join(home.work, "a.ts");
  home.record("user", "go");
  home.call("Write", { file_path: filePath, content: "one\n" }, {
    ...{ type: "create", filePath, content: "one\n", structuredPatch: [], originalFile: null },
  });
  const part = { filePath, content: "x\n", numLines: 1, startLine: 1, totalLines: 9 };
  home.call("Read", { file_path: filePath }, { type: "text", file: part });
  home.save();
  assert.deepEqual((await home.files()).map(({ grade }) => grade), ["proven"]);
  const whole = { filePath, content: "one\ntwo\n", numLines: 3, startLine: 1, totalLines: 3 };
  home.call("Read", { file_path: filePath }, { type: "text", file: whole });
  home.save();
  const [before] = await home.files(`${ID}#4`);
  assert.deepEqual([before?.grade, before?.doubt], ["likely", "changed"]);
  const [after] = await home.files();
  assert.deepEqual([after?.grade, after?.added], ["proven", 2]);
});

Deno.test("snapshots give the file before the session, also a binary one and one that was not there", async () => {
  await using home = new ClaudeHome();
  const prompt = home.record("user", "go");
  home.copy("0123456789abcdef@v1", "was here\r\n");
  home.copy("fedcba9876543210@v1", new Uint8Array([0, 255, 1]));
  const calls = ["a.ts", "image.bin", "new.ts"].map((name) => join(home.work, name));
  home.snapshot(prompt, {
    "a.ts": "0123456789abcdef@v1",
    "image.bin": "fedcba9876543210@v1",
    [calls[2] ?? ""]: null,
  });
  for (const file_path of calls) {
    home.call("Write", { file_path, content: "x\n" }, { filePath: file_path, content: "x\n" });
    Deno.writeTextFileSync(file_path, "x\n");
  }
  home.save();
  const { status } = await home.run(["files", `${ID}#2`, "--restore", "--write"]);
  assert.equal(status, 0);
  assert.equal(Deno.readTextFileSync(calls[0] ?? ""), "was here\r\n");
  assert.deepEqual(Deno.readFileSync(calls[1] ?? ""), new Uint8Array([0, 255, 1]));
  assert.throws(() => Deno.statSync(calls[2] ?? ""), Deno.errors.NotFound);
  const undone = await home.run(["files", ID, "--undo", "--write"]);
  assert.equal(undone.status, 0);
  for (const path of calls) assert.equal(Deno.readTextFileSync(path), "x\n");
});

Deno.test("a file of CRLF that the agent records with LF is restored with CRLF, and no other is", async () => {
  await using home = new ClaudeHome();
  const path = join(home.work, "a.txt");
  const other = join(home.work, "b.txt");
  home.record("user", "go");
  home.edit(path, ["one", "two"], "one\nend\n");
  for (const content of ["plain\n", "dos\r\n"]) {
    home.call("Write", { file_path: other, content }, { filePath: other, content });
  }
  home.save();
  Deno.writeTextFileSync(path, "two\r\nend\r\n");
  Deno.writeTextFileSync(other, "dos\r\n");
  const early = await home.run(["files", `${ID}#2`, "--restore", "--write"]);
  // Nothing tells what the first write of the other file replaced.
  assert.equal(early.status, 1);
  assert.equal(Deno.readTextFileSync(path), "one\r\nend\r\n");
  await home.run(["files", `${ID}#6`, "--restore", "--write"]);
  assert.equal(Deno.readTextFileSync(other), "plain\n");
});

Deno.test("a copy that is a link, lies elsewhere, is gone or is too large is not read", async () => {
  await using home = new ClaudeHome();
  const prompt = home.record("user", "go");
  const secret = join(home.path, "secret");
  Deno.writeTextFileSync(secret, "secret\n");
  const folder = join(home.path, ".claude", "file-history", ID);
  Deno.truncateSync(home.copy("0000000000000002@v1", ""), TOO_LARGE);
  const names = [
    "../../../secret",
    secret,
    "0000000000000001@v1",
    "0000000000000002@v1",
    "gone@v1",
  ];
  if (Deno.build.os !== "windows") Deno.symlinkSync(secret, join(folder, "0000000000000001@v1"));
  home.snapshot(prompt, Object.fromEntries(names.map((name, index) => [`f${index}.ts`, name])));
  for (const index of names.keys()) {
    const file_path = join(home.work, `f${index}.ts`);
    home.call("Write", { file_path, content: "x\n" }, { filePath: file_path, content: "x\n" });
  }
  home.save();
  const early = await home.files(`${ID}#2`);
  assert.deepEqual(early.map(({ grade }) => grade), names.map(() => "unknown"));
  const out = await home.run(["files", `${ID}#2`, "--out", join(home.path, "out")]);
  assert.deepEqual([out.status, [...Deno.readDirSync(join(home.path, "out"))]], [1, []]);
});

Deno.test("a file of the project that is too large to read is left as it is", async () => {
  await using home = new ClaudeHome();
  const path = join(home.work, "a.ts");
  home.record("user", "go");
  home.call("Write", { file_path: path, content: "x\n" }, { filePath: path, content: "x\n" });
  home.save();
  Deno.writeTextFileSync(path, "");
  Deno.truncateSync(path, TOO_LARGE);
  const { status, stderr } = await home.run(["files", ID, "--restore", "--write"]);
  assert.equal(status, 1);
  assert.match(stderr, /^Refused: .*a\.ts: .*longer than/m);
  assert.equal(Deno.statSync(path).size, TOO_LARGE);
});
