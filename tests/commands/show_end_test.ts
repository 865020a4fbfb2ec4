/** The end of long sessions of other agents, read by itself. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeAgentLog } from "../bench/agent_logs.ts";
import { type CliResult, jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome } from "../_support/cli_home.ts";
import { settle } from "../_support/settle.ts";

const AGENTS = ["claude", "codex", "pi"] as const;
type Agent = typeof AGENTS[number];
/** A line of JSON, from a tail or from a whole read. */
type Line = Record<string, unknown>;

function longSession(home: CliHome, agent: Agent): string {
  const path = join(home.path, `${agent}.jsonl`);
  makeAgentLog(agent, path, 1_150_000, { shape: "short" });
  return path;
}

function show(home: CliHome, ...words: string[]): Promise<CliResult> {
  return home.succeed(["show", ...words]);
}

async function shown(home: CliHome, ...words: string[]): Promise<Line[]> {
  return jsonLines((await show(home, ...words)).stdout);
}

const wholes = new Map<string, Promise<Line[]>>();

/** Returns the items of `show --json` of a long session, read once for all tests. */
async function wholeOf(home: CliHome, agent: Agent, path: string): Promise<Line[]> {
  const read = wholes.get(agent) ?? shown(home, path, "--json");
  wholes.set(agent, read);
  return await read;
}

/** Adds a record longer than the longest end in which a name is looked for. */
function pad(path: string): void {
  const lines = Deno.readTextFileSync(path).split("\n");
  const long = { type: "custom", id: "fill", parentId: null, data: "-".repeat(4.5e6) };
  lines.splice(-200, 0, JSON.stringify({ ...long, timestamp: "2026-11-01T08:00:00.000Z" }));
  Deno.writeTextFileSync(path, lines.join("\n"));
}

/** Returns the displayed form of an id. */
function shortOf(id: string): string {
  return id.includes("-") ? id.slice(0, 8) : id;
}

/** Returns the items of which a part is not before an event. */
function from(items: readonly Line[], seq: number): Line[] {
  return items.filter((item) => Number(item.end_seq ?? item.seq) >= seq);
}

/** Leaves out what a turn's prompt, before the end, tells. */
function withoutNumbers({ seq: _, end_seq: __, id: ___, turn_id: ____, ...rest }: Line): Line {
  return rest;
}

function withoutTurn({ turn_id: _, ...rest }: Line): Line {
  return rest;
}

for (const agent of AGENTS) {
  // Slow: the end of a log is a megabyte.
  inHome.test(`${agent}: --last reads the end alone, and names its records`, async (home) => {
    const path = longSession(home, agent);
    const whole = await wholeOf(home, agent, path);
    const events = await shown(home, path, "--events");
    // Reading the beginning would report the damage.
    const bytes = Deno.readFileSync(path);
    bytes.fill(0x78, 100_000, 200_000);
    Deno.writeFileSync(path, bytes);
    for (const [form, full] of [["--json", whole], ["--events", events]] as const) {
      const { stdout, stderr } = await show(home, path, "--last", "5", form);
      const [lines, last] = [jsonLines(stdout), full.slice(-5)];
      assert.equal(lines.length, 5);
      assert.deepEqual(lines.map(withoutNumbers), last.map(withoutNumbers));
      for (const [at, { turn_id }] of lines.entries()) {
        assert.ok(turn_id === undefined || turn_id === last[at]?.turn_id, "a turn is invented");
      }
      assert.ok(lines.every((line) => !("seq" in line) && typeof line.id === "string"), stdout);
      assert.match(
        stderr,
        /^Only the end of the session was read: lines have no "seq"; .*REF@ID.*\n$/,
      );
    }
    const text = await show(home, path, "--last", "2", "--tools", "none");
    const id = shortOf(String(whole.at(-1)?.id));
    assert.match(text.stdout, new RegExp(`^assistant @${id} `, "m"));
    assert.match(
      text.stderr,
      /^Only the end of the session was read: .*to see them: reprise show \S+ --threads\n$/,
    );
  });

  inHome.test(`${agent}: REF@ID shows a record of the end, and of the middle, where it stands`, async (home) => {
    const path = longSession(home, agent);
    if (agent === "pi") pad(path);
    const items = await (agent === "pi" ? shown(home, path, "--json") : wholeOf(home, agent, path));
    const named = (at: number): [string, Line] => {
      const item = items.slice(at).find(({ type, role }) => type === "message" && role === "user");
      assert.ok(item !== undefined);
      return [`${path}@${item.id}`, item];
    };
    const [end, last] = named(-40);
    const [middle, early] = named(50);
    const lines = await shown(home, end, "--json");
    assert.deepEqual(lines[0], { ...withoutNumbers(last), id: last.id, turn_id: last.turn_id });
    assert.equal(lines.length, items.length - items.indexOf(last));
    assert.deepEqual((await shown(home, middle, "--json"))[0], early);
    assert.equal((await shown(home, middle, "--events"))[0]?.seq, early.seq);
    const mark = shortOf(String(last.id));
    const { stdout } = await show(home, end);
    assert.match(stdout, new RegExp(`^▶ @${mark}.*\n▌ user @${mark}`, "m"));
  });

  // Slow: the end of a log is a megabyte.
  inHome.test(`${agent}: the end has numbers once all of the session was read`, async (home) => {
    Deno.mkdirSync(home.store, { mode: 0o700 });
    const path = longSession(home, agent);
    const whole = await wholeOf(home, agent, path);
    const ref = putInPlace(home, agent, path);
    await settle();
    await home.run(["list", "--all", "--exact"]);
    const last = await show(home, ref, "--last", "4", "--json");
    assert.deepEqual(jsonLines(last.stdout).map(withoutTurn), whole.slice(-4).map(withoutTurn));
    const seq = Number(whole.at(-2)?.seq);
    const named = await shown(home, `${ref}#${seq}`, "--json");
    assert.deepEqual(named.map((item) => item.seq), from(whole, seq).map((item) => item.seq));
    const text = await show(home, ref, "--last", "2", "--tools", "none");
    assert.match(text.stdout, new RegExp(`^assistant #${whole.at(-1)?.seq} `, "m"));
    assert.deepEqual([last.stderr, text.stderr], ["", ""]);
    const bare = await shown(home, ref, "--last", "4", "--json", "--no-catalogue");
    assert.ok(bare.every((line) => !("seq" in line)));
  });
}

