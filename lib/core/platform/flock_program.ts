/**
 * Takes locks by a program, for a Node that cannot call `flock(2)` itself. The program gets the
 * open files as its descriptors, locks them and ends. The locks stay, because they belong to the
 * open files. So no program has to be kept alive. Files that arrive while a program runs go to the
 * next program together.
 */
import { setImmediate } from "node:timers";
import { SessionError } from "../event/session_error.ts";
import { laterTurn } from "./loop_turn.ts";
import { builtin } from "./runtime.ts";
import { isNotFound } from "./system_error.ts";

interface Request {
  fd: number;
  exclusive: boolean;
  resolve(taken: boolean): void;
  reject(error: unknown): void;
}

/** A program that can call `flock`. `kinds` has a letter per file: `x` exclusive, `s` shared. */
interface Locker {
  program: string;
  args(kinds: string): string[];
}

/** Descriptor of the first file to lock in the started program. */
const FIRST_FD = 3;
/** Maximum files per program. Many share one, because each start blocks the event loop. */
const MOST_FILES = 128;

const MOST_ANSWERS = 8;

/** Answers for a file: `1` if it is locked now, `0` if the lock is not free, `e` for an error. */
const TAKEN = "1";
const HELD = "0";

/**
 * Perl script that locks files and prints an answer for each file. It uses numbers for constants,
 * because loading Perl's modules with their names would take longer than locking.
 */
const PERL = `$| = 1; my ($kinds, $held) = @ARGV; my $fd = ${FIRST_FD};
for my $kind (split //, $kinds) {
  my $is_open = open(my $file, "<&=", $fd++);
  my $taken = $is_open && flock($file, ($kind eq "x" ? 2 : 1) | 4);
  my $answer = $taken ? "1" : $is_open && $! == $held ? "0" : "e";
  print STDERR "$!\n" if $answer eq "e";
  print $answer;
}`;

/** Shell script that prints an answer per file. `flock` ends with 1 if the lock is not free. */
const SHELL = `fd=${FIRST_FD}; for kind in "$@"; do flock -$kind -n $fd; case $? in
0) printf 1;; 1) printf 0;; *) printf e;; esac; fd=$((fd + 1)); done`;

/** Programs in the order to try. Perl locks all files in one process. Alpine has only `flock`. */
const LOCKERS: readonly Locker[] = [
  {
    program: "perl",
    args: (kinds) => ["-e", PERL, kinds, `${builtin("node:os").constants.errno.EWOULDBLOCK}`],
  },
  {
    program: "sh",
    args: (kinds) => ["-c", `command -v flock >/dev/null || exit 127; ${SHELL}`, "sh", ...kinds],
  },
];

/** Exit code of the shell if there is no `flock`. */
const NO_FLOCK = 127;

let waiting: Request[] = [];
let is_running = false;

/**
 * Takes a lock if that is possible at once, without blocking the event loop.
 *
 * @returns False if the lock is not free.
 * @throws {SessionError} `io` if no program can take a lock, or the file system has no locks.
 */
export function tryFlockSoon(fd: number, exclusive: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    waiting.push({ fd, exclusive, resolve, reject });
    if (is_running) return;
    is_running = true;
    setImmediate(() => void lockWaiting());
  });
}

async function lockWaiting(): Promise<void> {
  while (waiting.length > 0) {
    const batch = waiting.slice(0, MOST_FILES);
    waiting = waiting.slice(MOST_FILES);
    try {
      // The next program runs while these callers get their answers.
      void answer(batch, await askLocker(batch));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
  is_running = false;
}

/**
 * Passes the answers to the callers, only a few in each turn of the event loop. Callers then write
 * files, which blocks the event loop.
 */
async function answer(batch: readonly Request[], { text, reason }: Answers): Promise<void> {
  for (const [index, { resolve, reject }] of batch.entries()) {
    if (index % MOST_ANSWERS === MOST_ANSWERS - 1) await laterTurn();
    const answer = text[index];
    if (answer === TAKEN || answer === HELD) resolve(answer === TAKEN);
    else reject(lockError(reason));
  }
}

interface Answers {
  /** `1` (locked), `0` (not free) or `e` (error) per file. Fewer if the program was killed. */
  text: string;
  /** The program's error text, or else its exit code or signal. Used if `text` shows a failure. */
  reason: string;
}

async function askLocker(batch: readonly Request[]): Promise<Answers> {
  const kinds = batch.map(({ exclusive }) => exclusive ? "x" : "s").join("");
  for (const locker of LOCKERS) {
    const answers = await runLocker(locker, kinds, batch.map(({ fd }) => fd));
    if (answers !== undefined) return answers;
  }
  throw noLocker();
}

/** Returns undefined if the program is not installed. */
function runLocker(
  { program, args }: Locker,
  kinds: string,
  files: readonly number[],
): Promise<Answers | undefined> {
  return new Promise((resolve, reject) => {
    const { spawn } = builtin("node:child_process");
    const child = spawn(program, args(kinds), { stdio: ["ignore", "pipe", "pipe", ...files] });
    let text = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (some: string) => text += some);
    child.stderr?.setEncoding("utf8").on("data", (some: string) => stderr += some);
    child.once("error", (error) => isNotFound(error) ? resolve(undefined) : reject(error));
    child.once("close", (code, signal) => {
      if (code === NO_FLOCK) return resolve(undefined);
      resolve({ text, reason: stderr.trim() || `${program} ended with ${code ?? signal}` });
    });
  });
}

/**
 * Takes a lock as {@linkcode tryFlockSoon} does, and blocks the event loop meanwhile.
 *
 * @throws {SessionError} `io`
 */
export function tryFlockByProgram(fd: number, exclusive: boolean): boolean {
  const { spawnSync } = builtin("node:child_process");
  for (const { program, args } of LOCKERS) {
    const { error, status, signal, stdout, stderr } = spawnSync(
      program,
      args(exclusive ? "x" : "s"),
      { stdio: ["ignore", "pipe", "pipe", fd] },
    );
    if (error !== undefined && !isNotFound(error)) throw error;
    if (error !== undefined || status === NO_FLOCK) continue;
    const answer = String(stdout);
    if (answer === TAKEN || answer === HELD) return answer === TAKEN;
    throw lockError(String(stderr).trim() || `${program} ended with ${status ?? signal}`);
  }
  throw noLocker();
}

function noLocker(): SessionError {
  return lockError(
    "neither flock nor perl can be started to lock the file; " +
      "install util-linux, or koffi from npm, or run Reprise with Deno",
  );
}

function lockError(reason: string): SessionError {
  return new SessionError("io", `Cannot lock file: ${reason}`, {});
}
