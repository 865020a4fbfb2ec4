/**
 * A home of 2,000 sessions of real prose over a year, into which moments are planted. The prose is
 * that of packages from npm and of this project's pages, at fixed versions.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LOG_FILE, sessionsDirectory } from "../../lib/core/store/session_folder.ts";
import { folderName } from "../../lib/core/store/session_id.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { filesBelow } from "../_support/files_below.ts";
import { logOf } from "../_support/log_bytes.ts";
import { type Random, seededRandom } from "./random.ts";

/** Packages that bring prose: pages, and comments in types. */
const PACKAGES = [
  ...["npm@10.9.2", "fastify@5.6.1", "undici@7.16.0", "playwright-core@1.56.1", "pino@10.1.0"],
  ...["@types/node@22.18.0", "rxjs@7.8.2", "knex@3.1.0", "express@4.21.2", "commander@14.0.1"],
  ...["eslint-plugin-import@2.32.0", "eslint-plugin-jest@28.14.0", "winston@3.18.3"],
  ...["stripe@19.3.1", "@aws-sdk/client-s3@3.1175.0", "@aws-sdk/client-ec2@3.1169.0"],
  ...["electron@38.8.6", "@azure/storage-blob@12.32.0", "@types/three@0.187.0"],
  ...["@types/vscode@1.140.0", "@octokit/openapi-types@29.0.1"],
];

const SESSIONS = 2000;
const SEED = 45;
const FIRST = Date.UTC(2025, 11, 1, 9);
const YEAR_MS = 365 * 86_400_000;
const TURN_MS = 120_000;

/** A moment that questions ask for. */
export interface PlantedMoment {
  id: string;
  project: string;
  prompt: string;
  answer: string;
}

/** A prompt, its answer, and the code that a tool showed. */
interface Passage {
  prompt: string;
  answer: string;
  code: string;
}

/** Downloads the packages, unless they are there. */
export async function fetchProse(folder: string): Promise<void> {
  for (const name of PACKAGES) {
    const place = join(folder, name.replaceAll("/", "_"));
    try {
      Deno.statSync(join(place, "package"));
      continue;
    } catch {
      Deno.mkdirSync(place, { recursive: true });
    }
    const packed = await new Deno.Command("npm", {
      args: ["pack", "--silent", "--pack-destination", place, name],
      stderr: "inherit",
    }).output();
    const file = new TextDecoder().decode(packed.stdout).trim().split("\n").at(-1) ?? "";
    // Some packages have another folder than "package" in them.
    Deno.mkdirSync(join(place, "package"));
    const args = ["xzf", join(place, file), "-C", join(place, "package"), "--strip-components=1"];
    const { success } = await new Deno.Command("tar", { args, stderr: "inherit" }).output();
    if (!packed.success || !success) throw new Error(`cannot get ${name} from npm`);
  }
}

/** Makes a store. Returns the id of the session of each moment. */
export function makeRecallStore(
  root: string,
  prose: string,
  planted: readonly PlantedMoment[],
): ReadonlyMap<string, string> {
  const random = seededRandom(SEED);
  const passages = passagesBelow(prose);
  const projects = [...new Set(planted.map(({ project }) => project))];
  const holders = new Map<number, PlantedMoment>();
  for (const moment of planted) {
    let index = random.below(SESSIONS);
    while (holders.has(index)) index = random.below(SESSIONS);
    holders.set(index, moment);
  }
  const found = new Map<string, string>();
  for (let index = 0; index < SESSIONS; index++) {
    const from = Math.floor(passages.length * index / SESSIONS);
    const turns = passages.slice(from, Math.floor(passages.length * (index + 1) / SESSIONS));
    const moment = holders.get(index);
    if (moment !== undefined) {
      turns.splice(random.below(turns.length + 1), 0, { ...moment, code: "" });
    }
    const project = moment?.project ?? random.pick(projects);
    const id = `3f6a2b91-0d4c-4f7e-8a15-${index.toString(16).padStart(12, "0")}`;
    if (moment !== undefined) found.set(moment.id, id);
    writeSession(root, { id, project, turns, index, random });
  }
  return found;
}

interface SessionToWrite {
  id: string;
  project: string;
  turns: readonly Passage[];
  index: number;
  random: Random;
}

