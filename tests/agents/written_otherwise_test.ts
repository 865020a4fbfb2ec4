/**
 * The property of every scanner of bytes. Records that mean the same in JSON give the same session,
 * however they are written.
 */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { contentText, type Message } from "../../lib/core/event/message.ts";
import { SUMMARY_KINDS } from "../../lib/core/event/policy.ts";
import { descriptorOf, loadAgent, OTHER_AGENTS } from "../../lib/library/machine/registry.ts";
import { searchSessions } from "../../lib/library/search/mod.ts";
import type { Agent, AgentSession } from "../../lib/agents/contract/agent.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import { conversationOf, payloadsOf, readAll } from "../_support/agent_contract.ts";
import { filesBelow } from "../_support/files_below.ts";

const TESTDATA = fileURLToPath(new URL("../../testdata/agents", import.meta.url));
const MODIFIED = new Date("2026-11-21T12:00:00.000Z");

/** Writes a value that was parsed. */
type Rewrite = (value: unknown) => string;

/** Writes texts with some characters as escapes, and the rest as they are. */
function withEscapes(text: string): string {
  const escaped = (match: string): string =>
    `\\u${match.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`;
  // No writer of JSON escapes the names of fields.
  return text.replace(/("(?:[^"\\]|\\.)*")(\s*:)?/g, (all, string: string, colon?: string) => {
    if (colon !== undefined) return all;
    return string.replaceAll("/", "\\/").replace(/(?<=["a-z ])[a-z](?=[a-z])/g, escaped);
  });
}

/** Parts of a call or a result whose order is a person's or a tool's. */
const ORDERED = /^(?:input|changes|arguments|args|toolUseResult|rawInput|result|output|content)$/;

function reversed(value: unknown, key = ""): unknown {
  if (typeof value !== "object" || value === null || ORDERED.test(key)) return value;
  if (Array.isArray(value)) return value.map((item) => reversed(item));
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([name, item]) => [name, reversed(item, name)]));
}

const spaced: Rewrite = (value) =>
  JSON.stringify(value, null, 1).replace(/\n */g, " ").replace(
    /^\{ | \}$/g,
    (brace) => brace.trim(),
  );

/** Other ways to write a record, each with how its line ends. */
const WAYS: Readonly<Record<string, { rewrite: Rewrite; end: string }>> = {
  "spaces": { rewrite: spaced, end: "\n" },
  "another order": { rewrite: (value) => JSON.stringify(reversed(value)), end: "\n" },
  "escapes": { rewrite: (value) => withEscapes(JSON.stringify(value)), end: "\n" },
  "CRLF": { rewrite: (value) => JSON.stringify(value), end: "\r\n" },
  "all of them": { rewrite: (value) => withEscapes(spaced(reversed(value))), end: "\r\n" },
};

function rewritten(path: string, text: string, way: { rewrite: Rewrite; end: string }): string {
  const whole = path.endsWith(".json") ? parsed(text) : undefined;
  if (whole !== undefined) return way.rewrite(whole);
  return text.split("\n").map((line, at, all) => {
    const value = parsed(line);
    const end = at === all.length - 1 ? "" : way.end;
    return (value === undefined ? line : way.rewrite(value)) + end;
  }).join("");
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    // Damage stays as it is.
    return undefined;
  }
}

/** Where bytes lie differs, and with it ids that are made of it. Nothing else does. */
function withoutPlaces(values: readonly (LogEvent | Message)[]): unknown[] {
  const text = JSON.stringify(values.map((value) => ({ ...value, position: undefined })));
  return JSON.parse(text.replace(/"line-\d+(-\d+)?"/g, '"line$1"'));
}

/** All that can be asked of a session, or only what may skip a part of its file. */
async function answers(
  agent: Agent,
  session: AgentSession,
  skipping: boolean,
): Promise<Record<string, unknown>> {
  const reader = agent.open(session);
  const row = async (exact: boolean): Promise<unknown> => {
    const { bytes: _, path: __, ...rest } = await reader.summarize({ exact }) ?? {};
    return rest;
  };
  const tail = await reader.readTail({ messages: 2 });
  const skips = {
    row: await row(false),
    exact: await row(true),
    needed: withoutPlaces((await readAll(agent, session, { needs: SUMMARY_KINDS })).events),
    usage: (await Array.fromAsync(reader.usage())).flat(),
    tail: withoutPlaces(tail),
  };
  if (skipping) return skips;
  const { events, found } = await readAll(agent, session);
  const listed = await reader.threads();
  // One thread alone is the session.
  const branches = listed.length > 1 || ALL_TORTURE ? listed : [];
  const read = async (thread: string): Promise<unknown> =>
    withoutPlaces((await readAll(agent, session, { thread })).events);
  return {
    ...skips,
    events: withoutPlaces(events),
    found: found.map(({ code }) => code),
    conversation: withoutPlaces((await conversationOf(agent, session)).messages),
    messages: withoutPlaces((await Array.fromAsync(reader.messages())).flat()),
    threads: listed,
    reads: await Promise.all(branches.map(({ id }) => read(id))),
    hits: await hitsOf(session, events),
  };
}

type Row = Readonly<Record<string, unknown>>;

/** Where only all of a file tells, a quick look may say what all of it says. */
function assertRow(found: Row, { row = {}, exact = {} }: Readonly<Record<string, Row>>): void {
  const told = Object.keys(found).map((field) => {
    const same = JSON.stringify(found[field]) === JSON.stringify(exact[field]);
    return [field, same ? exact[field] : row[field]] as const;
  });
  assert.deepEqual(found, Object.fromEntries(told));
  for (const field of ["title", "cwd", "first_user_message"]) {
    assert.equal(field in found, field in row);
  }
}

