/** Numbers, from the standard input of `record` to every output: the digits are those that came in. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome } from "../_support/cli_home.ts";
import { documentOf, nastyDocument } from "../_support/nasty_numbers.ts";

const KNOWN = '{"id":1234567890123456789,"inf":1e400,"one":1.0,"exp":1E5,"zero":-0,"tiny":1e-400,' +
  '"near":0.1000000000000000055,"long":123456789012345678901234567890,"__proto__":2.50}';
const NUMBERS = KNOWN.match(/(?<=:)[^,}]+/g) ?? [];

/** Texts of random inputs. */
function randomInputs(count: number): string[] {
  const plain = nastyDocument.map(documentOf).filter((json) => /^[ -~]*$/.test(json));
  return fc.sample(plain, { seed: 400, numRuns: count }).map((json) => `{"given":${json}}`);
}

const INPUTS = [KNOWN, ...randomInputs(60)];

function inputLines(): string {
  const calls = INPUTS.map((input, index) =>
    `{"kind":"assistant_message","payload":{"content":[{"type":"tool_call",` +
    `"call_id":"c${index}","name":"n","input":${input}}]}}\n` +
    `{"kind":"tool_end","payload":{"call_id":"c${index}","name":"n","status":"ok",` +
    `"output":[{"type":"json","value":${input}}],"duration_ns":1.0e3}}\n`
  );
  return `{"kind":"user_message","payload":{"content":"Go"}}\n${calls.join("")}`;
}

/** Records the session; gives its id. */
async function record(home: CliHome): Promise<string> {
  const { stdout } = await home.succeed(["record"], { stdin: inputLines() });
  const answers = jsonLines(stdout);
  assert.deepEqual(answers.filter(({ error }) => error !== undefined), []);
  return `${answers[0]?.session_id}`;
}

async function output(home: CliHome, ...args: string[]): Promise<string> {
  const { stdout } = await home.succeed(args);
  return stdout;
}

function assertAll(text: string, wanted: (input: string) => string, of: string): void {
  for (const input of INPUTS) {
    assert.ok(text.includes(wanted(input)), `${of}: ${input}`);
  }
}

inHome.test("P2 the digits of numbers are the same in the log, its copies and all JSON of it", async (home) => {
  const id = await record(home);
  const log = Deno.readTextFileSync((await output(home, "path", id)).trim());
  assertAll(log, (input) => `"name":"n","input":${input}}`, "log");
  assertAll(log, (input) => `[{"type":"json","value":${input}}],"duration_ns":1000}`, "log");

  const copy = join(home.work, "copy.jsonl");
  Deno.writeTextFileSync(copy, log);
  const fork = (await output(home, "fork", id)).trim();
  const merged = (await output(home, "merge", id, fork)).trim();
  const imported = JSON.parse(await output(home, "import", copy, "--json"));
  for (const ref of [fork, merged, `${imported.session_id ?? imported.id}`]) {
    const lines = Deno.readTextFileSync((await output(home, "path", ref)).trim());
    assertAll(lines, (input) => `"name":"n","input":${input}}`, `copy ${ref}`);
    const verified = await home.run(["doctor", ref]);
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  }

  const plain = (input: string): string => `"input":${input}`;
  for (
    const [wanted, ...args] of [
      [plain, "show", id, "--json"],
      [plain, "show", id, "--events"],
      [plain, "conversation", id],
      [plain, "conversation", id, "--format", "anthropic"],
      [plain, "conversation", id, "--format", "ai-sdk"],
      [
        (input: string): string => `"arguments":${JSON.stringify(input)}`,
        ...["conversation", id, "--format", "openai"],
      ],
      [plain, "export", id, "--format", "json"],
      [plain, "export", id, "--format", "jsonl"],
      [(input: string): string => `"arguments":${input}`, "export", id, "--format", "atif"],
    ] as [(input: string) => string, ...string[]][]
  ) {
    assertAll(await output(home, ...args), wanted, args.join(" "));
  }
  assertAll(
    await output(home, "export", id, "--format", "json", "--redact"),
    (input) => `"input":${input}`,
    "redacted",
  );
});

inHome.test("P2 the digits of numbers are the same in every document and on a terminal", async (home) => {
  const id = await record(home);
  for (
    const args of [
      ["show", id, "--full"],
      ["export", id, "--format", "md"],
      ["export", id, "--format", "html"],
      ["export", id, "--format", "text"],
    ]
  ) {
    const text = (await output(home, ...args)).replaceAll("&quot;", '"');
    for (const number of NUMBERS) assert.ok(text.includes(number), `${args}: ${number}`);
  }
});

inHome.test("P2 record refuses what would lose a member or a number", async (home) => {
  const stdin =
    '{"kind":"tool_start","payload":{"call_id":"c","name":"n","input":{"a":1,"a":2}}}\n' +
    '{"kind":"tool_end","payload":{"call_id":"c","name":"n","status":"ok","duration_ns":1e400}}\n';
  const [twice, endless] = jsonLines<{ error?: { code: string; message: string } }>(
    (await home.run(["record"], { stdin })).stdout,
  );
  assert.equal(twice?.error?.code, "invalid-event");
  assert.match(twice?.error?.message ?? "", /has a duplicate key/);
  assert.match(endless?.error?.message ?? "", /duration_ns is not a number/);
});