/** Puts a session where its agent keeps its own; returns its reference. */
function putInPlace(home: CliHome, agent: Agent, path: string): string {
  const first = jsonLines(Deno.readTextFileSync(path).slice(0, 4096).split("\n")[0] ?? "")[0] ?? {};
  const payload = (first.payload ?? {}) as Line;
  const id = String(first.sessionId ?? payload.id ?? first.id);
  const [folder, name] = {
    claude: [".claude/projects/-home-ada-src-ledger", `${id}.jsonl`],
    codex: [".codex/sessions/2026/11/01", `rollout-2026-11-01T08-00-00-${id}.jsonl`],
    pi: [".pi/agent/sessions/--home-ada-src-ledger--", `2026-11-01T08-00-00-000Z_${id}.jsonl`],
  }[agent] as [string, string];
  Deno.mkdirSync(join(home.path, folder), { recursive: true });
  Deno.renameSync(path, join(home.path, folder, name));
  return `${agent}:${id}`;
}

// Slow: the end of a log is a megabyte.
inHome.test("REF#seq of a long log of ours is what reading all of it gives", async (home) => {
  const imported = (await home.run(["import", longSession(home, "pi")])).stdout.trim();
  const items = await shown(home, imported, "--json");
  for (const item of [items.at(-1), items.at(-30), items.at(3)]) {
    const seq = Number(item?.seq);
    assert.deepEqual(await shown(home, `${imported}#${seq}`, "--json"), from(items, seq));
    const { stdout } = await show(home, `${imported}#${seq}`, "--tools", "none");
    const before = stdout.slice(0, stdout.indexOf(`▶ #${seq}\n`));
    assert.ok(before.split("\n\n").length >= 2, before);
  }
});

inHome.test("a page and a model's tool read the last items from the end, where these fit", async (home) => {
  const path = longSession(home, "claude");
  const whole = await wholeOf(home, "claude", path);
  const ref = putInPlace(home, "claude", path);
  const page = ["--json", "--max-chars", "4000"];
  const { stdout, stderr } = await show(home, ref, "--last", "3", ...page);
  assert.deepEqual(jsonLines(stdout).map(({ id }) => id), whole.slice(-3).map(({ id }) => id));
  assert.match(stderr, /^Only the end of the session was read: /);
  // A page that goes on counts from the start.
  const long = await shown(home, ref, "--last", "200", ...page);
  assert.equal(long[0]?.seq, whole.at(-200)?.seq);
  assert.deepEqual(Object.keys(long.at(-1) ?? {}), ["cursor"]);
});
