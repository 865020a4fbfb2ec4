/**
 * Ways in which the file of a session is damaged, as functions from bytes to bytes. They take what
 * a client wrote, whole, and say what is left of it after an honest repair. Pure.
 */
import {
  type Item,
  itemsOfLine,
  itemsWithout,
  REPAIRED,
  type RepairedAgent,
} from "./session_items.ts";

/** A damaged session. */
export interface DamagedSession {
  bytes: Uint8Array<ArrayBuffer>;
  /** Lines of the whole session, from 1, that no repair can bring back. */
  lost_lines: readonly number[];
}

/** One way to damage a session. */
export interface Damage {
  name: string;
  /** The agents whose sessions can be damaged so. */
  agents: readonly RepairedAgent[];
  /** Options that the repair needs beside `--in-place --write`; `--cwd` gets a directory. */
  needs: Partial<Record<RepairedAgent, readonly ("--relink" | "--cwd" | "--trim-output")[]>>;
  /** Agents whose file the repair leaves as it is: nothing can be done honestly, or nothing must. */
  untouched: readonly RepairedAgent[];
  apply(agent: RepairedAgent, whole: Uint8Array): DamagedSession;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** The lines of a session without their newlines. */
export function linesOf(bytes: Uint8Array): string[] {
  return decoder.decode(bytes).replace(/\n$/, "").split("\n");
}

/** What a model gets of a session after the repair: each text, call and result that is left. */
export function itemsLeft(
  agent: RepairedAgent,
  whole: Uint8Array,
  { lost_lines }: DamagedSession,
): Item[] {
  return itemsWithout(agent, linesOf(whole), new Set(lost_lines));
}

function joined(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  return encoder.encode(lines.join("\n") + "\n");
}

/** The index of the line nearest to the middle that is fit. */
function middle(lines: readonly string[], fits: (line: string, index: number) => boolean): number {
  const half = lines.length / 2;
  const found = lines.flatMap((line, index) => fits(line, index) ? [index] : [])
    .toSorted((one, other) => Math.abs(one - half) - Math.abs(other - half));
  if (found[0] === undefined) throw new Error("This session has no line to damage so");
  return found[0];
}

const inside = (lines: readonly string[], index: number): boolean =>
  index > 1 && index < lines.length - 2;

/**
 * A line that says a text, and calls nothing, with others around it. In a session of Claude Code a
 * message follows it: its side records stand in another order each time.
 */
function textLine(agent: RepairedAgent, lines: readonly string[]): number {
  return middle(lines, (line, index) => {
    const items = itemsOfLine(agent, line);
    if (!inside(lines, index) || items.length !== 1 || items[0]?.kind !== "text") return false;
    return agent !== "claude" || itemsOfLine(agent, lines[index + 1] ?? "").length > 0;
  });
}

/** A line that calls something. */
function callLine(agent: RepairedAgent, lines: readonly string[]): number {
  return middle(
    lines,
    (line, index) =>
      inside(lines, index) && itemsOfLine(agent, line).some(({ kind }) => kind === "call"),
  );
}

function split(bytes: Uint8Array, agent: RepairedAgent, at: typeof textLine): {
  before: string[];
  line: string;
  after: string[];
  number: number;
} {
  const lines = linesOf(bytes);
  const index = at(agent, lines);
  return {
    before: lines.slice(0, index),
    line: lines[index] as string,
    after: lines.slice(index + 1),
    number: index + 1,
  };
}

const part = (line: string, share: number): string =>
  line.slice(0, Math.floor(line.length * share));

function concat(...pieces: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map((piece) => typeof piece === "string" ? encoder.encode(piece) : piece);
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of parts) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}

const ended = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

function tornEnd(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const lines = linesOf(whole);
  const last = lines.findLastIndex((line) => itemsOfLine(agent, line).length > 0);
  const bytes = concat(ended(lines.slice(0, last)), part(lines[last] as string, 0.6));
  return { bytes, lost_lines: lines.slice(last).map((_, index) => last + index + 1) };
}

