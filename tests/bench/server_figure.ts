/** What sessions cost a server under Node and Bun: one process that has many of them open. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installedPackage, placeWithKoffi, runTool } from "../_support/installed_package.ts";
import { ROOT } from "../_support/source_code.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { median } from "./rounds.ts";

const PROGRAM = "server.mjs";

/** Milliseconds of each measurement, by its name in the program. */
type Took = Readonly<Record<keyof typeof ASKED | "begin", number>>;

/** Maximum milliseconds. */
const ASKED = {
  begin_stop: ["longest stop of the loop, 300 first appends", 100],
  list_stop: ["longest stop of the loop, list of 1,000 open", 150],
  create_first: ["first create of a process, with its first append", 10],
  create: ["create, with its first append", 10],
  append: ["append of 1 KB, written", 0.4],
  load_first: ["first load of a process, 100 messages", 6],
  load: ["load of 100 messages", 6],
  list_first: ["first list of 1,000 sessions", 50],
  list: ["list of 1,000 sessions", 50],
} as const;
const MOST_BEGIN_MS = { native: 1200, program: 3000 };

async function measure(program: string, folder: string, bench: Bench): Promise<Took> {
  const source = new URL("tests/bench/_server.mjs", ROOT);
  Deno.copyFileSync(fileURLToPath(source), join(folder, PROGRAM));
  const rounds: Took[] = [];
  for (let round = 0; round < bench.rounds; round++) {
    const data = Deno.makeTempDirSync({ dir: bench.directory });
    rounds.push(JSON.parse(await runTool(program, [join(folder, PROGRAM), data], folder)));
  }
  const names = [...Object.keys(ASKED), "begin"] as (keyof Took)[];
  const middle = names.map((name) => [name, median(rounds.map((round) => round[name]))]);
  return Object.fromEntries(middle) as unknown as Took;
}

async function measureAll(bench: Bench): Promise<Row[]> {
  const { folder, runtimes } = await installedPackage();
  const native = await placeWithKoffi();
  const rows: Row[] = [];
  for (const { name, program } of runtimes) {
    const took = await measure(program, folder, bench);
    for (const [key, [figure, most]] of Object.entries(ASKED)) {
      const value = took[key as keyof Took];
      rows.push(row(`${name}: ${figure}`, { value, most, unit: " ms" }));
    }
    const most = name === "bun" ? MOST_BEGIN_MS.native : MOST_BEGIN_MS.program;
    rows.push(row(`${name}: 1,000 first appends`, { value: took.begin, most, unit: " ms" }));
    if (name === "bun") continue;
    const by_koffi = await measure(program, native, bench);
    rows.push(row(`${name} with koffi: 1,000 first appends`, {
      value: by_koffi.begin,
      most: MOST_BEGIN_MS.native,
      unit: " ms",
      note: `longest stop with 300 ${rounded(by_koffi.begin_stop)} ms`,
    }));
  }
  return rows;
}

export const server: Figure = { name: "sessions of a server", measure: measureAll };