/** How often words of the prompts are found: two of them in the usual run. */
async function hitsOf(session: AgentSession, events: readonly LogEvent[]): Promise<unknown> {
  const said = payloadsOf(events, "user_message").map(({ content }) => contentText(content));
  const words = new Set(said.flatMap((text) => /[a-z]{4,}/i.exec(text)?.[0] ?? []));
  const counts: [string, number][] = [];
  for (const query of [...words].slice(0, ALL_TORTURE ? words.size : 2)) {
    const { total } = await searchSessions([session], { query, now: MODIFIED.getTime() });
    counts.push([query, total]);
  }
  return counts;
}

/** A copy of an agent's files, each written as `write` says. */
function copied(agent: string, write: (path: string, text: string) => string): string {
  const root = join(Deno.makeTempDirSync({ prefix: "reprise-written-" }), agent);
  for (const path of filesBelow(join(TESTDATA, agent))) {
    const copy = join(root, relative(join(TESTDATA, agent), path));
    Deno.mkdirSync(dirname(copy), { recursive: true });
    if (/\.jsonl?$/.test(path)) {
      Deno.writeTextFileSync(copy, write(path, Deno.readTextFileSync(path)));
    } else Deno.copyFileSync(path, copy);
    Deno.utimeSync(copy, MODIFIED, MODIFIED);
  }
  return root;
}

/** A record in the middle is so long that a list does not read it. */
function withLongMiddle(text: string): string {
  const lines = text.split("\n");
  const middle = Math.floor(lines.length / 2);
  const value = parsed(lines[middle] ?? "") as { message?: unknown } | undefined;
  if (value === undefined) return text;
  lines[middle] = JSON.stringify({
    ...value,
    padding: "x ".repeat(ALL_TORTURE ? 200_000 : 140_000),
  });
  return lines.join("\n");
}

/** The files of an agent whose middle is made long: eight of them in the usual run. */
function filesToLengthen(agent: string): Set<string> {
  const files = [...filesBelow(join(TESTDATA, agent))].filter((path) => path.endsWith(".jsonl"));
  const step = ALL_TORTURE ? 1 : Math.ceil(files.length / 8);
  return new Set(files.sort().filter((_, at) => at % step === 0));
}

/** The usual run takes all ways at once, and asks long files for what may skip their middle. */
const TAKEN = Object.entries(WAYS).filter(([way]) => ALL_TORTURE || way === "all of them");

/** Compares the answers for a file and its copy; returns what differs. */
async function differences(
  agent: Agent,
  expected: Record<string, unknown>,
  copy: string,
  skipping: boolean,
): Promise<string[]> {
  if (!agent.recognize(copy, Deno.readFileSync(copy))) return ["not recognized"];
  const [session] = await agent.sessionsIn(copy);
  if (session === undefined) return ["no session"];
  const found = await answers(agent, session, skipping);
  return Object.entries(expected).flatMap(([what, answer]) => {
    try {
      if (what === "row") assertRow(found.row as Row, expected as Record<string, Row>);
      else assert.deepEqual(found[what], answer);
      return [];
    } catch (error) {
      return [`${what}: ${(error as Error).message}`];
    }
  });
}

/** The answers for each session of a folder, by its file. */
async function* answersBelow(
  agent: Agent,
  folder: string,
  long: ReadonlySet<string> | undefined,
): AsyncGenerator<[file: string, Record<string, unknown>]> {
  for (const path of filesBelow(folder)) {
    const file = relative(folder, path);
    if (long?.has(join(TESTDATA, agent.name, file)) === false) continue;
    // The sources of databases are no sessions.
    if (!/\.jsonl?$/.test(path) || /compacted\.json$/.test(path)) continue;
    if (!agent.recognize(path, Deno.readFileSync(path))) continue;
    const [session] = await agent.sessionsIn(path);
    if (session === undefined) continue;
    yield [file, await answers(agent, session, long !== undefined && !ALL_TORTURE)];
  }
}

/** True if an agent has files of JSON, and not only text or a database. */
function hasRecords(name: string): boolean {
  return [...filesBelow(join(TESTDATA, name))]
    .some((path) => /\.jsonl?$/.test(path));
}

// Slow: each file of an agent is read in a dozen ways, as it is and as it is written otherwise.
for (const name of OTHER_AGENTS.filter((one) => descriptorOf(one).format === undefined)) {
  Deno.test(`${name}: records that are written otherwise give the same session`, async () => {
    const agent = await loadAgent(name);
    const wrong: string[] = [];
    let count = 0;
    for (
      const [base, long] of [["as it is", undefined], ["long", filesToLengthen(name)]] as const
    ) {
      const skipping = long !== undefined && !ALL_TORTURE;
      const write = (path: string, text: string): string =>
        long?.has(path) ? withLongMiddle(text) : text;
      const plain = copied(name, write);
      const others = TAKEN.map(([way, how]) =>
        [
          way,
          copied(name, (path, text) =>
            // Of a file that is not compared, its neighbours need only what it says.
            long?.has(path) === false ? text : rewritten(path, write(path, text), how)),
        ] as const
      );
      for await (const [file, expected] of answersBelow(agent, plain, long)) {
        for (const [way, folder] of others) {
          count++;
          const found = await differences(agent, expected, join(folder, file), skipping);
          wrong.push(...found.map((what) => `${file}, ${base}, ${way}: ${what}`));
        }
      }
      const folders = [plain, ...others.map(([, folder]) => folder)];
      for (const folder of folders) await Deno.remove(dirname(folder), { recursive: true });
    }
    assert.deepEqual(wrong, []);
    assert.equal(count > 0, hasRecords(name));
  });
}
