/** A home with sessions of three agents over a month: always the same, for pictures. */
import { dirname, join } from "node:path";
import type { CliHome } from "../../_support/cli_home.ts";

const DAY_MS = 86_400_000;
/** The time that pages of this home take for now. */
export const PICTURE_NOW = new Date("2026-11-22T12:00:00Z");

/** The home directory in the records of the sessions. */
export const PICTURE_PERSON = "/home/ada";

/** The id of the session that pictures show. */
export const SHOWN = "5e550000-0000-4000-8000-000000000000";

const PROJECTS = ["src/ledger", "src/site", "src/parser"] as const;
const MODELS = ["claude-sonnet-4-5-20250929", "claude-opus-4-5-20251101"] as const;
const PROMPTS = [
  "Round each amount to cents. The report adds up fractions.",
  "Why does the import of October skip the last row?",
  "Add a test for refunds that are larger than the order",
  "Make the menu usable with a keyboard",
  "Update the changelog for 2.4",
  "The build fails on Windows. Paths have the wrong separators.",
  "Move the tax rates into a table",
  "Explain how the parser recovers after a missing bracket",
] as const;

const PLAN = `Implement the following plan:

# Round to cents

## Why

The monthly report adds up **fractions of cents**, so its sum differs from the bank's.

## Steps

1. Round in \`addEntry\`, half to even.
2. Add a test for \`0.005\` and \`0.015\`.
3. Run all tests.

| amount | before | after |
| ------ | ------ | ----- |
| 0.005  | 0.005  | 0.00  |
| 0.015  | 0.015  | 0.02  |
`;

interface Record {
  type: "user" | "assistant";
  message: object;
  [name: string]: unknown;
}

class ClaudeSession {
  readonly lines: string[] = [];
  readonly #id: string;
  readonly #cwd: string;
  #time: number;

  constructor(id: string, cwd: string, time: number) {
    this.#id = id;
    this.#cwd = cwd;
    this.#time = time;
  }

