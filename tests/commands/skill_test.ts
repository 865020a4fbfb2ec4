import assert from "node:assert/strict";
import { CliHome, inHome, sessionId } from "../_support/cli_home.ts";
import { assistant, user } from "../_support/log_bytes.ts";

async function skill(): Promise<{ head: string; body: string }> {
  await using home = new CliHome();
  const { status, stdout, stderr } = await home.run(["setup", "--print-skill"]);
  assert.deepEqual([status, stderr], [0, ""]);
  const [, head = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(stdout) ?? [];
  return { head, body };
}

Deno.test("the skill costs 80 tokens until it is used and 450 when it is, by four characters a token", async () => {
  const { head, body } = await skill();
  assert.match(head, /^name: past-sessions\ndescription: [^\n]+$/);
  assert.ok(head.length <= 4 * 80, `${head.length}`);
  assert.ok(body.length <= 4 * 450, `${body.length}`);
});

inHome.test("every command line of the skill runs, and prints what the skill says", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("A parse error in the exact words"),
    { kind: "compaction_applied", payload: { status: "", summary: "An error was looked for." } },
    assistant("It was a brace. ".repeat(800)),
    user("Thanks"),
  ]);
  const { body } = await skill();
  const lines = [...body.matchAll(/`reprise ([^`]+)`/g)].map(([, line = ""]) => line);
  assert.deepEqual(lines.map((line) => line.split(" ")[0]), [
    ...["search", "search", "list", "show", "show", "context", "show"],
  ]);
  let cursors = 0;
  for (const line of lines) {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word);
    const args = words.map((word = "") =>
      word.replace("REF#EVENT", "aaaa#2").replace("REF", "aaaa")
    );
    const { status, stdout, stderr } = await home.run(args);
    // What is asked in words is not found whole.
    assert.equal(status, line.endsWith("?'") ? 1 : 0, `${line}: ${stderr}`);
    if (status === 0) assert.match(stdout, /aaaa0000|brace/, line);
    const most = Number(/--max-chars (\d+)/.exec(line)?.[1] ?? Infinity);
    assert.ok(stdout.length <= most);
    const [, cursor] = /\nmore: --cursor (\S+)\n$/.exec(stdout) ?? [];
    if (cursor === undefined) continue;
    cursors++;
    const next = await home.run([...args, "--cursor", cursor]);
    assert.equal(next.status, 0, next.stderr);
  }
  assert.ok(cursors > 0);
  for (const option of ["--all", "--since 7d", "--role user", "--agent claude"]) {
    assert.ok(body.includes(`\`${option}\``), option);
    assert.ok((await home.run(["search", "brace", ...option.split(" ")])).status < 2, option);
  }
});