/** The last line ends in the middle of a character, as its bytes or its escape has it. */
function tornWithin(end: Uint8Array | string): Damage["apply"] {
  return (agent, whole) => {
    const { bytes, lost_lines } = tornEnd(agent, whole);
    return { bytes: concat(bytes, end), lost_lines };
  };
}

/** The id that a record has is given to the message that follows it, which has its parent too. */
function repeatedId(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const [id, parent] = LINKS[agent] as readonly [string, string];
  const { before, line, after } = split(whole, agent, textLine);
  const first = JSON.parse(line);
  const records = after.map((one) => JSON.parse(one));
  const next = records.findIndex((one) => one[parent] === first[id]);
  const lost = records[next][id];
  records[next] = { ...records[next], [id]: first[id], [parent]: first[parent] };
  const linked = records.map((one) => one[parent] === lost ? { ...one, [parent]: first[id] } : one);
  const lines = [...before, line, ...linked.map((one) => JSON.stringify(one))];
  return { bytes: joined(lines), lost_lines: [] };
}

function tornMiddle(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const { before, line, after, number } = split(whole, agent, textLine);
  return { bytes: concat(ended(before), part(line, 0.6), ended(after)), lost_lines: [number] };
}

function fused(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const { before, line, after } = split(whole, agent, textLine);
  return { bytes: concat(ended(before), line, ended(after)), lost_lines: [] };
}

function nulsBefore(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const { before, line, after } = split(whole, agent, textLine);
  const bytes = concat(ended(before), new Uint8Array(4096), `${line}\n`, ended(after));
  return { bytes, lost_lines: [] };
}

function nulsInside(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const { before, line, after, number } = split(whole, agent, callLine);
  const bytes = encoder.encode(line);
  const from = Math.floor(bytes.length * 0.6);
  bytes.fill(0, from, Math.min(from + 40, bytes.length - 2));
  return { bytes: concat(ended(before), bytes, "\n", ended(after)), lost_lines: [number] };
}

