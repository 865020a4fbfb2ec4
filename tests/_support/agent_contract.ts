/**
 * What every reader of another agent's sessions must do, run on a small home of that agent that the
 * test makes from hand-written fixtures.
 */
import { ALL_TORTURE } from "./torture.ts";
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type {
  Agent,
  AgentReadOptions,
  AgentSession,
  SourceAccount,
} from "../../lib/agents/contract/agent.ts";
import type { AgentEnvironment } from "../../lib/agents/contract/agent_environment.ts";
import { Library } from "../../lib/library/library.ts";
import { readUsage } from "../../lib/library/counts/usage/read_usage.ts";
import { utcDay } from "../../lib/library/counts/usage/usage_sums.ts";
import { usageRowsOf } from "./summed_usage.ts";
import { UsageTotals } from "../../lib/core/projection/usage_totals.ts";
import { loadLocator, tracedAgents } from "../../lib/library/machine/locators.ts";
import { accountSum } from "./account_sum.ts";
import { emptyAccount } from "../../lib/agents/contract/source_account.ts";
import { recordName } from "../../lib/core/event/record_name.ts";
import { openFormat, readFormat } from "../../lib/agents/engine/linear/read_format.ts";
import { readFormatTail } from "../../lib/agents/engine/linear/read_tail.ts";
import type { SourceRecord } from "../../lib/agents/engine/records/source_record.ts";
import type { RecordSource } from "../../lib/agents/engine/sources/record_source.ts";
import type { SessionFormat } from "../../lib/agents/engine/session_format.ts";
import type { ReadPlace } from "../../lib/agents/contract/session_reading.ts";
import type { KnownEvent, LogEvent } from "../../lib/core/event/envelope.ts";
import type { Message, Part } from "../../lib/core/event/message.ts";
import type { EventKind, PayloadByKind } from "../../lib/core/event/payload.ts";
import { USAGE_KINDS } from "../../lib/core/event/policy.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { type Diagnostic, isDamage } from "../../lib/core/log/diagnostic.ts";
import {
  type Conversation,
  conversation,
  type ConversationOptions,
} from "../../lib/core/projection/conversation/conversation.ts";
import { MessageShaper, toMessages } from "../../lib/text/shape/message_shape.ts";
import { foldBatches, foldEvents } from "../../lib/core/projection/projection.ts";
import { wholeSummary } from "../../lib/core/projection/active_time.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import { transcript } from "../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../lib/core/projection/transcript/item.ts";
import { aiSdkFaults, anthropicFaults, openAiFaults, plainFaults } from "./provider_rules.ts";
import { assertLongCellsReported, assertNothingComputed, databaseIn } from "./hostile_database.ts";
import { assertNumbersHeld } from "./hostile_numbers.ts";
import { listed } from "./listed.ts";
import { filesBelow } from "./files_below.ts";

/** A home of an agent, and what is in it. */
export interface AgentCase {
  agent: Agent;
  /** Files by path below the home: a fixture's address, or content. */
  files: Readonly<Record<string, URL | string | Uint8Array>>;
  /** Ids of the sessions that locating finds, in any order. */
  ids: readonly string[];
  /** Returns an id as the test gives it, where it depends on the path of the home. */
  idOf?: (session: AgentSession) => string;
  /** Environment variables; `~` at the start of a value is the home. */
  variables?: Readonly<Record<string, string>>;
  /** The operating system whose folders it has. @default {this one} */
  os?: string;
  /** Programs of the user that print the sessions of an agent, by the path of the home. */
  readers?: (home: string) => AgentEnvironment["readers"];
  /** Working directory of one of the sessions. */
  cwd?: string;
  /**
   * The session to cut and to damage: its id, by default the first. Its file should be small, for
   * it is read once for each of its cuts. A database may be refused as a whole, by a typed error.
   */
  id?: string;
  /** Bytes of a file, or rows of a database. @default {"bytes"} */
  unit?: SourceAccount["unit"];
  /** The format that its reader is made of, where the engine makes it. */
  format?: SessionFormat<unknown>;
  /** A database with its sessions and a fork of each. @default {none: they would be alike} */
  forks?: AgentCase["files"];
  /**
   * Changes the text of a session, by its id, as a fork of the agent does, where more than the id is
   * new. Null for an agent that cannot fork.
   */
  fork?: ((text: string, id: string) => string) | null;
  /** A file that is one JSON value, so that damage makes all of it unreadable. @default {false} */
  all_or_nothing?: boolean;
  /** False for an agent whose program alone knows its files. @default {true} */
  recognized?: boolean;
  /** False where another home has its session cut and damaged for the same reader. @default {true} */
  damage?: boolean;
  /** False where another home has its files changed between lists of the same reader. @default {true} */
  lists?: boolean;
  /** Reads what is cut and damaged, without a program for each read. @default {agent} */
  inProcess?: Agent;
}

/** A home on the disk. */
export interface AgentHome extends AsyncDisposable {
  path: string;
  environment: AgentEnvironment;
}