  add(record: Record, seconds = 20): void {
    const at = this.lines.length;
    this.lines.push(JSON.stringify({
      ...{ parentUuid: at === 0 ? null : `u${at - 1}`, isSidechain: false, userType: "external" },
      ...{ cwd: this.#cwd, sessionId: this.#id, version: "2.1.29", gitBranch: "main" },
      ...{ ...record, uuid: `u${at}`, timestamp: new Date(this.#time).toISOString() },
    }));
    this.#time += 1000 * seconds;
  }

  wait(seconds: number): void {
    this.#time += 1000 * seconds;
  }

  ask(text: string): void {
    this.add({ type: "user", message: { role: "user", content: text } });
  }

  answer(content: object[], model: string, output = 400): void {
    const usage = {
      ...{ input_tokens: 900, output_tokens: output },
      ...{ cache_read_input_tokens: 21_000 + 900 * this.lines.length },
      cache_creation_input_tokens: 2_400,
    };
    const id = `m${this.#id}${this.lines.length}`;
    const message = { id, type: "message", role: "assistant", model, content, usage };
    this.add({ type: "assistant", message: { ...message, stop_reason: "end_turn" } });
  }

  call(name: string, input: object, output: string, model: string, result: unknown = {}): void {
    const id = `t${this.lines.length}`;
    this.answer([{ type: "tool_use", id, name, input }], model);
    const is_error = output.startsWith("Error");
    const content = [{ type: "tool_result", tool_use_id: id, content: output, is_error }];
    this.add({ type: "user", message: { role: "user", content }, toolUseResult: result });
  }
}

function said(text: string): object[] {
  return [{ type: "text", text }];
}

/** Adds a turn that reads, edits, runs a test that fails, and runs it again. */
function work(session: ClaudeSession, file: string, model: string): void {
  session.call("Read", { file_path: file }, "const total = sum(entries);\n", model);
  session.call("Grep", { pattern: "addEntry" }, `${file}:12\n`, model);
  const [old_string, new_string] = [
    "  const amount = entry.amount;\n  total += amount;\n",
    "  const amount = roundHalfEven(entry.amount, 2);\n  total += amount;\n",
  ];
  const lines = [
    " export function addEntry(total: number, entry: Entry): number {",
    "-  const amount = entry.amount;",
    "+  // Half to even, as the bank does.",
    "+  const amount = roundHalfEven(entry.amount, 2);",
    "   return total + amount;",
    " }",
  ];
  const hunk = { oldStart: 11, oldLines: 4, newStart: 11, newLines: 5, lines };
  session.call(
    "Edit",
    { file_path: file, old_string, new_string, replace_all: false },
    "The file was updated.",
    model,
    { filePath: file, oldString: old_string, newString: new_string, structuredPatch: [hunk] },
  );
  const run = { command: "npm test", description: "Run all tests" };
  session.call("Bash", run, "Error: Exit code 1\n1 of 42 tests failed: rounds 0.015", model);
  session.call("Bash", run, "42 tests passed", model, { stdout: "42 tests passed", stderr: "" });
}

/** Puts the sessions into a home. */
export function keepPictureHome(home: CliHome): void {
  const put = (path: string, text: string, time: number): void => {
    const whole = join(home.path, path);
    Deno.mkdirSync(dirname(whole), { recursive: true });
    Deno.writeTextFileSync(whole, text);
    Deno.utimeSync(whole, time / 1000, time / 1000);
  };
  const now = PICTURE_NOW.getTime();
  for (let at = 0; at < 64; at++) {
    const days = Math.floor(at * at / 140);
    const project = PROJECTS[at % 7 % 3] ?? PROJECTS[0];
    const cwd = `${PICTURE_PERSON}/${project}`;
    const model = MODELS[at % 5 === 0 ? 1 : 0];
    const prompt = PROMPTS[at % PROMPTS.length] ?? "";
    const start = now - days * DAY_MS - (at % 6 + 1) * 4_300_000;
    const id = at === 0 ? SHOWN : `5e55${String(at).padStart(4, "0")}${SHOWN.slice(8)}`;
    if (at % 4 === 3) {
      const name = cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
      const stamp = new Date(start).toISOString();
      const base = { type: "message", timestamp: stamp };
      const usage = { input: 2000, output: 900, cacheRead: 30_000, cacheWrite: 0 };
      const lines = [
        { type: "session", version: 3, id, timestamp: stamp, cwd },
        { ...base, id: "a1", parentId: null, message: { role: "user", content: said(prompt) } },
        {
          ...{ ...base, id: "b1", parentId: "a1" },
          message: {
            ...{ role: "assistant", content: said("Done: the last row is read."), usage },
            ...{ model: "gpt-5-codex", stopReason: "stop" },
          },
        },
      ];
      const path = `.pi/agent/sessions/--${name}--/${stamp.replaceAll(/[:.]/g, "-")}_${id}.jsonl`;
      put(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), start + 60_000);
      continue;
    }
    const session = new ClaudeSession(id, cwd, start);
    session.ask(at === 0 ? PLAN : prompt);
    session.answer(said("I read the code first, then change it and run the tests."), model);
    for (let turn = 0; turn < (at === 0 ? 14 : at % 3 + 1); turn++) {
      if (turn > 0) session.ask(PROMPTS[(at + turn) % PROMPTS.length] ?? "");
      session.wait(60 * (turn * 7 % 11));
      if (turn % 3 < 2) work(session, `${cwd}/src/report.ts`, model);
      session.answer(
        said(
          "Amounts are **rounded half to even** where they are added. All 42 tests pass.\n\n" +
            "```ts\nroundHalfEven(0.015, 2); // 0.02\n```\n",
        ),
        model,
        700,
      );
    }
    const folder = cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    put(`.claude/projects/${folder}/${id}.jsonl`, `${session.lines.join("\n")}\n`, start + 900_000);
  }
}
