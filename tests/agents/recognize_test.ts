import assert from "node:assert/strict";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { LibraryPlace } from "../../lib/library/catalogue/library_place.ts";
import { descriptorOf, loadAgent, OTHER_AGENTS } from "../../lib/library/machine/registry.ts";
import { findInFile } from "../../lib/library/query/find_session.ts";
import { readHead } from "../../lib/core/log/read_whole.ts";
import type { Agent } from "../../lib/agents/contract/agent.ts";
import { SAMPLES, testRecorded } from "../_support/samples.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import { filesBelow } from "../_support/files_below.ts";

const TESTDATA = fileURLToPath(new URL("../../testdata/agents", import.meta.url));

/** Those that keep another one's format recognize what that one does. */
const AGENTS = await Promise.all(
  OTHER_AGENTS.filter((name) => descriptorOf(name).format === undefined).map(loadAgent),
);

/** What lies beside sessions: indexes, settings, sources of databases, files that say no more. */
const BESIDE =
  /(?:^|\/)(?:index\.json.*|state\.json|summary\.json|compaction_checkpoints\/.*|session_index\.jsonl|history\.jsonl|history_item\.json|task_metadata\.json|taskHistory\.json|.*\.compaction\.json|\d{13}_\w+\.json|.*\.sql|talk\.json|projects\.json|project_root\.txt|workspace\.yaml|(?:.*\.)?(?:meta|settings)\.json|sessions\.json|kiro\/[^/]*\.json|.*doctor\.json|migration|prt_.*|msg_.*|event-\d+-.*\.json|.*__part__.*|.*__message__.*|.*_migration|GOLDEN.*|SOURCE\.txt|README\.md|.*\.gz|state_5\.sqlite|thread_history_1\.sqlite)$/;

/** Files of the samples that are of no version that is read, or of another agent than their folder. */
const OTHERWISE: Readonly<Record<string, string[]>> = {
  "29eb990e-c773-4302-a4e7-317f0af0001f__ec38b74f08e3_2.jsonl": ["gemini"],
  "tests__sample_session.json": [],
  "Resources__Fixtures__stage0__agents__gemini__schema_drift.json": [],
  "export-sample.json": [],
};

/** The agents that take a file for theirs; a compressed or bare rollout is told by its name too. */
async function takers(path: string): Promise<string[]> {
  const { bytes } = await readHead(path);
  const named = basename(path) === "document.json" ? join(path, "../rollout-document.json") : path;
  return AGENTS.filter((agent) => agent.recognize(named, bytes)).map(({ name }) => name);
}

async function wrongIn(
  root: string,
  expected: (file: string) => string[] | undefined,
): Promise<unknown[]> {
  const wrong: unknown[] = [];
  for (const path of filesBelow(root)) {
    const file = relative(root, path).replaceAll("\\", "/");
    const names = expected(file);
    const found = names === undefined ? [] : await takers(path);
    if (names !== undefined && found.join() !== names.join()) wrong.push([file, found]);
  }
  return wrong;
}

Deno.test("each file of an agent is recognized by that agent and no other", async () => {
  let count = 0;
  const expected = (file: string): string[] | undefined => {
    if (BESIDE.test(file)) return [];
    const [folder = ""] = file.split("/");
    count++;
    // Their program alone knows the files of an own reader.
    return folder === "foreign" || folder === "own_reader" ? [] : [folder];
  };
  assert.deepEqual(await wrongIn(TESTDATA, expected), []);
  assert.ok(count > 80);
});

testRecorded("so is each sample, and what no agent here wrote by none", SAMPLES, async () => {
  const samples = await wrongIn(SAMPLES, (file) => {
    if (/^more\/|\/corrupt\/rfc-v0-kinds\//.test(file)) return undefined;
    if (BESIDE.test(file)) return [];
    const [folder = ""] = file.split("/");
    return OTHERWISE[basename(file)] ?? [folder.replace(/-(?:code|cli)$/, "")];
  });
  assert.deepEqual(samples, []);
});

Deno.test("a chat whose keys are in another order is recognized, cut or whole", async () => {
  const path = join(TESTDATA, "gemini/sorted_keys.json");
  const { bytes } = await readHead(path);
  for (const length of [bytes.length, 400, 260]) {
    const found = AGENTS.filter((agent) => agent.recognize(path, bytes.subarray(0, length)));
    assert.deepEqual(found.map(({ name }) => name), ["gemini"], `${length} bytes`);
  }
  const gemini = await loadAgent("gemini");
  const [session] = await gemini.sessionsIn(path);
  assert.equal(session?.id, "5f0e0000-0000-4000-8000-00000000abcd");
});

type Json = Record<string, unknown>;

/** Fields of texts, and not of times, ids, types and paths. */
const LONG_FIELD = /^(?:text|content|instructions|summary|data|thinking|output)$/;

/** A record whose longest text is `length` characters longer, as that of a screenshot is. */
function lengthened(record: Json, length: number): Json {
  const texts: string[] = [];
  JSON.stringify(record, (key, value) => {
    if (typeof value === "string" && LONG_FIELD.test(key)) texts.push(value);
    return value;
  });
  if (texts.length === 0) return record;
  const longest = texts.reduce((one, other) => other.length > one.length ? other : one, "");
  const padded = longest + "A".repeat(length);
  return JSON.parse(JSON.stringify(record), (_, value) => value === longest ? padded : value);
}

/** The file with a long record in place of the first one by which it is recognized. */
function withLongRecord(agent: Agent, path: string, length: number): string | undefined {
  const lines = Deno.readTextFileSync(path).split("\n");
  const bytesOf = (count: number): Uint8Array =>
    new TextEncoder().encode(lines.slice(0, count).map((line) => `${line}\n`).join(""));
  const telling = lines.findIndex((_, at) => agent.recognize(path, bytesOf(at + 1)));
  const line = lines[telling];
  if (line === undefined || !/^\{.*\}$/.test(line)) return undefined;
  lines[telling] = JSON.stringify(lengthened(JSON.parse(line), length));
  return lines.join("\n");
}

// Slow: each file of each agent gets a record longer than the first look.
Deno.test("a file is recognized whose first telling record is longer than the first look", async () => {
  const nowhere: LibraryPlace = {
    root: undefined,
    environment: { home: "/nowhere", os: "linux", variable: () => undefined },
    agents: OTHER_AGENTS,
  };
  const root = await Deno.makeTempDir();
  const wrong: unknown[] = [];
  const seen = new Set<string>();
  for (const path of filesBelow(TESTDATA)) {
    const [name = ""] = relative(TESTDATA, path).replaceAll("\\", "/").split("/");
    const agent = AGENTS.find((one) => one.name === name);
    if (agent === undefined || !path.endsWith(".jsonl") || BESIDE.test(path)) continue;
    for (const length of ALL_TORTURE ? [70_000, 900_000] : [70_000]) {
      const text = withLongRecord(agent, path, length);
      if (text === undefined) continue;
      const copy = join(root, basename(path));
      await Deno.writeTextFile(copy, text);
      const found = await findInFile(nowhere, copy)
        .then(({ reader }) => reader.session.agent, String);
      seen.add(name);
      if (found !== name) wrong.push([relative(TESTDATA, path), length, found]);
    }
  }
  await Deno.remove(root, { recursive: true });
  assert.deepEqual(wrong, []);
  assert.ok(seen.size >= 9, [...seen].join());
});
