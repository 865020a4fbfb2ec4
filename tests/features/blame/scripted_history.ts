/**
 * A repository whose every line has a known writer: agents by recorded changes, people, and
 * formatters. The sessions lie in a home, in the forms of the agents themselves.
 */
import { diffArrays, structuredPatch } from "npm:diff@9.0.0";
import { present } from "../../../lib/core/event/present.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";

/** The agents that write. */
const AGENTS = ["claude", "codex", "pi"] as const;
type Agent = typeof AGENTS[number];

/** A line, and the session that wrote it; undefined for people and formatters. */
export interface TrueLine {
  text: string;
  session?: string;
  /** The session whose line a formatter made this line of. */
  formatted?: string;
  /** The number of the commit that it came with. */
  commit?: number;
}

/** A scripted history. */
export interface ScriptedHistory {
  /** The home with the sessions. */
  home: string;
  /** The work tree. */
  repository: string;
  /** The lines of each file, with their writers. */
  files: Map<string, TrueLine[]>;
  /** The lines of each file in each commit. */
  versions: Map<string, TrueLine[]>[];
  /** Time of the last commit, in milliseconds since 1970. */
  end: number;
}

const START = Date.UTC(2026, 2, 1, 9);
const STEP_MS = 20_000;

class Script {
  readonly #random: () => number;
  readonly files = new Map<string, TrueLine[]>();
  /** Each file as it was when it was last recorded or committed. */
  readonly #seen = new Map<string, TrueLine[]>();
  readonly #logs = new Map<string, string[]>();
  readonly #repository: string;
  readonly versions: Map<string, TrueLine[]>[] = [];
  #now = START;
  #count = 0;

  constructor(seed: number, repository: string) {
    this.#random = mulberry32(seed);
    this.#repository = repository;
    for (const name of ["src/ledger.ts", "src/entry/parse.ts", "notes.md"]) {
      this.files.set(name, this.#lines(12 + this.#below(20)));
    }
  }

  get now(): number {
    return this.#now;
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  #lines(count: number, session?: string): TrueLine[] {
    const common = ["", "}", "  return undefined;", "});", "  const total = 0;"];
    return Array.from({ length: count }, () => {
      const text = this.#below(3) === 0
        ? common[this.#below(common.length)] ?? ""
        : `${"  ".repeat(this.#below(3))}const value_${this.#count++} = add(${this.#below(99)});`;
      return { text, ...(session === undefined ? {} : { session }) };
    });
  }

  #pick(): [name: string, lines: TrueLine[]] {
    return [...this.files][this.#below(this.files.size)] ?? ["", []];
  }

  /** Replaces some lines; gives the file before and after. */
  #change(session?: string): [name: string, before: TrueLine[], after: TrueLine[]] {
    const [name, before] = this.#pick();
    const at = this.#below(before.length + 1);
    const gone = Math.min(this.#below(4), before.length - at);
    const lines = this.#lines(1 + this.#below(6), session);
    const after = [...before.slice(0, at), ...lines, ...before.slice(at + gone)];
    return [name, before, withoutEqual(before, after)];
  }

  /** Makes the changes until the next commit. */
  act(): void {
    for (let left = 1 + this.#below(4); left > 0; left--) {
      this.#now += STEP_MS;
      const what = this.#below(60);
      if (what < 42) this.#agentChange(what < 5);
      else if (what < 52) this.#handChange();
      else if (what < 59) this.#format();
      else this.#rivals();
    }
    if (this.#below(25) === 0) this.#rename();
    this.#now += STEP_MS;
  }

  /** Records a person's change by its outcome: a line that is restored was always there. */
  #see(name: string): void {
    const lines = this.files.get(name) ?? [];
    const seen = withoutEqual(this.#seen.get(name) ?? lines, lines);
    this.files.set(name, seen);
    this.#seen.set(name, seen);
  }

  #handChange(): void {
    const [name, , after] = this.#change();
    this.files.set(name, after);
  }

  /** Indents some lines anew, as a formatter does. */
  #format(): void {
    const [name, lines] = this.#pick();
    const at = this.#below(lines.length);
    this.files.set(
      name,
      lines.map((line, index) =>
        index >= at && index < at + 5 && line.text !== ""
          ? {
            text: `\t${line.text.trim()} `,
            ...present({ formatted: line.session ?? line.formatted }),
          }
          : line
      ),
    );
  }

  #rename(): void {
    const [name, lines] = this.#pick();
    this.files.delete(name);
    const renamed = name.replace(/(_\d+)?\.(\w+)$/, `_${this.#count++}.$2`);
    this.files.set(renamed, lines);
    this.#seen.set(renamed, this.#seen.get(name) ?? lines);
  }

