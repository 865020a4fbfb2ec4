/**
 * Whole commands of the executable, from start to exit, with a long log that never compacts.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { benchData, LONG } from "./bench_data.ts";
import { compileProgram } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { inTurns, median, medianRatio } from "./rounds.ts";

const LEAST_RATIO = 3.5;
const MOST_TAIL_MS = 150;
const HERE = new URL(".", import.meta.url);

/** Milliseconds that a program takes whose output nobody reads. */
async function timeOf(bench: Bench, command: string, args: string[]): Promise<number> {
  const begun = performance.now();
  const { success } = await new Deno.Command(command, {
    args,
    cwd: bench.directory,
    clearEnv: true,
    env: {
      HOME: bench.directory,
      REPRISE_HOME: join(bench.directory, "nothing"),
      LANG: "en_US.UTF-8",
    },
    stdout: "null",
    stderr: "inherit",
  }).output();
  assert.ok(success, `${command} ${args.join(" ")} failed`);
  return performance.now() - begun;
}

/** Whole commands. */
export const command: Figure = {
  name: "command",
  async measure(bench): Promise<Row[]> {
    bench.note("compiling");
    const streams = compileProgram(
      join(bench.directory, "streams"),
      new URL("plain_streams.ts", HERE).pathname,
    );
    const reprise = compileProgram(join(bench.directory, "reprise"));
    const { path, shape } = benchData(bench);
    const commands = {
      streams: () => timeOf(bench, streams, [path]),
      conversation: () => timeOf(bench, reprise, ["conversation", "--tools", "omit", path]),
    };
    // Once for the disk, whose time is not ours.
    await commands.streams();
    const took = await inTurns(
      ["streams", "conversation"],
      bench.rounds,
      (name) => commands[name](),
    );
    const long = benchData(bench, LONG);
    const tails = await inTurns(
      ["tail"],
      bench.rounds,
      () => timeOf(bench, reprise, ["show", "--last", "10", long.path]),
    );
    return [
      row("reprise conversation --tools omit : a program of plain web streams", {
        value: medianRatio(took.streams, took.conversation),
        least: LEAST_RATIO,
        unit: " x",
        note: `${rounded(shape.bytes / 1000 / median(took.conversation))} MB/s`,
      }),
      row(`reprise show --last 10, ${(long.shape.bytes / 1e6).toFixed(0)} MB`, {
        value: median(tails.tail),
        most: MOST_TAIL_MS,
        unit: " ms",
      }),
    ];
  },
};
