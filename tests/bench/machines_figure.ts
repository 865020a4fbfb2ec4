/**
 * Sessions between the machines of one user, by the whole program and a folder; and the requests of a
 * round with nothing new to a bucket.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openBucket } from "../../lib/features/team/s3/s3_object_store.ts";
import { withBucket } from "../_support/bucket_server.ts";
import { PairedMachine, turn } from "../features/backup/machines/_paired_machine.ts";
import { makeAgentHome, placeOf } from "./agent_sessions.ts";
import { compileProgram } from "./compile_recipe.ts";
import { cpuSeconds } from "./cpu_time.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";

const MANY = 10_000;
const USUAL = 1200;
const SESSION_BYTES = 2000;
const LONG_BYTES = 834_000;
const STARTS = 9;

/** Time of a command, and its CPU time, in seconds. */
interface Took {
  wall: number;
  cpu: number;
}

/** The machines of one user: homes below a folder, and the program. */
class Machines {
  readonly #folder: string;
  readonly #reprise: string;
  readonly place: string;

  constructor(folder: string, reprise: string) {
    this.#folder = folder;
    this.#reprise = reprise;
    this.place = join(folder, "place");
  }

  home(name: string): string {
    const home = join(this.#folder, name);
    Deno.mkdirSync(join(home, ".claude", "projects"), { recursive: true });
    return home;
  }

  run(name: string, ...args: string[]): Took {
    const [begun, before] = [performance.now(), cpuSeconds()];
    const home = this.home(name);
    const { success, stderr } = new Deno.Command(this.#reprise, {
      ...{ args, cwd: home, clearEnv: true, env: { HOME: home }, stdout: "null" },
    }).outputSync();
    assert.ok(success, new TextDecoder().decode(stderr));
    return { wall: (performance.now() - begun) / 1000, cpu: cpuSeconds() - before };
  }

  /** Pairs a machine, and syncs once. */
  pair(name: string): Took {
    const words = join(this.#folder, "words");
    const flags = ["--words", words, "--all-projects", "--yes", "--once"];
    return this.run(name, "sync", this.place, ...flags);
  }

  /** Returns the bytes that a round adds to the place. */
  sent(name: string): number {
    const before = PairedMachine.bytesIn(this.place);
    this.run(name, "sync", "--once");
    return PairedMachine.bytesIn(this.place) - before;
  }

  /** Returns the CPU time of a command beyond that of a start, of several in turns. */
  beyondStart(name: string, ...args: string[]): number {
    let seconds = 0;
    for (let start = 0; start < STARTS; start++) {
      seconds += this.run(name, ...args).cpu - this.run(name, "--version").cpu;
    }
    return seconds / STARTS;
  }
}

/** Adds a line to a session of a generated home. */
function addLine(home: string, index: number): void {
  const path = join(home, placeOf("claude", index));
  const line = Deno.readTextFileSync(path).trimEnd().split("\n").at(-1) ?? "";
  Deno.writeTextFileSync(path, `${line}\n`, { append: true });
}

function machinesIn({ directory }: Bench, name: string, reprise: string): Machines {
  return new Machines(join(directory, name), reprise);
}

function many(bench: Bench, reprise: string): Row[] {
  const machines = machinesIn(bench, "many-machines", reprise);
  makeAgentHome("claude", machines.home("a"), {
    ...{ count: MANY, bytes: SESSION_BYTES, shape: "short" },
  });
  const push = machines.pair("a");
  const pull = machines.pair("b");
  addLine(machines.home("a"), 0);
  const event = machines.sent("a");
  // Beside other work, the clock says little.
  const clock = ({ wall }: Took) => `${rounded(wall)} s by the clock`;
  const name = `machines, ${MANY} sessions: `;
  return [
    row(`${name}CPU of the first push`, {
      value: push.cpu,
      most: 30,
      unit: " s",
      note: clock(push),
    }),
    row(`${name}CPU of the first pull`, {
      value: pull.cpu,
      most: 40,
      unit: " s",
      note: clock(pull),
    }),
    row(`${name}bytes of one event`, { value: event, most: 70_000, unit: " B" }),
  ];
}

function usual(bench: Bench, reprise: string): Row[] {
  const machines = machinesIn(bench, "usual-machines", reprise);
  const home = machines.home("a");
  makeAgentHome("claude", home, { count: USUAL, bytes: SESSION_BYTES, shape: "short" });
  machines.pair("a");
  const nothing = machines.beyondStart("a", "sync", "--once");
  const listed = machines.beyondStart("a", "list", "--all", "--limit", "1");
  let text = "";
  for (let number = 0; text.length < LONG_BYTES; number++) {
    text += turn("/home/ada/src/ledger", number, `${number} `.repeat(60));
  }
  Deno.writeTextFileSync(join(home, placeOf("claude", USUAL)), text);
  machines.run("a", "sync", "--once");
  addLine(home, USUAL);
  return [
    row(`machines, folder, ${USUAL} sessions: CPU of nothing new, beyond a start`, {
      ...{ value: nothing, most: 0.1, unit: " s", note: `a list: ${rounded(listed)} s` },
    }),
    row("machines: bytes of one line more of an 834 KB session", {
      ...{ value: machines.sent("a"), most: 6000, unit: " B" },
    }),
  ];
}

async function requestsOfNothing({ directory }: Bench): Promise<Row> {
  let asked = NaN;
  await withBucket(async ({ url, options, requests }) => {
    const machine = new PairedMachine(join(directory, "bucket-machine"), "a");
    machine.open = () => openBucket(url, options);
    machine.say(0, "Hello");
    await machine.sync();
    requests.length = 0;
    await machine.sync();
    asked = requests.length;
  });
  return row("machines, S3: requests of nothing new", { value: asked, most: 1, unit: "" });
}

/** Rounds between the machines of one user. */
export const machines: Figure = {
  name: "machines",
  async measure(bench: Bench): Promise<Row[]> {
    bench.note("compiling");
    const reprise = compileProgram(join(bench.directory, "reprise"));
    return [
      ...usual(bench, reprise),
      await requestsOfNothing(bench),
      ...many(bench, reprise),
    ];
  },
};
