/** Runs git without letting it run anything that a repository names. */
import { joinBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { type ChildProcess, startProgram } from "../../../core/platform/child_process.ts";
import { findProgram } from "../../../core/platform/find_program.ts";
import { sendSignal } from "../../../core/platform/signals.ts";
import type { ReadVariable } from "../../../core/workspace/data_root.ts";

/** The directory in which git runs, and the environment that it gets. */
export interface GitPlace {
  cwd: string;
  variable: ReadVariable;
  /** Milliseconds that one command of git may take. @default {30000} */
  limit_ms?: number;
}

/**
 * A repository's own settings may name programs: for hooks, file systems, remotes, signatures, pagers.
 * None of these commands needs one. Diff drivers are switched off by options of the commands. Others
 * name files, which may be pipes or devices.
 */
const SETTINGS = [
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat"],
  ...["core.sshCommand=false", "protocol.allow=never", "log.showSignature=false"],
  ...["core.quotePath=false", "color.ui=false", "diff.external="],
  ...["mailmap.file=", "mailmap.blob=", "core.attributesFile=/dev/null"],
  // A repository's setting for one protocol overrides the one for all.
  ...["ext", "file", "ssh", "git", "http", "https", "ftp", "ftps"]
    .map((name) => `protocol.${name}.allow=never`),
].flatMap((setting) => ["-c", setting]);

/** The time limit, because git's own files and includes may be pipes. */
const LIMIT_MS = 30_000;

/** Maximum bytes of an answer. */
const MOST_BYTES = 512 * 1024 * 1024;

/** The variables that git gets. None names a repository, a program or a setting. */
const VARIABLES = [
  "PATH",
  "HOME",
  "USERPROFILE",
  "SYSTEMROOT",
  "XDG_CONFIG_HOME",
  "TMPDIR",
  "TEMP",
];

function environmentOf({ variable }: GitPlace): Record<string, string> {
  const kept = VARIABLES.flatMap((name) => {
    const value = variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    ...{ GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
    ...{ LC_ALL: "C", GIT_NO_REPLACE_OBJECTS: "1", GIT_ATTR_NOSYSTEM: "1" },
    // Overrides the settings of all protocols; none has this name.
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/**
 * Runs a git command.
 *
 * @param input What it reads. @returns Its output; undefined where it failed.
 * @throws {SessionError} `not-found` where there is no git; `too-large`; `unreachable` where git
 * does not answer in time.
 */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  input = "",
): Promise<Uint8Array | undefined> {
  const program = findProgram("git", { path: place.variable("PATH"), avoided: place.cwd });
  if (program === undefined) {
    throw new SessionError("not-found", "Cannot blame: git is not installed; install it first");
  }
  const child = startProgram(program, {
    args: ["--no-pager", ...SETTINGS, ...args],
    cwd: place.cwd,
    env: environmentOf(place),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  });
  const { limit_ms = LIMIT_MS } = place;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end(child);
  }, limit_ms);
  try {
    const [bytes, { code }] = await Promise.all([
      collected(child.stdout),
      child.status,
      given(child.stdin, input),
    ]);
    if (late) throw unanswered(place.cwd, limit_ms);
    return code === 0 ? bytes : undefined;
  } finally {
    clearTimeout(timer);
  }
}

function end({ pid }: ChildProcess): void {
  try {
    sendSignal(pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

function unanswered(path: string, limit_ms: number): SessionError {
  const message = `Cannot blame: git did not answer within ${limit_ms / 1000} s; ` +
    "a file that git reads may be a named pipe, for example a file that .git/config " +
    `includes: ${path}`;
  return new SessionError("unreachable", message, { path });
}

async function given(stdin: WritableStream<Uint8Array>, input: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    if (input !== "") await writer.write(new TextEncoder().encode(input));
    await writer.close();
  } catch {
    // It ended before it read all; its status tells the outcome.
  }
}

async function collected(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MOST_BYTES) {
      throw new SessionError("too-large", "Cannot blame: git's output is larger than 512 MB");
    }
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}
