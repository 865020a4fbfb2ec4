/** The end of long sessions of other agents, read by itself. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeAgentLog } from "../bench/agent_logs.ts";
import { jsonLines } from "../_support/cli.ts";
import { type CliHome, inHome } from "../_support/cli_home.ts";
import { settle } from "../_support/settle.ts";

const AGENTS = ["claude", "codex", "pi"] as const;
/** A line of JSON, from a tail or from a whole read. */
type Line = Record<string, unknown>;

function longSession(home: CliHome, agent: typeof AGENTS[number], bytes = 1_150_000): string {
  const path = join(home.path, `${agent}.jsonl`);
  makeAgentLog(agent, path, bytes, { shape: "short" });
  return path;
}

const wholes = new Map<string, Promise<string>>();

/** Returns the items of `show --json` of a long session, read once for all tests. */
async function wholeOf(home: CliHome, agent: typeof AGENTS[number], path: string): Promise<Line[]> {
  const read = wholes.get(agent) ?? home.run(["show", path, "--json"]).then((all) => all.stdout);
  wholes.set(agent, read);
  return jsonLines(await read);
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

/** Leaves out what a turn's prompt, before the end, tells. */
function withoutNumbers({ seq: _, end_seq: __, id: ___, turn_id: ____, ...rest }: Line): Line {
  return rest;
}

for (const agent of AGENTS) {
  // Slow: the end of a log is a megabyte.
  inHome.test(`${agent}: --last reads the end alone, and names its records`, async (home) => {
    const path = longSession(home, agent);
    const whole = await wholeOf(home, agent, path);
    const all = jsonLines((await home.run(["show", path, "--events"])).stdout);
    // Reading the beginning would report the damage.
    const bytes = Deno.readFileSync(path);
    bytes.fill(0x78, 100_000, 200_000);
    Deno.writeFileSync(path, bytes);
    const [items, events, text] = await home.runAll([
      ["show", path, "--last", "5", "--json"],
      ["show", path, "--last", "5", "--events"],
      ["show", path, "--last", "2", "--tools", "none"],
    ]);
    for (const [end, full] of [[items, whole], [events, all]] as const) {
      const [lines, last] = [jsonLines(end?.stdout ?? ""), full.slice(-5)];
      assert.equal(lines.length, 5);
      assert.deepEqual(lines.map(withoutNumbers), last.map(withoutNumbers));
      for (const [at, { turn_id }] of lines.entries()) {
        assert.ok(turn_id === undefined || turn_id === last[at]?.turn_id, "a turn is invented");
      }
      assert.ok(
        lines.every((line) => !("seq" in line) && typeof line.id === "string"),
        end?.stdout,
      );
      assert.match(
        end?.stderr ?? "",
        /^Only the end of the session was read: lines have no "seq"; .*REF@ID.*\n$/,
      );
    }
    const id = String(jsonLines(items?.stdout ?? "").at(-1)?.id);
    assert.match(text?.stdout ?? "", new RegExp(`^assistant @${shortOf(id)} `, "m"));
    assert.match(
      text?.stderr ?? "",
      /^Only the end of the session was read: .*to see them: reprise show \S+ --threads\n$/,
    );
  });

  inHome.test(`${agent}: REF@ID shows a record of the end, and of the middle, where it stands`, async (home) => {
    const path = longSession(home, agent);
    if (agent === "pi") pad(path);
    const items = agent === "pi"
      ? jsonLines((await home.run(["show", path, "--json"])).stdout)
      : await wholeOf(home, agent, path);
    const named = (at: number): [string, Line] => {
      const item = items.slice(at).find(({ type, role }) => type === "message" && role === "user");
      assert.ok(item !== undefined);
      return [`${path}@${item.id}`, item];
    };
    const [end, last] = named(-40);
    const [middle, early] = named(50);
    const [near, far, text, event] = await home.runAll([
      ["show", end, "--json"],
      ["show", middle, "--json"],
      ["show", end],
      ["show", middle, "--events"],
    ]);
    const lines = jsonLines(near?.stdout ?? "");
    assert.deepEqual(lines[0], { ...withoutNumbers(last), id: last.id, turn_id: last.turn_id });
    assert.equal(lines.length, items.length - items.indexOf(last));
    assert.deepEqual(jsonLines(far?.stdout ?? "")[0], early);
    assert.equal(jsonLines(event?.stdout ?? "")[0]?.seq, early.seq);
    const mark = shortOf(String(last.id));
    assert.match(text?.stdout ?? "", new RegExp(`^▶ @${mark}.*\n▌ user @${mark}`, "m"));
  });

  // Slow: the end of a log is a megabyte.
  inHome.test(`${agent}: the end has numbers once all of the session was read`, async (home) => {
    Deno.mkdirSync(home.store, { mode: 0o700 });
    const path = longSession(home, agent);
    const whole = await wholeOf(home, agent, path);
    const ref = putInPlace(home, agent, path);
    await settle();
    await home.run(["list", "--all", "--exact"]);
    const [last, text, bare] = await home.runInOrder([
      ["show", ref, "--last", "4", "--json"],
      ["show", ref, "--last", "2", "--tools", "none"],
      ["--no-catalogue", "show", ref, "--last", "4", "--json"],
    ]);
    const lines = jsonLines(last?.stdout ?? "");
    assert.deepEqual(
      lines.map(({ turn_id: _, ...line }) => line),
      whole.slice(-4).map(({ turn_id: _, ...line }) => line),
    );
    assert.equal(last?.stderr, "");
    const seq = Number(whole.at(-2)?.seq);
    const named = jsonLines((await home.run(["show", `${ref}#${seq}`, "--json"])).stdout);
    const wanted = whole.filter((item) => Number(item.end_seq ?? item.seq) >= seq);
    assert.deepEqual(named.map((item) => item.seq), wanted.map((item) => item.seq));
    assert.match(text?.stdout ?? "", new RegExp(`^assistant #${whole.at(-1)?.seq} `, "m"));
    assert.equal(text?.stderr, "");
    assert.ok(jsonLines(bare?.stdout ?? "").every((line) => !("seq" in line)));
  });
}

/** Puts a session where its agent keeps its own; returns its reference. */
function putInPlace(home: CliHome, agent: typeof AGENTS[number], path: string): string {
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

inHome.test("a record that is not there, or is one of several, is said", async (home) => {
  const path = longSession(home, "claude");
  const items = await wholeOf(home, "claude", path);
  const beginnings = items.map(({ id }) => String(id).slice(0, 4));
  const twice = beginnings.find((one, at) => beginnings.indexOf(one) < at);
  const [none, several] = await home.runAll([
    ["show", `${path}@nothere`],
    ["show", `${path}@${twice}`],
  ]);
  assert.equal(none?.status, 1);
  assert.match(none?.stderr ?? "", /^reprise: Cannot find record "nothere" in session claude:/);
  assert.equal(several?.status, 1);
  assert.match(
    several?.stderr ?? "",
    /^reprise: Cannot choose record: "\w+" matches \d+ records: .*more of the record's id/,
  );
});

// Slow: the end of a log is a megabyte.
inHome.test("fork goes back to a record by its name; what takes whole sessions refuses it", async (home) => {
  const path = longSession(home, "pi");
  const items = await wholeOf(home, "pi", path);
  const { id, content } = items.filter(({ role }) => role === "user").at(-3) ?? {};
  const imported = (await home.run(["import", path])).stdout.trim();
  const [fork, foreign, whole] = await home.runAll([
    ["fork", `${imported}@${id}`],
    ["fork", `${path}@${id}`],
    ["export", `${path}@${id}`],
  ]);
  const copied = jsonLines((await home.run(["show", fork?.stdout.trim() ?? "", "--json"])).stdout);
  assert.deepEqual(copied.at(-1)?.content, content);
  assert.match(
    foreign?.stderr ?? "",
    new RegExp(`Import the session first: reprise import ${path}\n$`),
  );
  assert.deepEqual([whole?.status, foreign?.status], [1, 1]);
  assert.match(whole?.stderr ?? "", /name the session only, without #EVENT/);
});

// Slow: the end of a log is a megabyte.
inHome.test("REF#seq of a long log of ours is what reading all of it gives", async (home) => {
  const imported = (await home.run(["import", longSession(home, "pi")])).stdout.trim();
  const items = jsonLines((await home.run(["show", imported, "--json"])).stdout);
  for (const item of [items.at(-1), items.at(-30), items.at(3)]) {
    const seq = Number(item?.seq);
    const [json, text] = await home.runAll([
      ["show", `${imported}#${seq}`, "--json"],
      ["show", `${imported}#${seq}`, "--tools", "none"],
    ]);
    const wanted = items.filter((one) => Number(one.end_seq ?? one.seq) >= seq);
    assert.deepEqual(jsonLines(json?.stdout ?? ""), wanted);
    const before = text?.stdout.slice(0, text.stdout.indexOf(`▶ #${seq}\n`)) ?? "";
    assert.ok(before.split("\n\n").length >= 2, before);
  }
});

inHome.test("a page and a model's tool read the last items from the end, where these fit", async (home) => {
  const path = longSession(home, "claude");
  const whole = await wholeOf(home, "claude", path);
  const ref = putInPlace(home, "claude", path);
  const pages = ["3", "200"].map((
    last,
  ) => ["show", ref, "--last", last, "--json", "--max-chars", "4000"]);
  const [short, long] = await home.runAll(pages);
  const ids = jsonLines(short?.stdout ?? "").map(({ id }) => id);
  assert.deepEqual(ids, whole.slice(-3).map(({ id }) => id));
  assert.match(short?.stderr ?? "", /^Only the end of the session was read: /);
  // A page that goes on counts from the start.
  assert.equal(jsonLines(long?.stdout ?? "")[0]?.seq, whole.at(-200)?.seq);
  assert.match(long?.stdout ?? "", /\{"cursor":".*"\}\n$/);
});
