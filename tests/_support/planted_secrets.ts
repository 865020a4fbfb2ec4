/** Homes of five agents with secrets in sessions, files beside them and histories; and how to find them. */
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdDecompressSync } from "node:zlib";
import {
  inContext,
  SAMPLE_FAMILIES,
  type SampleFamily,
} from "../text/redaction/_secret_samples.ts";
import { type CliHome, sessionId } from "./cli_home.ts";
import { filesBelow } from "./files_below.ts";
import { toolEnd, toolStart, user } from "./log_bytes.ts";
import { mulberry32 } from "./mulberry32.ts";

const KINDS = [
  ...["github-token", "gitlab-token", "stripe-key", "sendgrid-key", "npm-token", "groq-key"],
  ...["huggingface-token", "anthropic-key", "google-api-key", "slack-token", "openai-key"],
];
const FAMILIES: readonly SampleFamily[] = [
  ...KINDS.flatMap((kind) => SAMPLE_FAMILIES.find((one) => one.kind === kind) ?? []),
  // Known by their name alone, with characters that are escaped in JSON, in URLs and in base64.
  {
    kind: "password",
    name: "password",
    context: "DB_PASSWORD='$'",
    secret: (random) =>
      `p"${Math.floor(random() * 1e9).toString(36)}/+\\Zq${Math.floor(random() * 1e6)}`,
  },
];

/** A planted secret. */
export interface Planted {
  kind: string;
  secret: string;
}

const IDS = {
  claude: "5b1e0000-1111-4000-8000-00000000c1a0",
  codex: "0198cccc-1111-7000-8000-00000000c0de",
  pi: "0195aaaa-1111-7000-8000-0000000000a1",
  gemini: "f8a6a0fd-1111-4000-8000-00000000ee11",
  reprise: sessionId("aaaa"),
};
/** The time at which all files of agents changed last. */
export const OLD = new Date("2026-11-21T12:00:00Z");
const TIME = "2026-11-21T10:00:0";

/** The references of the five sessions. */
export const PLANTED_REFS = Object.entries(IDS).map(([agent, id]) =>
  agent === "reprise" ? id : `${agent}:${id}`
);

/** Returns the path of Claude Code's session. */
export function claudePath(home: CliHome): string {
  return join(home.path, ".claude/projects/-w", `${IDS.claude}.jsonl`);
}

function utf16(text: string): Uint8Array {
  return Uint8Array.from([...text].flatMap((character) => [character.charCodeAt(0), 0]));
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The texts of one session: what makes secrets known, and other forms of the same. */
function textsOf(planted: readonly (Planted & { family: SampleFamily })[]): string[] {
  const [a, b, c, d] = planted.map(({ secret }) => secret) as [string, string, string, string];
  return [
    `Deploy with ${
      planted.map(({ family, secret }) => inContext(family, secret)).join(" and ")
    } now`,
    JSON.stringify({ env: { list: planted.map(({ secret }) => secret) } }),
    JSON.stringify(JSON.stringify({ deep: [a, b, c, d] })),
    `run ${base64(encode(`user:${a}`))} or ${base64(encode(`xy${b} tail`))}`,
    `get https://x.test/?q=${encodeURIComponent(c)}&r=${encodeURIComponent(d)}`,
    `powershell -EncodedCommand ${base64(utf16(`Set-Key ${d}`))}`,
    `bare ${planted.map(({ secret }) => `(${secret})`).join(" ")} end`,
  ];
}

function write(path: string, text: string | Uint8Array): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeFileSync(path, typeof text === "string" ? encode(text) : text);
  Deno.utimeSync(path, OLD, OLD);
}

const jsonl = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** Fills the home; gives the 40 secrets of 12 families. */
export function plantSecrets(home: CliHome, seed = 51): Planted[] {
  const random = mulberry32(seed);
  const all = Array.from({ length: 40 }, (_, index) => {
    const family = FAMILIES[index % FAMILIES.length] as SampleFamily;
    return { family, kind: family.kind, secret: family.secret(random) };
  });
  const of = (index: number): typeof all => all.filter((_, at) => at % 5 === index);
  plantClaude(home, textsOf(of(0)), of(0).map(({ secret }) => secret));
  plantCodex(home, textsOf(of(1)));
  plantPi(home, textsOf(of(2)));
  plantGemini(home, textsOf(of(3)));
  const [prompt = "", ...rest] = textsOf(of(4));
  const calls = rest.flatMap((output, index) => [
    toolStart(`c${index}`),
    { ...toolEnd(`c${index}`), payload: { ...toolEnd(`c${index}`).payload as object, output } },
  ]);
  home.keep(IDS.reprise, [user(prompt), ...calls] as never);
  return all.map(({ kind, secret }) => ({ kind, secret }));
}

function plantClaude(home: CliHome, texts: readonly string[], secrets: readonly string[]): void {
  const sessionId = IDS.claude;
  const root = join(home.path, ".claude");
  const project = join(root, "projects/-w");
  const record = (text: string, index: number, more = {}): unknown => ({
    type: "user",
    uuid: `u${index}`,
    parentUuid: index === 0 ? null : `u${index - 1}`,
    message: { role: "user", content: text },
    ...{ sessionId, cwd: home.work, timestamp: `${TIME}${index}.000Z`, ...more },
  });
  write(
    join(project, `${sessionId}.jsonl`),
    jsonl(texts.map((text, index) => record(text, index))),
  );
  const beside = join(project, sessionId);
  write(join(beside, "tool-results/t1.txt"), `output: ${secrets.join("\n")}\n`);
  write(
    join(beside, "subagents/agent-a1.jsonl"),
    jsonl([record(`also ${secrets[1]}`, 0, { agentId: "a1", isSidechain: true })]),
  );
  write(join(root, "file-history", sessionId, "0a1b@v1"), `KEY=${secrets[2]}\nx = ${secrets[3]}\n`);
  write(join(root, "file-history", sessionId, "0a1b@v2"), utf16(`KEY=${secrets[2]}\n`));
  write(
    join(root, "history.jsonl"),
    jsonl([
      { display: texts[0], pastedContents: {}, timestamp: 1, project: home.work, sessionId },
      {
        display: `again ${secrets[4]}`,
        pastedContents: {},
        timestamp: 2,
        project: "/o",
        sessionId: "o",
      },
    ]),
  );
}

