/** A push with nothing new to a folder, beside a start that does nothing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeBenchStore } from "./bench_store.ts";
import { compileProgram } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { inTurns, median } from "./rounds.ts";

const SESSIONS = 1200;
const SESSION_BYTES = 20_000;
const STARTS = 11;
const MOST_MS = 50;

/** Milliseconds of a command of the executable, in the added project. */
function timeOf(bench: Bench, reprise: string, args: string[]): number {
  const begun = performance.now();
  const { success, stderr } = new Deno.Command(reprise, {
    args,
    cwd: join(bench.directory, "folder-project"),
    clearEnv: true,
    env: { HOME: bench.directory, REPRISE_HOME: join(bench.directory, "folder-root") },
    stdout: "null",
  }).outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
  return performance.now() - begun;
}

/** The whole command, as a watch or a hook runs it. */
export const folder: Figure = {
  name: "folder",
  async measure(bench): Promise<Row[]> {
    const directory = join(bench.directory, "folder-project");
    Deno.mkdirSync(directory, { recursive: true });
    const root = join(bench.directory, "folder-root");
    makeBenchStore({ root, sessions: SESSIONS, bytes: SESSION_BYTES, directories: [directory] });
    bench.note("compiling");
    const reprise = compileProgram(join(bench.directory, "reprise"));
    const run = (...args: string[]): number => timeOf(bench, reprise, args);
    const place = Deno.makeTempDirSync({ dir: bench.directory });
    run("sync", "team", place, "--project", "bench", "--yes", "--once");
    const commands = { version: () => run("--version"), push: () => run("sync", "push") };
    const took = await inTurns(
      ["version", "push"],
      STARTS,
      (name) => Promise.resolve(commands[name]()),
    );
    const [version, push] = [median(took.version), median(took.push)];
    return [
      row(`push of nothing new, ${SESSIONS} sessions, beyond a start`, {
        value: push - version,
        most: MOST_MS,
        unit: " ms",
        note: `${rounded(push)} - ${rounded(version)} ms`,
      }),
    ];
  },
};
