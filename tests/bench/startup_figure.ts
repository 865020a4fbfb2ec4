/**
 * How long the executable takes to start, against one that only says hello.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeBenchStore } from "./bench_store.ts";
import { compileProgram } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { inTurns, median, medianRatio } from "./rounds.ts";

const MOST_RATIO: Readonly<Record<"version" | "list", number>> = { version: 1.15, list: 1.25 };
/** As on a desktop: formats of times must not cost the start. */
const LANG = "en_US.UTF-8";
/** Starts of each in a round, in turns. */
const STARTS = 11;
const LISTED = 10;

const STARTED = ["hello", "version", "list"] as const;
type Started = typeof STARTED[number];

/** Programs that see nothing but what is theirs. */
function start(bench: Bench, command: string, args: string[]): number {
  const begun = performance.now();
  const { success, stdout } = new Deno.Command(command, {
    args,
    cwd: bench.directory,
    clearEnv: true,
    env: { HOME: bench.directory, REPRISE_HOME: join(bench.directory, "listed"), LANG },
    stderr: "inherit",
  }).outputSync();
  const took = performance.now() - begun;
  assert.ok(success && stdout.length > 0, `${command} ${args.join(" ")} failed`);
  return took;
}

function prepare(bench: Bench): { hello: string; reprise: string } {
  bench.note("compiling");
  const source = join(bench.directory, "hello.ts");
  Deno.writeTextFileSync(source, 'console.log("Hello");\n');
  const hello = compileProgram(join(bench.directory, "hello"), source);
  const reprise = compileProgram(join(bench.directory, "reprise"));
  const root = join(bench.directory, "listed");
  makeBenchStore({ root, sessions: LISTED, bytes: 20_000, directories: [bench.directory] });
  return { hello, reprise };
}

/** Starting. */
export const startup: Figure = {
  name: "startup",
  async measure(bench): Promise<Row[]> {
    const { hello, reprise } = prepare(bench);
    const commands: Record<Started, () => number> = {
      hello: () => start(bench, hello, []),
      version: () => start(bench, reprise, ["--version"]),
      list: () => start(bench, reprise, ["list"]),
    };
    const medians: Record<Started, number[]> = { hello: [], version: [], list: [] };
    for (let round = 0; round < bench.rounds; round++) {
      const took = await inTurns(STARTED, STARTS, (name) => Promise.resolve(commands[name]()));
      for (const name of STARTED) medians[name].push(median(took[name]));
    }
    return (["version", "list"] as const).map((name) =>
      row(`start of reprise ${name === "list" ? "list" : "--version"} : hello-world`, {
        value: medianRatio(medians[name], medians.hello),
        most: MOST_RATIO[name],
        unit: " x",
        note: `${rounded(median(medians[name]))} ms : ${rounded(median(medians.hello))} ms`,
      })
    );
  },
};