function plantCodex(home: CliHome, texts: readonly string[]): void {
  const id = IDS.codex;
  const at = (index: number): string => `${TIME}${index}.000Z`;
  const records = [
    {
      timestamp: at(0),
      type: "session_meta",
      payload: {
        id,
        timestamp: at(0),
        cwd: home.work,
        originator: "codex_cli_rs",
        cli_version: "0.1",
      },
    },
    ...texts.map((text, index) => ({
      timestamp: at(index),
      type: "response_item",
      payload: index % 2 === 0
        ? { type: "message", role: "user", content: [{ type: "input_text", text }] }
        : {
          type: "function_call",
          name: "shell",
          call_id: `c${index}`,
          arguments: JSON.stringify({ text }),
        },
    })),
  ];
  const path = `.codex/sessions/2026/11/21/rollout-2026-11-21T10-00-00-${id}.jsonl`;
  write(join(home.path, path), jsonl(records));
  write(
    join(home.path, ".codex/history.jsonl"),
    jsonl([{ session_id: id, ts: 1, text: texts[0] }]),
  );
}

function plantPi(home: CliHome, texts: readonly string[]): void {
  const timestamp = `${TIME}0.000Z`;
  const records = [
    { type: "session", version: 3, id: IDS.pi, timestamp, cwd: home.work },
    ...texts.map((text, index) => ({
      ...{
        type: "message",
        id: `m${index}`,
        parentId: index === 0 ? null : `m${index - 1}`,
        timestamp,
      },
      message: { role: "user", content: [{ type: "text", text }] },
    })),
  ];
  const path = `.pi/agent/sessions/--w--/2026-11-21T10-00-00-000Z_${IDS.pi}.jsonl`;
  write(join(home.path, path), jsonl(records));
}

function plantGemini(home: CliHome, texts: readonly string[]): void {
  const messages = texts.map((content, index) => ({
    id: `m${index}`,
    timestamp: `${TIME}${index}.000Z`,
    ...index % 2 === 0 ? { type: "user", content } : { type: "gemini", content, model: "g" },
  }));
  const hash = "0a01c6bb177edc886fb942e39b14b75cb282e454a67766508378b4a6e2fb2898";
  const sessionId = IDS.gemini;
  const session = {
    ...{
      sessionId,
      projectHash: hash,
      startTime: `${TIME}0.000Z`,
      lastUpdated: `${TIME}9.000Z`,
      messages,
    },
  };
  const folder = join(home.path, ".gemini/tmp", hash);
  const name = `session-2026-11-21T10-00-${sessionId.slice(0, 8)}.json`;
  write(join(folder, "chats", name), JSON.stringify(session, undefined, 2));
  const logs = [{
    sessionId,
    messageId: 0,
    type: "user",
    message: texts[0],
    timestamp: `${TIME}0.000Z`,
  }];
  write(join(folder, "logs.json"), JSON.stringify(logs, undefined, 2));
}

/** Returns every form of a secret in which it must not be found. */
export function formsOf(secret: string): string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const cores = [encode(secret), utf16(secret)].flatMap((bytes) =>
    [0, 1, 2].map((before) => {
      const padded = new Uint8Array(before + bytes.length);
      padded.set(bytes, before);
      return base64(padded).slice(Math.ceil(before * 8 / 6), Math.floor(padded.length * 8 / 6));
    })
  );
  const wide = [...secret].join("\0");
  const twice = JSON.stringify(escaped).slice(1, -1);
  return [secret, escaped, twice, encodeURIComponent(secret), wide, ...cores];
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** The texts of a file: its bytes, what is packed in them, and the cells of a database. */
function* textsIn(path: string): Generator<string> {
  const bytes = Deno.readFileSync(path);
  const latin = new TextDecoder("latin1");
  yield latin.decode(bytes);
  if (ZSTD.every((byte, at) => bytes[at] === byte)) yield latin.decode(zstdDecompressSync(bytes));
  if (!latin.decode(bytes.subarray(0, 15)).startsWith("SQLite format")) return;
  using database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  for (const { name } of tables) {
    for (const row of database.prepare(`SELECT * FROM "${name}"`).all()) {
      for (const cell of Object.values(row)) {
        yield cell instanceof Uint8Array ? latin.decode(cell) : String(cell);
      }
    }
  }
}

/** Returns the secrets that are found in a file, each with its form. */
export function leaksIn(path: string, planted: readonly Planted[]): string[] {
  const texts = [...textsIn(path)];
  return planted.flatMap(({ kind, secret }) =>
    formsOf(secret).flatMap((form, at) =>
      texts.some((text) => text.includes(form)) ? [`${path}: ${kind}, form ${at}`] : []
    )
  );
}

/** Returns what {@linkcode leaksIn} finds in all files below a folder. */
export function leaksBelow(folder: string, planted: readonly Planted[]): string[] {
  return filesBelow(folder).flatMap((path) => leaksIn(path, planted));
}