/** All that one read of a session gives. */
export interface AgentRead {
  events: LogEvent[];
  found: Diagnostic[];
  account: SourceAccount;
}

/** Makes a home with the files of a case in it. */
export async function makeHome(
  files: AgentCase["files"],
  variables: Readonly<Record<string, string>> = {},
  os: string = Deno.build.os,
  readers?: AgentCase["readers"],
): Promise<AgentHome> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    await Deno.mkdir(dirname(file), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(file, content);
    else {await Deno.writeFile(
        file,
        content instanceof URL ? await Deno.readFile(content) : content,
      );}
  }
  const environment: AgentEnvironment = {
    home: path,
    os,
    variable: (name) => variables[name]?.replace(/^~/, path),
    readers: readers?.(path),
  };
  return {
    path,
    environment,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** The sessions that an agent locates. */
export async function locateAll(
  { name }: Agent,
  environment: AgentEnvironment,
): Promise<AgentSession[]> {
  const { locate } = await loadLocator(name);
  const sessions = await Array.fromAsync(locate(environment));
  // A list looks only where the agent left a trace.
  if (sessions.length > 0) assert.deepEqual(tracedAgents(environment, [name]), [name]);
  return sessions;
}

/** A file that grew, that was cut, and as it was. */
const FILE_CHANGES: readonly ((bytes: Uint8Array) => Uint8Array)[] = [
  (bytes) => spliced(bytes, bytes.length, 0, Uint8Array.of(0x0a)),
  (bytes) => bytes.subarray(0, 20),
  (bytes) => bytes,
];
/** Lists are made anew so many times for each change; in a large home, several files change at once. */
const MOST_ROUNDS = ALL_TORTURE ? 10 : 3;

/** A list from what is kept is the list that is made anew, whatever file changes. */
async function assertListedFromCatalogue(
  { name }: Agent,
  { environment, path }: AgentHome,
): Promise<void> {
  const root = Deno.makeTempDirSync({ prefix: "reprise-contract-" });
  try {
    const place = { root, cache: join(root, "cache", "one"), environment, agents: [name] };
    const any = { archived: "any" } as const;
    const options = { version: "1", now: () => Date.now() + 60_000 };
    const kept = (): Promise<Summary[]> => listed(new Library(place, path, options), any);
    const made = (): Promise<Summary[]> => listed(new Library(place, path), any);
    const rows = await made();
    assert.ok(rows.length > 0);
    assert.deepEqual([await kept(), await kept()], [rows, rows]);
    const files = filesBelow(path).filter((file) => !/-(?:wal|shm|journal)$/.test(file));
    for (let first = 0; first < Math.min(files.length, MOST_ROUNDS); first++) {
      // Files that belong to one session are neighbours: they change apart.
      const together = files.filter((_, index) => index % MOST_ROUNDS === first);
      const before = together.map((file) => Deno.readFileSync(file));
      for (const change of FILE_CHANGES) {
        for (const [index, file] of together.entries()) {
          Deno.writeFileSync(file, change(before[index] as Uint8Array));
        }
        assert.deepEqual(await kept(), await made(), together.join());
      }
    }
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

/** Fields that a list lacks where only a whole read tells them. */
const UNKNOWN: ReadonlySet<string> = new Set([
  ...["last_user_message", "last_error", "last_seq", "threads"],
  ...["message_count", "turn_count", "active_ms", "usage", "cost_usd", "models"],
]);

/**
 * A row of a list is that of the whole session, the first time and later, cached or not. `quick`
 * leaves out the short list without a cache, which makes its rows as the first one with a cache does.
 */
async function assertWholeRows(
  { name }: Agent,
  { environment, path }: AgentHome,
  quick: boolean,
): Promise<void> {
  const root = Deno.makeTempDirSync({ prefix: "reprise-contract-" });
  try {
    const place = { root, cache: join(root, "cache", "one"), environment, agents: [name] };
    const kept = { version: "1", now: () => Date.now() + 60_000 };
    const list = (exact: boolean, options?: typeof kept): Promise<Summary[]> =>
      listed(new Library(place, path, options), { archived: "any", exact });
    const whole = await list(true);
    const rows = await list(false, kept);
    if (!quick) assert.deepEqual(await list(false), rows);
    assert.deepEqual([await list(true, kept), await list(true, kept)], [whole, whole]);
    for (const told of [rows, await list(false, kept)]) {
      for (const [at, row] of whole.entries()) {
        const known = Object.entries(row).filter(([field]) =>
          told[at]?.[field as keyof Summary] !== undefined || !UNKNOWN.has(field)
        );
        assert.deepEqual(told[at], Object.fromEntries(known), row.ref);
      }
    }
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

/** So many files of a home have the longest lines; of the others, every other one. */
const LONGEST_FILES = ALL_TORTURE ? Infinity : 4;

/**
 * Files whose lines of JSON are longer than what a list reads of both ends, or damaged ones.
 * Undefined where no file has such lines.
 */
function stretched(files: AgentCase["files"], seed: number): AgentCase["files"] | undefined {
  const below = randomFrom(seed);
  const lined = Object.entries(files).filter(([name, content]) =>
    name.endsWith("l") && !(content instanceof Uint8Array)
  );
  if (lined.length === 0) return undefined;
  const changed = lined.map(([name, content], at) => {
    const text = content instanceof URL ? Deno.readTextFileSync(content) : content as string;
    // Damage amid a long file is found by a whole read alone.
    if (seed % 2 === 0) return [name, fused(text, below)];
    const sizes = at < LONGEST_FILES || at % 2 === 0 ? LINE_SIZES : LINE_SIZES.slice(0, -1);
    const spaces = (): string => " ".repeat(sizes[below(sizes.length)] ?? 0);
    const last = (text.match(/^\{.*\}$/gm)?.length ?? 0) - 1;
    let line = 0;
    const stretch = (): string => Math.min(line, last - line++) < LONG_LINES ? `${spaces()}}` : "}";
    return [name, text.replace(/(?<=^\{.*)\}$/gm, stretch)];
  });
  return { ...files, ...Object.fromEntries(changed) };
}

/** So many lines of each end are long: a list reads no line behind those. */
const LONG_LINES = ALL_TORTURE ? Infinity : 4;

/** Two, one or none of these lines fit in what a list reads of one end, first or later. */
const LINE_SIZES = [0, 9_000, 90_000, 300_000];

/** Lines of which a crash joined a part of one with the next. */
function fused(text: string, below: (most: number) => number): string {
  const lines = text.split("\n");
  const at = below(lines.length - 1);
  const [line = "", next = ""] = lines.slice(at, at + 2);
  return lines.toSpliced(at, 2, line.slice(0, below(line.length + 1)) + next).join("\n");
}

/** Reads a session to its end, with its account and findings. */
export async function readAll(
  agent: Agent,
  session: AgentSession,
  options: AgentReadOptions & { unit?: SourceAccount["unit"] } = {},
): Promise<AgentRead> {
  const { unit = "bytes", ...rest } = options;
  const read: AgentRead = { events: [], found: [], account: emptyAccount(unit) };
  const report = (diagnostic: Diagnostic): void => void read.found.push(diagnostic);
  for await (const batch of agent.open(session).read({ report, account: read.account, ...rest })) {
    read.events.push(...batch);
  }
  return read;
}

/** The conversation of a session, as the agent itself would go on with it. */
export async function conversationOf(
  agent: Agent,
  session: AgentSession,
  options: ConversationOptions = { reasoning: "include" },
): Promise<Conversation> {
  const projection = conversation(options);
  return await foldBatches(projection, agent.open(session).read({ needs: projection.needs }));
}

/** The transcript of a session. */
export async function transcriptOf(agent: Agent, session: AgentSession): Promise<TranscriptItem[]> {
  const projection = transcript();
  return await foldBatches(projection, agent.open(session).read({ needs: projection.needs }));
}

/** The payloads of the events of one kind. */
export function payloadsOf<Kind extends EventKind>(
  events: readonly LogEvent[],
  kind: Kind,
): PayloadByKind[Kind][] {
  const known = events.filter((event) => event.form === "known" && event.kind === kind);
  return known.map((event) => (event as KnownEvent).payload as PayloadByKind[Kind]);
}

/** The parts of one type in the responses among events. */
export function responseParts<Type extends Part["type"]>(
  events: readonly LogEvent[],
  type: Type,
): Extract<Part, { type: Type }>[] {
  const answers = [
    ...payloadsOf(events, "assistant_message"),
    ...payloadsOf(events, "assistant_interrupted"),
  ];
  return answers.flatMap(({ content }) => typeof content === "string" ? [] : content).filter(
    (part): part is Extract<Part, { type: Type }> => part.type === type,
  );
}

/** The codes of what a read found. */
export function codesOf({ found }: AgentRead): string[] {
  return found.map(({ code }) => code);
}

/** The session in a file of its own. */
export async function onlySession(agent: Agent, path: string): Promise<AgentSession> {
  const [session, ...more] = await agent.sessionsIn(path);
  assert.ok(session !== undefined, `no session in ${path}`);
  assert.equal(more.length, 0);
  return session;
}

function listing(folder: string): string[] {
  const lines: string[] = [];
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    const { size, mtime, mode } = Deno.statSync(path);
    if (isDirectory) lines.push(`${name}/ ${mtime?.getTime()} ${mode}`, ...listing(path));
    else lines.push(`${path} ${size} ${mtime?.getTime()} ${mode} ${hashOf(path)}`);
  }
  return lines.sort();
}

/** Differs whenever a byte does, as far as a test needs it. */
function hashOf(path: string): number {
  let hash = 0;
  for (const byte of Deno.readFileSync(path)) hash = (Math.imul(hash, 31) + byte) | 0;
  return hash;
}

/** What no reader's events may lack. */
function assertEvents(agent: Agent, session: AgentSession, events: readonly LogEvent[]): void {
  let last = 0;
  for (const event of events) {
    assert.ok(event.seq > last, `seq ${event.seq} after ${last}`);
    last = event.seq;
    assert.ok(["unverified", "salvaged"].includes(event.integrity), event.integrity);
    if (event.form === "unparsed") continue;
    assert.ok(event.form === "known", `${event.kind} ${event.seq} is ${event.form}`);
    assert.equal(event.source?.agent, agent.name);
    assert.equal(event.source?.session_id, session.id);
    if (event.time !== undefined) assert.equal(new Date(event.time).toISOString(), event.time);
  }
}

/** Folds all views over events: none may throw, and all providers must take the conversation. */
function assertViews(events: readonly LogEvent[]): Conversation {
  foldEvents(transcript({ extensions: true }), events);
  foldEvents(wholeSummary(), events);
  const folded = foldEvents(conversation({ reasoning: "include" }), events);
  const { messages } = folded;
  const shaped: [string, unknown, (request: unknown) => string[]][] = [
    ["plain", toMessages(messages, "plain"), plainFaults],
    ["openai", toMessages(messages, "openai"), openAiFaults],
    ["anthropic", toMessages(messages, "anthropic"), anthropicFaults],
    ["ai-sdk", toMessages(messages, "ai-sdk"), aiSdkFaults],
  ];
  for (const [shape, request, faultsOf] of shaped) assert.deepEqual(faultsOf(request), [], shape);
  return folded;
}

/** Text of JSON, whose characters are alike to whoever reads it, and words of other files. */
const JSON_TEXT = /[A-Za-z0-9 _./+'();<>=|@-]/g;
const WORD = /[A-Za-z0-9 _-]/g;

/**
 * The lengths, falling, that a file is cut to: behind each line and in its middle, behind the name of
 * each field, and between each kind of bytes once. JSON over several lines is one record. Of a file
 * that is no JSON, two bytes of a word may tell what it is.
 */
export function* cutsOf(bytes: Uint8Array, path: string): Generator<number> {
  const text = new TextDecoder("latin1").decode(bytes);
  const [before, word] = /\.jsonl?$/.test(path) ? [1, JSON_TEXT] : [2, WORD];
  const seen = new Set<string>();
  for (let at = bytes.length, end = at; at >= 0; at--) {
    if (text[at - 1] === "\n" && !path.endsWith(".json")) end = at;
    const colon = text.lastIndexOf('":', at - 3);
    const around = text.slice(Math.max(0, at - before), at + 1);
    const kinds = [
      around.replace(word, "w").replace(/[^\0-\x7f]/g, "é"),
      text.slice(text.lastIndexOf('"', colon - 1), Math.max(0, colon)),
    ];
    const middle = (text.lastIndexOf("\n", at - 1) + 1 + end) >> 1;
    const known = at !== end && at !== middle && kinds.every((kind) => seen.has(kind));
    if (known && !ALL_TORTURE) continue;
    for (const kind of kinds) seen.add(kind);
    yield at;
  }
}

/** The events whose views were folded last: most cuts leave those of the cut before. */
let viewed = "";

/** Whatever the file, reading it gives events, adds up, or is refused by a typed error. */
async function assertReadable(
  agent: Agent,
  session: AgentSession,
  size: number,
  { unit = "bytes", all_or_nothing = unit === "rows" }: AgentCase,
): Promise<AgentRead | undefined> {
  try {
    const read = await readAll(agent, session, { unit });
    assert.equal(accountSum(read.account), read.account.total);
    if (unit === "bytes") {
      assert.equal(read.account.total, size, "every byte is accounted for");
      const damage = read.found.filter(({ code }) => isDamage(code))
        .reduce((sum, { length }) => sum + length, 0);
      assert.equal(read.account.damage, damage, "each damaged byte is reported once");
    }
    assertEvents(agent, session, read.events);
    const events = JSON.stringify(read.events);
    await agent.open(session).summarize();
    if (events === viewed) return read;
    viewed = events;
    assertViews(read.events);
    await agent.open(session).summarize({ exact: true });
    return read;
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    assert.ok(all_or_nothing, `a damaged file is read as far as it goes: ${error.message}`);
    return undefined;
  }
}

const CHOICES: readonly ConversationOptions[] = [
  { tools: "include", reasoning: "include" },
  { tools: "include", reasoning: "omit" },
  { tools: "omit", reasoning: "omit" },
];

/** What comes in batches of messages is the conversation that the events make. */
async function assertMessages(
  agent: Agent,
  session: AgentSession,
  { thread, choices = CHOICES }: { thread?: string; choices?: readonly ConversationOptions[] } = {},
): Promise<void> {
  const options = thread === undefined ? {} : { thread };
  for (const choice of choices) {
    const projection = conversation(choice);
    const read = { ...options, needs: projection.needs, in_force: true };
    const { messages } = await foldBatches(projection, agent.open(session).read(read));
    const batches: Message[][] = [];
    for await (const batch of agent.open(session).messages({ ...options, ...choice })) {
      batches.push([...batch]);
    }
    assert.deepEqual(batches.flat(), messages, JSON.stringify(choice));
    if (choice.reasoning === "include") assertShaped(batches, messages);
  }
}

/** A provider gets the same of messages in batches. */
function assertShaped(batches: readonly Message[][], messages: readonly Message[]): void {
  for (const shape of ["openai", "anthropic", "ai-sdk"] as const) {
    const shaper = new MessageShaper(shape);
    const shaped = [...batches.flatMap((batch) => shaper.add(batch)), ...shaper.end()];
    const { system } = shaper;
    const apart = system === undefined ? {} : { [system.name]: system.value };
    const request = { ...apart, messages: shaped };
    assert.deepEqual(request, toMessages(messages, shape), shape);
  }
}

/** Whatever the file, its threads have ids of their own, and each is read. */
async function assertThreads(
  agent: Agent,
  session: AgentSession,
  { unit = "bytes", all_or_nothing = unit === "rows" }: AgentCase,
): Promise<void> {
  try {
    const threads = await agent.open(session).threads();
    assert.equal(new Set(threads.map(({ id }) => id)).size, threads.length);
    for (const { id } of threads) {
      const { events } = await readAll(agent, session, { unit, thread: id });
      assertViews(events);
    }
    for await (const _ of agent.open(session).usage()) { /* it ends */ }
  } catch (error) {
    if (!(error instanceof SessionError) || !all_or_nothing) throw error;
  }
}

const SUMMARY_FIELDS = [
  "cwd",
  "title",
  "first_user_message",
  "last_user_message",
  "created_at",
  "updated_at",
] as const;
const COUNT_FIELDS = [
  ...["message_count", "turn_count", "active_ms", "usage", "cost_usd", "models"] as const,
];

/** Pseudo-random numbers, the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
  };
}

/** The bytes that a mutation puts in; without one, it takes bytes out or doubles them. */
const PUT = [undefined, 0, 0x0a, 0x22, 0x7b, 0x7d] as const;
const MUTATION_KINDS = PUT.length + 4;
/** The usual run begins once with each kind of mutation. */
const MUTATIONS = ALL_TORTURE ? 300 : MUTATION_KINDS;

/** A few bytes changed, taken out, or put in, first in the way of one kind. */
function mutated(bytes: Uint8Array, first: number, random: (below: number) => number): Uint8Array {
  let changed = bytes;
  let kind = first % MUTATION_KINDS;
  for (let more = first % 3; more >= 0; more--, kind = random(MUTATION_KINDS)) {
    const at = random(changed.length + 1);
    const length = kind % 2 === 0 ? 1 : random(40);
    if (kind < PUT.length) {
      changed = spliced(changed, at, 0, Uint8Array.of(PUT[kind] ?? random(256)));
    } else if (kind < PUT.length + 2) changed = spliced(changed, at, length);
    else {
      const from = random(at + 1);
      changed = spliced(changed, at, length, changed.slice(from, from + length));
    }
  }
  return changed;
}

/** A copy with some bytes in the place of others. A database is too long for an array of numbers. */
function spliced(
  bytes: Uint8Array,
  at: number,
  removed: number,
  put: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const rest = bytes.subarray(at + removed);
  const copy = new Uint8Array(at + put.length + rest.length);
  copy.set(bytes.subarray(0, at));
  copy.set(put, at);
  copy.set(rest, at + put.length);
  return copy;
}

/** Writes a file anew in its place: one that was cut to nothing, many disks write at once. */
function overwrite(path: string, bytes: Uint8Array): void {
  {
    using file = Deno.openSync(path, { write: true });
    for (let written = 0; written < bytes.length;) {
      written += file.writeSync(bytes.subarray(written));
    }
  }
  Deno.truncateSync(path, bytes.length);
}

/** A source whose records come one at a time, so that there is a place behind each. */
function oneByOne(source: RecordSource): RecordSource {
  return "rewritten" in source ? source : {
    ...source,
    async *read(options, from): AsyncGenerator<SourceRecord[]> {
      for await (const records of source.read(options, from)) {
        for (const record of records) yield [record];
      }
    },
  };
}

/** A read from each place, kept as JSON, gives the events behind it; all of it gives those of a read. */
async function assertPlaces(format: SessionFormat<unknown>, session: AgentSession): Promise<void> {
  const reading = openFormat(
    { ...format, source: (one, thread) => oneByOne(format.source(one, thread)) },
    session,
    {},
    0,
  );
  if (reading === undefined) return;
  const all: LogEvent[] = [];
  const places: ReadPlace[] = [];
  for await (const { events, place } of reading.from()) {
    all.push(...events);
    if (place !== undefined) places.push(JSON.parse(JSON.stringify(place)));
  }
  const read: LogEvent[] = [];
  for await (const events of readFormat(format, session)) read.push(...events);
  const kinds = (events: readonly LogEvent[]): unknown =>
    events.map(({ seq, kind }) => [seq, kind]);
  assert.deepEqual(kinds(all), kinds(read), session.id);
  for (const place of places) {
    const behind: LogEvent[] = [];
    for await (const { events } of reading.from(place)) behind.push(...events);
    assert.deepEqual(
      behind,
      all.filter(({ seq }) => seq > place.seq),
      `${session.id} ${place.seq}`,
    );
  }
}

/** Its end, read from few bytes, has the names and the calls of the last events of all. */
async function assertEnds(
  events: readonly LogEvent[],
  format: SessionFormat<unknown>,
  session: AgentSession,
): Promise<void> {
  for (const bytes of [1, 500, 5000]) {
    const end = await readFormatTail(format, session, { messages: 1 }, bytes);
    assert.ok(end.length > 0, session.id);
    const names = (part: readonly LogEvent[]): unknown =>
      part.map((event) => [event.kind, recordName(event), callIds(event)]);
    assert.deepEqual(names(end), names(events.slice(-end.length)), `${session.id} ${bytes}`);
  }
}

/** The ids of the calls that an event declares or names. */
function callIds(event: LogEvent): readonly string[] {
  if (event.form !== "known") return [];
  return JSON.stringify(event.payload).match(/"call_id":"[^"]*"/g) ?? [];
}

/** The files of the homes that have their tests: with another session, one is only damaged. */
const TESTED = new Set<AgentCase["files"]>();

/** Registers the tests of the contract for one home. */
export function testAgentContract(name: string, given: AgentCase): void {
  const again = TESTED.has(given.files);
  TESTED.add(given.files);
  if (!again) testReading(name, given);
  if (given.damage === false && !ALL_TORTURE) return;
  testDamage(name, given);
  if (again) return;
  // Slow: several commands for each number.
  Deno.test(`${name}: no command fails by a number that nothing can hold`, () =>
    assertNumbersHeld(given));
  if (databaseIn(given) === undefined) return;
  Deno.test(`${name}: a cell that is too long is reported, and all else is read`, () => {
    return assertLongCellsReported(given);
  });
  Deno.test(`${name}: nothing is computed that the database defines`, () => {
    return assertNothingComputed(given);
  });
}

function testLists(name: string, given: AgentCase): void {
  const { agent, files, variables } = given;
  // Slow: all sessions are listed twice after each change of a file.
  Deno.test(`${name}: a list from the catalogue is the list that is made anew, whatever file changes`, async () => {
    await using home = await makeHome(files, variables, given.os, given.readers);
    await assertListedFromCatalogue(agent, home);
  });

  // Slow: four lists of files that are longer than what a list reads of them.
  Deno.test(`${name}: a row is that of the whole session, however long its lines, cached or not`, async () => {
    for (let seed = 0; seed < (ALL_TORTURE ? 40 : 3); seed++) {
      const changed = seed === 0 ? files : stretched(files, seed);
      if (changed === undefined) break;
      await using home = await makeHome(changed, variables, given.os, given.readers);
      await assertWholeRows(agent, home, seed > 0 && !ALL_TORTURE);
    }
  });
}

function testReading(name: string, given: AgentCase): void {
  const { agent, files, ids, variables, unit = "bytes", idOf = ({ id }) => id } = given;
  const reads = new Map<string, Promise<AgentRead>>();
  /** A whole read of a session, which the tests share as they share the home that they only read. */
  const readOnce = (session: AgentSession): Promise<AgentRead> => {
    const read = reads.get(session.id) ?? readAll(agent, session, { unit });
    reads.set(session.id, read);
    return read;
  };
  let made: Promise<[AgentHome, AgentSession[]]> | undefined;
  const madeOnce = async (): Promise<[AgentHome, AgentSession[]]> => {
    const home = await makeHome(files, variables, given.os, given.readers);
    return [home, await locateAll(agent, home.environment)];
  };
  const test = (
    says: string,
    run: (sessions: readonly AgentSession[], home: AgentHome) => Promise<void>,
  ): void =>
    Deno.test(`${name}: ${says}`, async () => {
      const [home, sessions] = await (made ??= madeOnce());
      await run(sessions, home);
    });

  Deno.test(`${name}: locate gives nothing where no root is`, async () => {
    await using home = await makeHome({}, variables, given.os, given.readers);
    assert.deepEqual(await locateAll(agent, home.environment), []);
  });

  test("locate finds each session once", async (all) => {
    assert.deepEqual(all.map(idOf).sort(), [...ids].sort());
    for (const { agent: owner, path } of all) {
      assert.equal(owner, agent.name);
      assert.ok(Deno.statSync(path).isFile);
    }
    if (given.cwd === undefined) return;
    const rows = await Promise.all(all.map((session) => agent.open(session).summarize()));
    assert.ok(rows.some((row) => row?.cwd === given.cwd));
  });

  if (given.lists !== false) testLists(name, given);

  if (given.recognized !== false) {
    test("a located file is recognized and leads to its session", async (sessions, home) => {
      for (const session of sessions) {
        const head = (await Deno.readFile(session.path)).slice(0, 64 * 1024);
        assert.ok(agent.recognize(session.path, head), session.path);
        const found = await agent.sessionsIn(session.path);
        assert.ok(found.some(({ id }) => id === session.id), session.id);
      }
      const foreign = new TextEncoder().encode('{"some":"thing"}\nelse\n');
      assert.ok(!agent.recognize(join(home.path, "notes.txt"), foreign));
      assert.ok(!agent.recognize(join(home.path, "empty.txt"), new Uint8Array(0)));
    });
  }

  test("events are numbered, marked, and say where they came from", async (sessions) => {
    for (const session of sessions) {
      const { events, account } = await readOnce(session);
      assert.ok(events.length > 0, session.id);
      assert.equal(events[0]?.seq, 1);
      assert.equal(events[0]?.kind, "session_started");
      assertEvents(agent, session, events);
      assert.equal(accountSum(account), account.total);
      assert.ok(account.events > 0);
      if (unit === "bytes") assert.equal(account.total, Deno.statSync(session.path).size);
    }
  });

  test("the summary agrees with a full read", async (sessions) => {
    for (const session of sessions) {
      const folded = await foldBatches(wholeSummary(), agent.open(session).read());
      const quick = await agent.open(session).summarize();
      const exact = await agent.open(session).summarize({ exact: true });
      assert.ok(quick !== undefined && exact !== undefined);
      assert.equal(quick.session_id, session.id);
      assert.equal(quick.ref, `${agent.name}:${session.id}`);
      assert.equal(quick.agent, agent.name);
      const pick = (row: Partial<Summary>, fields: readonly (keyof Summary)[]): unknown =>
        fields.map((field) => [field, row[field]]);
      assert.deepEqual(pick(quick, SUMMARY_FIELDS), pick(folded, SUMMARY_FIELDS), session.id);
      assert.deepEqual(pick(exact, SUMMARY_FIELDS), pick(folded, SUMMARY_FIELDS), session.id);
      assert.deepEqual(pick(exact, COUNT_FIELDS), pick(folded, COUNT_FIELDS), session.id);
      // A read that counts messages for a list need not ask for calls.
      const needs = new Set(
        ["user_message", "assistant_message", "assistant_interrupted"] as const,
      );
      const part = await foldBatches(wholeSummary(), agent.open(session).read({ needs }));
      assert.equal(part.active_ms, folded.active_ms, session.id);
      for (const field of COUNT_FIELDS) {
        if (quick[field] !== undefined) assert.deepEqual(quick[field], folded[field], field);
      }
    }
  });

  if (given.fork !== null) {
    test("a fork of every session leaves all sums as they are", async (sessions) => {
      const forks = given.forks ?? { ...forkedFiles(given), ...files };
      await using home = await makeHome(forks, variables, given.os, given.readers);
      const all = await locateAll(agent, home.environment);
      assert.ok(all.length > sessions.length || unit === "rows");
      assert.deepEqual(await sumsOf(agent, all), await sumsOf(agent, sessions));
    });
  }

  test("a view may ask for the kinds that it needs alone", async (sessions) => {
    for (const session of sessions) {
      const { events } = await readOnce(session);
      const projection = conversation({ reasoning: "include" });
      const whole = foldEvents(projection, events);
      assert.ok(whole.messages.length > 0, session.id);
      const part = await conversationOf(agent, session);
      assert.deepEqual(part.messages, whole.messages);
      const shown = foldEvents(transcript(), events);
      assert.deepEqual(await transcriptOf(agent, session), shown);
    }
  });

  test("answers that are wanted alone are those of a whole read, with their tokens", async (sessions) => {
    const needs = new Set([...USAGE_KINDS, "user_message" as const]);
    for (const session of sessions) {
      const { events } = await readOnce(session);
      const wanted = events.filter(({ kind }) => needs.has(kind as EventKind));
      const read = (await Array.fromAsync(agent.open(session).read({ needs }))).flat();
      assert.deepEqual(read.filter(({ kind }) => needs.has(kind as EventKind)), wanted, session.id);
    }
  });

  test("what comes in batches of messages is the conversation of its thread", async (sessions) => {
    for (const session of sessions) {
      await assertMessages(agent, session);
      for (const [at, { id }] of (await agent.open(session).threads()).entries()) {
        const choices = CHOICES.filter((_, choice) =>
          ALL_TORTURE || choice === at % CHOICES.length
        );
        await assertMessages(agent, session, { thread: id, choices });
      }
    }
  });

  test("providers take the conversation", async (sessions) => {
    for (const session of sessions) {
      const { events } = await readOnce(session);
      assert.ok(assertViews(events).messages.length > 0);
    }
  });

  test("the last messages are those of the whole", async (sessions) => {
    for (const session of sessions) {
      const all = foldEvents(transcript(), (await readOnce(session)).events);
      const last: readonly LogEvent[] = await agent.open(session).readTail({ messages: 2 });
      const tail = foldEvents(transcript(), last);
      const said = (items: readonly TranscriptItem[]): unknown[] =>
        items.flatMap((item) => item.type === "message" ? [[item.role, item.content]] : []);
      assert.ok(said(tail).length >= Math.min(2, said(all).length), session.id);
      assert.deepEqual(said(tail), said(all).slice(-said(tail).length));
    }
  });

  test("the events of the end are the last ones of all, numbers apart", async (sessions) => {
    for (const session of sessions) {
      const { events } = await readOnce(session);
      for (const messages of [1, 2, 5]) {
        const end = await agent.open(session).readTail({ messages });
        assert.ok(end.length > 0 || events.length === 0, session.id);
        const behind = (events.at(-1)?.seq ?? 0) - (end.at(-1)?.seq ?? 0);
        assert.deepEqual(
          end.map((event) => [event.seq + behind, recordName(event)]),
          events.slice(events.length - end.length).map((event) => [event.seq, recordName(event)]),
          session.id,
        );
      }
    }
  });

  const { format } = given;
  if (format !== undefined) {
    test("from each of its places, a session goes on as it did", async (sessions) => {
      for (const session of sessions) await assertPlaces(format, session);
    });

    test("its end is read from wherever a record stands alone", async (sessions) => {
      for (const session of sessions) {
        await assertEnds((await readOnce(session)).events, format, session);
      }
    });
  }

  test("reading changes no byte and no time", async (sessions, shared) => {
    made = undefined;
    await using home = shared;
    const before = listing(home.path);
    for (const session of sessions) {
      await agent.sessionsIn(session.path);
      await agent.open(session).summarize();
      await agent.open(session).summarize({ exact: true });
      const { events } = await readAll(agent, session);
      assert.ok(events.length > 0);
      await agent.open(session).readTail({ messages: 2 });
    }
    assert.deepEqual(listing(home.path), before);
  });
}

/** The files of a home under other ids of sessions. A database keeps its ids. */
function forkedFiles({ files, ids, fork }: AgentCase): AgentCase["files"] {
  const other = (id: string): string => {
    const at = id[8] === "-" ? 5 : id.length - 3;
    return `${id.slice(0, at)}${id[at] === "0" ? 9 : 0}${id.slice(at + 1)}`;
  };
  const under = (text: string, name = (id: string): string => id): string =>
    ids.reduce((told, id) => told.replaceAll(name(id), name(other(id))), text);
  // Some files are named by the first eight characters of an id.
  const named = (path: string): string => under(path, (id) => id[8] === "-" ? id.slice(0, 8) : id);
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => {
      if (content instanceof Uint8Array) return [path, content];
      const text = under(content instanceof URL ? Deno.readTextFileSync(content) : content);
      const id = ids.find((one) => path.includes(one));
      return [named(path), id === undefined || !fork ? text : fork(text, id)];
    }),
  );
}

/** Adds up what sessions took, each response once. */
export async function sumsOf(agent: Agent, sessions: readonly AgentSession[]): Promise<unknown> {
  const read = await Array.fromAsync(sessions, (session) => readUsage(agent.open(session)));
  const totals = new UsageTotals("model");
  for (const [at, rows] of usageRowsOf(read, { dayOf: utcDay }).entries()) {
    totals.add({ ref: `${at}`, agent: "", rows });
  }
  return totals.groups().map(({ sessions: _, ...sums }) => sums);
}

function testDamage(name: string, given: AgentCase): void {
  const { files, ids, variables, unit = "bytes", idOf = ({ id }) => id } = given;
  const agent = given.inProcess ?? given.agent;
  const test = (says: string, run: (session: AgentSession) => Promise<void>): void =>
    Deno.test(`${name}: ${says}`, async () => {
      await using home = await makeHome(files, variables, given.os, given.readers);
      const sessions = await locateAll(agent, home.environment);
      const session = sessions.find((one) => idOf(one) === (given.id ?? ids[0]));
      assert.ok(session !== undefined);
      await run(session);
    });

  // Slow: a session is read once for each place where a reader is in another state.
  test("cut at any byte, a session is read as far as it goes", async (session) => {
    const bytes = await Deno.readFile(session.path);
    const pages = Array.from({ length: 17 }, (_, at) => Math.floor(bytes.length * (16 - at) / 16));
    let most = 0;
    for (const length of unit === "bytes" ? cutsOf(bytes, session.path) : pages) {
      Deno.truncateSync(session.path, length);
      const read = await assertReadable(agent, session, length, given);
      if (length === bytes.length) most = read?.events.length ?? 0;
      else assert.ok((read?.events.length ?? 0) <= most + 1, "nothing is invented");
    }
    assert.ok(most > 1);
  });

  test("whatever its bytes, a session is read as far as it goes", async (session) => {
    const bytes = await Deno.readFile(session.path);
    const random = randomFrom(20261121);
    let events = 0;
    for (let round = 0; round < MUTATIONS; round++) {
      const changed = mutated(bytes, round, random);
      overwrite(session.path, changed);
      const read = await assertReadable(agent, session, changed.length, given);
      events += read?.events.length ?? 0;
      if (read === undefined) continue;
      await assertThreads(agent, session, given);
      if (round % 4 === 0) await assertMessages(agent, session, { choices: CHOICES.slice(0, 1) });
    }
    assert.ok(events > 0);
  });
}
