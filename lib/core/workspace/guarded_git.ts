/** Runs git in a user's work tree, without the programs that a repository's settings name. */
import { joinBytes } from "../event/bytes.ts";
import { SessionError } from "../event/session_error.ts";
import { type ChildProcess, startProgram } from "../platform/child_process.ts";
import { findProgram } from "../platform/find_program.ts";
import { sendSignal } from "../platform/signals.ts";
import type { ReadVariable } from "./data_root.ts";

export interface GitFolder {
  cwd: string;
  variable: ReadVariable;
  /** Further settings as `NAME=VALUE`, such as those of {@linkcode withoutFilters}. */
  settings?: readonly string[];
  variables?: Readonly<Record<string, string>>;
  action?: string;
  limit_ms?: number;
}

interface GitAnswer {
  ok: boolean;
  bytes: Uint8Array;
  /** Standard output as text, without its last newline. */
  text: string;
  /** The first line that git printed on standard error, without `fatal:` or `error:`. */
  reason: string;
}

/** Settings that switch off hooks, watchers, pagers, drivers and every protocol. */
const SETTINGS = [
  ...[
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.sshCommand=false",
  ],
  ...["log.showSignature=false", "mailmap.file=", "mailmap.blob="],
  ...["core.quotePath=false", "core.attributesFile=/dev/null", "color.ui=false", "diff.external="],
  ...["submodule.recurse=false", "gc.auto=0", "maintenance.auto=false", "protocol.allow=never"],
  ...["ext", "file", "ssh", "git", "http", "https", "ftp", "ftps"].map((name) =>
    `protocol.${name}.allow=never`
  ),
];

const VARIABLES = [
  "PATH",
  "HOME",
  "USERPROFILE",
  "SYSTEMROOT",
  "XDG_CONFIG_HOME",
  "TMPDIR",
  "TEMP",
];

/** Time limit of one command: the checkout of a large repository takes a while. */
const LIMIT_MS = 10 * 60_000;
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * @throws {SessionError} `not-found` without git; `too-large`; `unreachable` after the time limit
 */
export async function guardedGit(
  { cwd, variable, settings = [], variables = {}, action = "run git", limit_ms = LIMIT_MS }:
    GitFolder,
  args: readonly string[],
  input: Uint8Array = new Uint8Array(),
): Promise<GitAnswer> {
  const program = findProgram("git", { path: variable("PATH"), avoided: cwd });
  if (program === undefined) {
    const message = `Cannot ${action}: git is not installed; install it first`;
    throw new SessionError("not-found", message);
  }
  const kept = VARIABLES.flatMap((name) => {
    const value = variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const child = startProgram(program, {
    args: ["--no-pager", ...[...SETTINGS, ...settings].flatMap((one) => ["-c", one]), ...args],
    ...{ cwd, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "piped" },
    env: {
      ...Object.fromEntries(kept),
      ...{ GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: "none" },
      ...{ LC_ALL: "C", GIT_NO_REPLACE_OBJECTS: "1", GIT_ATTR_NOSYSTEM: "1", ...variables },
    },
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end(child);
  }, limit_ms);
  try {
    const [bytes, errors, { code }] = await Promise.all([
      collected(child.stdout, action),
      collected(child.stderr, action),
      child.status,
      given(child.stdin, input),
    ]);
    if (late) throw unanswered(action, cwd, limit_ms);
    const decoder = new TextDecoder();
    const reason = decoder.decode(errors).split("\n")[0]?.replace(/^(?:fatal|error): /, "") ?? "";
    return { ok: code === 0, bytes, text: decoder.decode(bytes).replace(/\n$/, ""), reason };
  } finally {
    clearTimeout(timer);
  }
}

/** Adds settings that disable all filters: programs that git runs for a work tree's attributes. */
export async function withoutFilters(folder: GitFolder): Promise<GitFolder> {
  const asked = ["config", "--name-only", "-z", "--get-regexp", "^filter\\."];
  const names = (await guardedGit(folder, asked)).text.split("\0")
    .map((name) => name.trim().replace(/\.[^.]+$/, "")).filter((name) => name !== "");
  const settings = [...new Set(names)].flatMap((name) =>
    ["clean=", "smudge=", "process=", "required=false"].map((member) => `${name}.${member}`)
  );
  return { ...folder, settings };
}

function end({ pid }: ChildProcess): void {
  try {
    sendSignal(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

function unanswered(action: string, path: string, limit_ms: number): SessionError {
  const message = `Cannot ${action}: git did not answer within ${limit_ms / 1000} s; ` +
    "a file that git reads may be a named pipe, for example a file that .git/config " +
    `includes: ${path}`;
  return new SessionError("unreachable", message, { path });
}

async function given(stdin: WritableStream<Uint8Array>, input: Uint8Array): Promise<void> {
  const writer = stdin.getWriter();
  try {
    if (input.length > 0) await writer.write(input);
    await writer.close();
  } catch {
    // Git ended before it read all. Its status tells the outcome.
  }
}

async function collected(
  stream: ReadableStream<Uint8Array>,
  action: string,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MOST_BYTES) {
      throw new SessionError("too-large", `Cannot ${action}: git's output is larger than 512 MB`);
    }
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}