/** Of the longest run of small letters of a line, the middle one: no key of a record is so long. */
function letterOf(line: string): number {
  const runs = [...line.matchAll(/(?<=(?:text|content)":(?:\[\{"text":)?"[^"\\]*)[a-z]/g)];
  const found = runs[Math.floor(runs.length / 2)];
  if (found === undefined) throw new Error("This line has no letter to spoil");
  return encoder.encode(line.slice(0, found.index)).length;
}

function badByte(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const { before, line, after } = split(whole, agent, textLine);
  const bytes = encoder.encode(line);
  bytes[letterOf(line)] = 0xff;
  return { bytes: concat(ended(before), bytes, "\n", ended(after)), lost_lines: [] };
}

function byteOrderMark(_agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  return { bytes: concat(new Uint8Array([0xef, 0xbb, 0xbf]), whole), lost_lines: [] };
}

function firstLost(_agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  return { bytes: joined(linesOf(whole).slice(1)), lost_lines: [1] };
}

function recordLost(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const { before, after, number } = split(whole, agent, callLine);
  return { bytes: joined([...before, ...after]), lost_lines: [number] };
}

/** Fields by which a record names itself and the one before it. */
const LINKS: Partial<Record<RepairedAgent, readonly [id: string, parent: string]>> = {
  pi: ["id", "parentId"],
  claude: ["uuid", "parentUuid"],
  qwen: ["uuid", "parentUuid"],
};

function cycle(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const [id, parent] = LINKS[agent] as readonly [string, string];
  const { before, line, after } = split(whole, agent, textLine);
  const later = after.map((one) => JSON.parse(one)).find((one) => typeof one[id] === "string");
  const turned = { ...JSON.parse(line), [parent]: later[id] };
  return { bytes: joined([...before, JSON.stringify(turned), ...after]), lost_lines: [] };
}

/** A thought that says nothing and carries no seal, in the place of the line before an answer. */
function hollowThinking(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const lines = linesOf(whole);
  const index = middle(
    lines,
    (line, at) => inside(lines, at) && itemsOfLine(agent, line)[0]?.role === "assistant",
  );
  const value = JSON.parse(lines[index] as string);
  const before = lines.slice(0, index);
  const after = lines.slice(index + 1);
  if (agent === "codex") {
    const payload = { type: "reasoning", summary: [], content: null, encrypted_content: null };
    const thought = JSON.stringify({ ...value, payload });
    return {
      bytes: joined([...before, thought, lines[index] as string, ...after]),
      lost_lines: [],
    };
  }
  const content = [{ type: "thinking", thinking: "", signature: "" }];
  const uuid = "00000000-0000-4000-8000-0000000000aa";
  const thought = { ...value, uuid, message: { ...value.message, content } };
  const next = { ...value, parentUuid: uuid };
  const bytes = joined([...before, JSON.stringify(thought), JSON.stringify(next), ...after]);
  return { bytes, lost_lines: [] };
}

/** The result of a call is not there, and what stood behind it follows what stood before it. */
function callUnanswered(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const lines = linesOf(whole);
  const answers = (line: string): boolean =>
    itemsOfLine(agent, line).some(({ kind }) => kind === "result");
  const index = middle(lines, (line, at) => inside(lines, at) && answers(line));
  const value = JSON.parse(lines[index] as string);
  if (agent === "gemini") {
    const [{ result: _, ...call }, ...others] = value.toolCalls;
    const cut = JSON.stringify({ ...value, toolCalls: [call, ...others] });
    return { bytes: joined(lines.with(index, cut)), lost_lines: [] };
  }
  const left = lines.toSpliced(index, 1);
  const links = LINKS[agent];
  if (links === undefined) return { bytes: joined(left), lost_lines: [index + 1] };
  const [id, parent] = links;
  const relinked = left.map((line) => {
    const one = JSON.parse(line);
    return one[parent] === value[id] ? JSON.stringify({ ...one, [parent]: value[parent] }) : line;
  });
  return { bytes: joined(relinked), lost_lines: [index + 1] };
}

function repeated(_agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  return { bytes: concat(whole, whole), lost_lines: [] };
}

function nulTail(_agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  return { bytes: concat(whole, new Uint8Array(512)), lost_lines: [] };
}

function noNewline(_agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  return { bytes: concat(joined(linesOf(whole)).subarray(0, -1)), lost_lines: [] };
}

function carriageReturns(_agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  return {
    bytes: encoder.encode(linesOf(whole).map((line) => `${line}\r\n`).join("")),
    lost_lines: [],
  };
}

function lineSeparators(agent: RepairedAgent, whole: Uint8Array): DamagedSession {
  const { before, line, after } = split(whole, agent, textLine);
  const bytes = encoder.encode(line);
  const at = letterOf(line);
  const raw = concat(bytes.subarray(0, at), "\u2028", bytes.subarray(at));
  return { bytes: concat(ended(before), raw, "\n", ended(after)), lost_lines: [] };
}

/** An output as long as said, in the place of the first one. */
export function longOutput(
  agent: RepairedAgent,
  whole: Uint8Array,
  characters: number,
): DamagedSession {
  const lines = linesOf(whole);
  const index = lines.findIndex((line) =>
    itemsOfLine(agent, line).some(({ kind }) => kind === "result")
  );
  if (index < 0) throw new Error("This session has no output");
  const long = "word ".repeat(Math.ceil(characters / 5)).slice(0, characters);
  const cut = JSON.stringify(withOutput(agent, JSON.parse(lines[index] as string), long));
  return { bytes: joined(lines.with(index, cut)), lost_lines: [] };
}

// deno-lint-ignore no-explicit-any
function withOutput(agent: RepairedAgent, value: any, text: string): unknown {
  if (agent === "pi") value.message.content = [{ type: "text", text }];
  else if (agent === "codex") value.payload.output = text;
  else if (agent === "claude") {
    for (const block of value.message.content) {
      if (block.type === "tool_result") block.content = text;
    }
  } else if (agent === "gemini") {
    for (const { functionResponse } of value.toolCalls[0].result) {
      if (functionResponse !== undefined) functionResponse.response = { output: text };
    }
  } else {
    for (const { functionResponse } of value.message.parts) {
      if (functionResponse !== undefined) functionResponse.response = { output: text };
    }
  }
  return value;
}

const ALL = REPAIRED;
const TREES = ["pi", "claude", "qwen"] as const;

/** All ways, by the rows of the table of damage. */
export const DAMAGES: readonly Damage[] = [
  { name: "the last line is incomplete", agents: ALL, needs: {}, untouched: [], apply: tornEnd },
  {
    name: "the last line ends inside a character",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: tornWithin(new Uint8Array([0xf0, 0x9f])),
  },
  {
    name: "the last line ends inside a JSON escape",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: tornWithin("\\u00"),
  },
  {
    name: "the last line ends between the two JSON escapes of a character",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: tornWithin("\\ud83d"),
  },
  {
    name: "a line is incomplete, and the next record follows without a newline",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: tornMiddle,
  },
  {
    name: "the newline between two records is missing",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: fused,
  },
  {
    name: "NUL bytes are before a record",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: nulsBefore,
  },
  {
    name: "NUL bytes are inside a record with calls",
    agents: ALL,
    // What stands before the NULs still says which record it followed.
    needs: {},
    untouched: [],
    apply: nulsInside,
  },
  {
    name: "NUL bytes are at the end of the file",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: nulTail,
  },
  {
    name: "the newline at the end of the file is missing",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: noNewline,
  },
  {
    name: "all lines end with CRLF",
    agents: ALL,
    needs: {},
    untouched: ALL,
    apply: carriageReturns,
  },
  {
    name: "a text contains U+2028 without a JSON escape",
    agents: ALL,
    needs: {},
    untouched: ALL,
    apply: lineSeparators,
  },
  { name: "one byte is not UTF-8", agents: ALL, needs: {}, untouched: [], apply: badByte },
  {
    name: "the file begins with a byte order mark",
    agents: ALL,
    needs: {},
    untouched: [],
    apply: byteOrderMark,
  },
  {
    name: "the first line is missing",
    agents: ALL,
    needs: { pi: ["--cwd"] },
    untouched: ["claude", "qwen"],
    apply: firstLost,
  },
  {
    name: "the parent of other records is missing",
    agents: ALL,
    needs: { pi: ["--relink"], qwen: ["--relink"] },
    // A chat of Gemini CLI has no links, and its calls hold their results; Codex leaves out itself
    // what answers no call.
    untouched: ["codex", "gemini"],
    apply: recordLost,
  },
  {
    name: "the parents of records form a circle",
    agents: TREES,
    needs: { pi: ["--relink"], qwen: ["--relink"] },
    untouched: ["claude"],
    apply: cycle,
  },
  {
    name: "two records have the same id",
    // Qwen Code puts the parts of both into one message.
    agents: ["pi", "claude"],
    needs: { pi: ["--relink"], claude: ["--relink"] },
    untouched: [],
    apply: repeatedId,
  },
  {
    name: "a call in the middle has no result",
    agents: ALL,
    needs: {},
    untouched: ALL,
    apply: callUnanswered,
  },
  {
    name: "a thought has neither a text nor a signature",
    agents: ["codex", "claude"],
    needs: {},
    untouched: [],
    apply: hollowThinking,
  },
  {
    name: "the file contains all of its lines twice",
    agents: ALL,
    needs: {},
    untouched: ALL,
    apply: repeated,
  },
];