function writeSession(root: string, { id, project, turns, index, random }: SessionToWrite): void {
  const created = new Date(FIRST + YEAR_MS * index / SESSIONS + random.below(TURN_MS));
  const cwd = `/home/ada/src/${project}`;
  const events: NewEvent[] = turns.flatMap(({ prompt, answer, code }, turn): NewEvent[] => {
    const at = (step: number): { time: string; turn_id: string } => ({
      time: new Date(created.getTime() + TURN_MS * turn + 1000 * step).toISOString(),
      turn_id: `t${turn}`,
    });
    const [call_id, message_id] = [`c${turn}`, `m${turn}`];
    const call = {
      type: "tool_call" as const,
      call_id,
      name: "read_file",
      input: { path: "a.md" },
    };
    const shown: NewEvent[] = code === "" ? [] : [
      { ...at(2), kind: "assistant_message", payload: { content: [call] } },
      {
        ...{ ...at(3), kind: "tool_end" },
        payload: { call_id, name: "read_file", status: "ok", output: code },
      },
    ];
    return [
      { ...at(1), kind: "user_message", payload: { content: prompt } },
      ...shown,
      { ...at(4), kind: "assistant_message", payload: { content: answer, message_id } },
    ];
  });
  const started = { session_id: id, created_at: created.toISOString(), cwd };
  const time = created.toISOString();
  const directory = join(sessionsDirectory(root), namespaceOf(cwd), folderName(created, id));
  Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const log = logOf([{ kind: "session_started", time, payload: started }, ...events]);
  Deno.writeFileSync(join(directory, LOG_FILE), log, { mode: 0o600 });
}

const LEAST_CHARACTERS = 60;
const MOST_CHARACTERS = 1500;
const MOST_CODE = 4000;

/** Returns the passages of all pages and types, page by page. */
function passagesBelow(prose: string): Passage[] {
  const own = fileURLToPath(new URL("../../.github", import.meta.url));
  const files = [...filesBelow(prose), ...filesBelow(own)]
    .filter((path) => /\.mdx?$|\.d\.ts$/.test(path)).sort();
  const random = seededRandom(SEED + 1);
  const seen = new Set<string>();
  return files.flatMap((path) => {
    const text = Deno.readTextFileSync(path);
    const passages = (path.endsWith(".ts") ? commentsOf(text) : sectionsOf(text))
      // Packages have the same comments in several forms.
      .filter(({ answer }) => !seen.has(answer) && seen.add(answer));
    return joined(passages, random);
  });
}

/** Characters of an answer: half of an agent's answers with all their steps are longer. */
const USUAL_ANSWER = 900;
const LONGEST_ANSWER = 8000;

/** Joins passages that follow each other to turns as long as those of agents. */
function joined(passages: readonly Passage[], random: Random): Passage[] {
  const turns: Passage[] = [];
  let left = 0;
  for (const { prompt, answer, code } of passages) {
    const last = turns.at(-1);
    if (last === undefined || left <= 0) {
      turns.push({ prompt, answer: answer.trim(), code });
      left = random.size(USUAL_ANSWER, 0.8, LONGEST_ANSWER);
    } else {
      last.answer += `\n\n${prompt} ${answer}`;
      last.code = `${last.code}\n${code}`.trim().slice(0, MOST_CODE);
    }
    left -= prompt.length + answer.length;
  }
  return turns;
}

/** Splits a page at its headings: the first sentence is the prompt, the rest the answer. */
function sectionsOf(page: string): Passage[] {
  return page.split(/^(?=#+ )/m).flatMap((section) => {
    const code = [...section.matchAll(/^```[^]*?^```/gm)].map(([block]) => block).join("\n");
    const prose = section.replaceAll(/^```[^]*?^```/gm, "").replaceAll(
      /\[([^\]]*)\]\([^)]*\)/g,
      "$1",
    );
    const [heading = "", ...rest] = prose.split("\n");
    return passageOf(heading.replace(/^#+ /, ""), rest.join("\n"), code);
  });
}

/** Returns the comments of a file of types, each below the name that follows it. */
function commentsOf(types: string): Passage[] {
  return [...types.matchAll(/\/\*\*([^]*?)\*\/\s*([^\n(:;{]*)/g)].flatMap((
    [, comment = "", name = ""],
  ) => passageOf(name.trim(), comment.replaceAll(/^\s*\* ?/gm, ""), ""));
}

function passageOf(heading: string, prose: string, code: string): Passage[] {
  const text = prose.trim().slice(0, MOST_CHARACTERS);
  if (text.length < LEAST_CHARACTERS) return [];
  const end = text.search(/[.?!:]\s/) + 1 || Math.min(text.length, 100);
  const [first, rest] = [text.slice(0, end), text.slice(end).trim()];
  return [{
    prompt: `${heading}: ${first}`,
    answer: rest || first,
    code: code.slice(0, MOST_CODE),
  }];
}