  #agentChange(failed: boolean): void {
    const agent = AGENTS[this.#below(AGENTS.length)] ?? "pi";
    const session = `${agent} ${this.#below(2)}`;
    for (const name of this.files.keys()) this.#see(name);
    const [name, before, after] = this.#change(session);
    const written = this.#record(agent, session, name, before, after, failed);
    if (failed) return;
    this.files.set(name, written);
    this.#seen.set(name, written);
  }

  /** Undoes one agent's change by hand; another agent makes the same. */
  #rivals(): void {
    for (const name of this.files.keys()) this.#see(name);
    const [name, before, after] = this.#change("claude 0");
    this.#record("claude", "claude 0", name, before, after, false);
    this.#now += STEP_MS;
    const written = this.#record("codex", "codex 0", name, before, after, false);
    this.files.set(name, written);
    this.#seen.set(name, written);
  }

  /** Records a change; gives the file after it, the lines that the record has as new with the session. */
  #record(
    agent: Agent,
    session: string,
    name: string,
    before: readonly TrueLine[],
    after: readonly TrueLine[],
    failed: boolean,
  ): TrueLine[] {
    const log = this.#logs.get(session) ?? [];
    this.#logs.set(session, log);
    const text = (lines: readonly TrueLine[]): string =>
      lines.map((line) => `${line.text}\n`).join("");
    const { hunks } = structuredPatch("", "", text(before), text(after), "", "", { context: 3 });
    const call = {
      ...{ id: `call_${this.#count++}`, path: `${this.#repository}/${name}`, failed },
      ...{ hunks, time: (more = 0) => new Date(this.#now + more).toISOString() },
      ...{ session, repository: this.#repository, first: log.length === 0, content: text(after) },
    };
    log.push(...WRITERS[agent](call, log.length).map((record) => JSON.stringify(record)));
    return patched(before, hunks, session);
  }

  /** Returns a step of `git fast-import` with the present files. */
  commit(index: number): string {
    for (const name of this.files.keys()) this.#see(name);
    for (const [name, lines] of this.files) {
      const committed = lines.map((line) => ({ commit: index, ...line }));
      this.files.set(name, committed);
      this.#seen.set(name, committed);
    }
    this.versions.push(new Map(this.files));
    const seconds = Math.floor(this.#now / 1000);
    const message = `change ${index}\n`;
    const files = [...this.files].map(([name, lines]) => {
      const bytes = new TextEncoder().encode(lines.map(({ text }) => `${text}\n`).join(""));
      return `M 100644 inline ${name}\ndata ${bytes.length}\n${new TextDecoder().decode(bytes)}\n`;
    });
    return `commit refs/heads/main\ncommitter Ada <ada@example.org> ${seconds} +0000\n` +
      `data ${message.length}\n${message}\ndeleteall\n${files.join("")}`;
  }

  /** Returns the sessions' logs, each with its path below the home. */
  logs(): [place: string, text: string][] {
    return [...this.#logs].map(([session, lines]) => {
      const [agent = "pi", number = "0"] = session.split(" ");
      return [PLACES[agent as Agent](sessionId(session), number), lines.join("\n") + "\n"];
    });
  }
}

/** Leaves out lines that are replaced by equal ones, because no diff shows those. */
function withoutEqual(before: readonly TrueLine[], after: readonly TrueLine[]): TrueLine[] {
  const same = (one: TrueLine, other: TrueLine): boolean => one.text === other.text;
  let [at, now] = [0, 0];
  return diffArrays([...before], [...after], { comparator: same }).flatMap(
    ({ added, removed, value }) => {
      if (removed) at += value.length;
      else if (added) now += value.length;
      else now += value.length;
      if (removed) return [];
      if (added) return after.slice(now - value.length, now);
      at += value.length;
      return before.slice(at - value.length, at);
    },
  );
}

function patched(before: readonly TrueLine[], hunks: readonly Hunk[], session: string): TrueLine[] {
  const after: TrueLine[] = [];
  let at = 0;
  for (const { oldStart, oldLines, lines } of hunks) {
    // A hunk without lines of before stands behind the line that it names.
    const begin = oldLines === 0 ? oldStart : oldStart - 1;
    after.push(...before.slice(at, begin));
    at = begin;
    for (const line of lines) {
      if (line.startsWith("+")) after.push({ text: line.slice(1), session });
      else if (line.startsWith(" ")) after.push(before[at++] ?? { text: line.slice(1) });
      else at++;
    }
  }
  return [...after, ...before.slice(at)];
}

function sessionId(session: string): string {
  const [agent = "", number] = session.split(" ");
  return `0199aaaa-0000-7000-8000-0000000000${AGENTS.indexOf(agent as Agent)}${number}`;
}

const PLACES: Record<Agent, (id: string, number: string) => string> = {
  claude: (id) => `.claude/projects/-work/${id}.jsonl`,
  codex: (id) => `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${id}.jsonl`,
  pi: (id, number) => `.pi/agent/sessions/--work--/2026-03-01T09-00-0${number}-000Z_${id}.jsonl`,
};

interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

interface Call {
  id: string;
  path: string;
  failed: boolean;
  hunks: Hunk[];
  time: (more?: number) => string;
  session: string;
  repository: string;
  first: boolean;
  /** The whole file after the change. */
  content: string;
}

/** The records that each agent writes for a prompt, a call and its result. */
const WRITERS: Record<Agent, (call: Call, at: number) => unknown[]> = {
  claude: ({ id, path, failed, hunks, time, session, repository, content }, at) => {
    const sessionId_ = sessionId(session);
    const base = { isSidechain: false, cwd: repository, sessionId: sessionId_, version: "2.1.29" };
    const uuid = (offset: number): string => `u${at + offset}`;
    const parent = at === 0 ? null : uuid(-1);
    const [old_string, new_string] = sides(hunks);
    const [name, input] = at % 9 === 6
      ? ["Write", { file_path: path, content }]
      : ["Edit", { file_path: path, old_string, new_string }];
    return [
      {
        parentUuid: parent,
        ...base,
        type: "user",
        uuid: uuid(0),
        timestamp: time(-2),
        message: { role: "user", content: `Change ${id}` },
      },
      {
        ...{ parentUuid: uuid(0), ...base, type: "assistant", uuid: uuid(1), timestamp: time(-1) },
        message: {
          id: `m${at}`,
          type: "message",
          role: "assistant",
          model: "claude-m1",
          stop_reason: "tool_use",
          content: [{
            type: "tool_use",
            id,
            name,
            input,
          }],
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      },
      {
        ...{ parentUuid: uuid(1), ...base, type: "user", uuid: uuid(2), timestamp: time() },
        ...(failed ? {} : { toolUseResult: { filePath: path, structuredPatch: hunks } }),
        message: {
          role: "user",
          content: [{
            type: "tool_result",
            tool_use_id: id,
            content: failed ? "String to replace not found" : "Updated.",
            ...(failed ? { is_error: true } : {}),
          }],
        },
      },
    ];
  },
  codex: ({ id, path, failed, hunks, time, session, repository, first }) => {
    const name = path.slice(repository.length + 1);
    const patch = ["*** Begin Patch", `*** Update File: ${name}`];
    for (const { lines } of hunks) patch.push("@@", ...lines);
    patch.push("*** End Patch");
    const said = failed
      ? "apply_patch verification failed: no such lines"
      : `Success. Updated the following files:\nM ${name}\n`;
    const item = (payload: unknown, more = 0): unknown => ({
      timestamp: time(more),
      type: "response_item",
      payload,
    });
    return [
      ...(first
        ? [{
          timestamp: time(-9),
          type: "session_meta",
          payload: {
            id: sessionId(session),
            timestamp: time(-9),
            cwd: repository,
            originator: "codex_cli_rs",
            cli_version: "0.98.0",
          },
        }]
        : []),
      item({
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: `Change ${id}` }],
      }, -3),
      item({
        type: "custom_tool_call",
        status: "completed",
        call_id: id,
        name: "apply_patch",
        input: patch.join("\n"),
      }, -1),
      item({
        type: "custom_tool_call_output",
        call_id: id,
        output: JSON.stringify({ output: said, metadata: { exit_code: failed ? 1 : 0 } }),
      }),
    ];
  },
  pi: ({ id, path, failed, hunks, time, session, repository, first }, at) => {
    const entry = (offset: number): string => `e${at + offset}`;
    const begin = first ? 1 : 0;
    const [oldText, newText] = sides(hunks);
    return [
      ...(first
        ? [{
          type: "session",
          version: 3,
          id: sessionId(session),
          timestamp: time(-9),
          cwd: repository,
        }]
        : []),
      {
        type: "message",
        id: entry(begin),
        parentId: first ? null : entry(-1),
        timestamp: time(-2),
        message: { role: "user", content: [{ type: "text", text: `Change ${id}` }] },
      },
      {
        type: "message",
        id: entry(begin + 1),
        parentId: entry(begin),
        timestamp: time(-1),
        message: {
          role: "assistant",
          content: [{ type: "toolCall", id, name: "edit", arguments: { path, oldText, newText } }],
          provider: "anthropic",
          model: "m1",
          stopReason: "toolUse",
        },
      },
      {
        type: "message",
        id: entry(begin + 2),
        parentId: entry(begin + 1),
        timestamp: time(),
        message: {
          role: "toolResult",
          toolCallId: id,
          toolName: "edit",
          content: [{ type: "text", text: failed ? "Not found" : "Done." }],
          isError: failed,
        },
      },
    ];
  },
};

/** Returns the texts that an edit replaces and inserts, with the lines around. */
function sides(hunks: readonly Hunk[]): [before: string, after: string] {
  const lines = hunks.flatMap((hunk) => hunk.lines).filter((line) => !line.startsWith("\\"));
  const side = (sign: string): string =>
    lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`).join("");
  return [side("+"), side("-")];
}

async function git(cwd: string, args: string[], input = ""): Promise<void> {
  const child = new Deno.Command("git", {
    args,
    cwd,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Makes a history of commits in a folder. The same seed makes the same. */
export async function scriptedHistory(
  folder: string,
  seed: number,
  commits: number,
): Promise<ScriptedHistory> {
  const [home, repository] = [`${folder}/home`, `${folder}/work/ledger`];
  await Deno.mkdir(home);
  await Deno.mkdir(repository, { recursive: true });
  const script = new Script(seed, repository);
  const steps = [script.commit(0)];
  for (let index = 1; index < commits; index++) {
    script.act();
    steps.push(script.commit(index));
  }
  await git(repository, ["init", "-q", "-b", "main"]);
  await git(repository, ["fast-import", "--quiet"], steps.join(""));
  await git(repository, ["reset", "-q", "--hard", "main"]);
  for (const [place, text] of script.logs()) {
    const path = `${home}/${place}`;
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  const { files, versions, now: end } = script;
  return { home, repository, files, versions, end };
}

/** The id of a session that a line names. */
export { sessionId };
