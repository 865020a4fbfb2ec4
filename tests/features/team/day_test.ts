/**
 * A day of two machines of one person, in each kind of place: they write, mark, take back, push and
 * pull while the way to the store fails and their programs are killed. Every hour all is settled, and
 * each machine has what the other has, byte for byte.
 */
import assert from "node:assert/strict";
import { jsonLines } from "../../_support/cli.ts";
import { DAY_ENGINES, type DayEngine, type DayPlace } from "../../_support/day_places.ts";
import { DAY_PROJECTS, DayMachine } from "../../_support/day_machine.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { needing } from "../../_support/needing.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { trustEachOther } from "../../_support/team_homes.ts";

/** Hours of a day, and actions of an hour. */
const [HOURS, ACTIONS] = ALL_TORTURE ? [24, 20] : [1, 12];
/** Pushes and pulls until nothing is new: what one machine learns late, the other learns later. */
const MAX_SETTLING = 6;
/** In the short day of this one, too, a session is taken back and a program is killed. */
const SEED = Number(Deno.env.get("REPRISE_SEED") ?? 6);

class Day {
  readonly place: DayPlace;
  readonly machines: readonly [DayMachine, DayMachine];
  readonly random: () => number;
  /** Sessions that were taken back, and are so in the store. */
  readonly withdrawn = new Set<string>();
  /** Sessions whose taking back was not confirmed. */
  readonly to_withdraw = new Set<string>();
  /** Sealed sessions, whose marks stay on their machine. */
  readonly sealed = new Set<string>();
  /** Actions of this hour, and of all. */
  told: string[] = [];
  actions = 0;
  kills = 0;

  constructor(place: DayPlace, machines: readonly [DayMachine, DayMachine], random: () => number) {
    this.place = place;
    this.machines = machines;
    this.random = random;
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  /** Text that does not compress to nothing: mostly short, seldom long. */
  text(): string {
    const length = 20 + this.random() ** 8 * 600_000;
    let text = "";
    while (text.length < length) text += this.random().toString(36).slice(2);
    return text;
  }

  /** Sessions of a machine that are shared. */
  shared(machine: DayMachine): string[] {
    return [...machine.logs().keys(), ...machine.claude.map((id) => `claude:${id}`)].sort()
      .filter((id) => !this.withdrawn.has(id) && !this.to_withdraw.has(id));
  }

  /** Runs a command line while there is trouble: it fails in one line, or does not. */
  async tried(machine: DayMachine, args: readonly string[]): Promise<boolean> {
    const { status, stderr } = await machine.run(args);
    const is_clear = status === 0 || (status === 1 && /^reprise: .+$/m.test(stderr));
    assert.ok(is_clear && !/\.ts:\d/.test(stderr), `${args.join(" ")}: ${status} ${stderr}`);
    return status === 0;
  }

  /** Kills a command line at any time, or ends it. */
  async cut(machine: DayMachine, args: readonly string[], signal: Deno.Signal): Promise<void> {
    const running = machine.start(args);
    await new Promise((resolve) => setTimeout(resolve, 200 + this.random() * 900));
    try {
      running.kill(signal);
    } catch {
      // It has ended.
    }
    const { status, stderr } = await running.end();
    if (status === 137) this.kills++;
    assert.ok(
      [0, 1, 130, 137, 143].includes(status) && !/\.ts:\d/.test(stderr),
      `${status} ${stderr}`,
    );
  }
}

/** What happens on a day, with how often, and what it is about. */
const ACTS: Readonly<
  Record<
    string,
    { often: number; act: (day: Day, machine: DayMachine) => Promise<unknown> | unknown }
  >
> = {
  "a session begins": {
    often: 4,
    act: async (day, machine) => {
      const project = day.pick(Object.keys(DAY_PROJECTS)) ?? "";
      const cwd = machine.directory(project);
      const id = await machine.write([day.text(), day.text()], { cwd });
      if (project === "notes") day.sealed.add(id);
    },
  },
  // On both machines, where the other one went on with it meanwhile.
  "a session goes on": {
    often: 6,
    act: async (day, machine) => {
      const id = day.pick([...machine.logs().keys()].sort());
      if (id !== undefined) await machine.write([day.text()], { id });
    },
  },
  "Claude Code begins a session": {
    often: 2,
    act: (day, machine) => machine.writeClaude(day.text()),
  },
  "Claude Code goes on": {
    often: 3,
    act: (day, machine) => {
      const id = day.pick(machine.claude);
      if (id !== undefined) machine.writeClaude(day.text(), id);
    },
  },
  "Claude Code goes back, and on from there": {
    often: 1,
    act: (day, machine) => {
      const id = day.pick(machine.claude);
      if (id !== undefined) machine.writeClaude(day.text(), id, 1);
    },
  },
  "a session is marked": {
    often: 5,
    act: async (day, machine) => {
      const ref = day.pick(day.shared(machine));
      if (ref === undefined) return;
      const undo = day.random() < 0.3 ? ["--undo"] : [];
      const args = day.pick([
        ["rename", ref, day.text().slice(0, 40)],
        ["note", ref, day.text().slice(0, 40)],
        ["tag", ref, day.text().slice(0, 5)],
        ["pin", ...undo, ref],
        ["archive", ...undo, ref],
      ]) ?? [];
      const { status, stderr } = await machine.run(args);
      assert.equal(status, 0, stderr);
    },
  },
  "a session is taken back": {
    often: 1,
    act: async (day, machine) => {
      const id = day.pick(day.shared(machine));
      if (id === undefined) return;
      const is_told = await day.tried(machine, ["sync", "withdraw", id]);
      (is_told ? day.withdrawn : day.to_withdraw).add(id);
    },
  },
  "a push": { often: 6, act: (day, machine) => day.tried(machine, ["sync", "push"]) },
  "a pull": { often: 6, act: (day, machine) => day.tried(machine, ["sync", "pull"]) },
  "both push and pull at once": {
    often: 2,
    act: (day) =>
      Promise.all(day.machines.flatMap((machine) =>
        ["push", "pull"].map(async (act) => {
          const { status, stderr } = await machine.start(["sync", act]).end();
          assert.ok(status <= 1 && !/\.ts:\d/.test(stderr), `${act}: ${status} ${stderr}`);
        })
      )),
  },
  "a push is killed": {
    often: 4,
    act: (day, machine) => day.cut(machine, ["sync", "push"], "SIGKILL"),
  },
  "a pull is killed": {
    often: 4,
    act: (day, machine) => day.cut(machine, ["sync", "pull"], "SIGKILL"),
  },
  "a watch runs for a while": {
    often: 2,
    act: (day, machine) =>
      day.cut(
        machine,
        ["sync", "watch", "--every", "1"],
        day.random() < 0.5 ? "SIGTERM" : "SIGKILL",
      ),
  },
  "the way to the store changes": { often: 6, act: ({ place }) => place.trouble() },
};

const WEIGHTED = Object.entries(ACTS).flatMap(([name, { often }]) =>
  Array.from({ length: often }, () => name)
);

async function transferred(
  machine: DayMachine,
  act: "push" | "pull",
): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await machine.run(["sync", act, "--json"]);
  assert.equal(status, 0, `${machine.label} ${act}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** Pushes and pulls until nothing is new. */
async function settle({ machines, place }: Day): Promise<void> {
  for (let round = 0; round < MAX_SETTLING; round++) {
    let news = 0;
    for (const machine of machines) {
      const { pushed, marks } = await transferred(machine, "push");
      news += Number(pushed) + Number(marks);
      await place.calm();
    }
    for (const machine of machines) {
      const { adopted, extended, mirrored } = await transferred(machine, "pull");
      news += [adopted, extended, mirrored].flat().length;
    }
    if (news === 0) return;
  }
  assert.fail("something is always new");
}

/** What is alike on both machines, and in the store. */
async function check(day: Day): Promise<void> {
  const { machines, withdrawn, sealed, place } = day;
  const logs = machines.map((machine) => machine.logs());
  const mirrors = machines.map((machine) => machine.mirror());
  const ids = new Set(logs.flatMap((some) => [...some.keys()]));
  for (const [at, { kept, label }] of machines.entries()) {
    const other = machines[1 - at];
    for (const [id, text] of kept) {
      // A session that was taken back may never have come here.
      assert.ok((logs[at]?.get(id) ?? "").startsWith(text), `${label} lost bytes of ${id}`);
    }
    for (const [ref, text] of await (other as DayMachine).copies()) {
      if (withdrawn.has(ref)) continue;
      assert.ok(mirrors[at]?.get(encodeURIComponent(ref)) === text, `${label} has another ${ref}`);
    }
    for (const id of ids) {
      const [here = "", there = ""] = [logs[at]?.get(id), logs[1 - at]?.get(id)];
      if (withdrawn.has(id) || here === there) continue;
      // Both went on: each machine has the other's end as a branch.
      const is_apart = !here.startsWith(there) && !there.startsWith(here);
      const branches = [...mirrors[at] ?? []].filter(([name]) => name.split("@")[0] === id);
      const has = is_apart && branches.some(([, branch]) => branch === there);
      assert.ok(has, `${label} lacks the end of ${id} on ${other?.label}`);
    }
    for (const id of ids) kept.set(id, logs[at]?.get(id) ?? kept.get(id) ?? "");
    await checkLists(day, machines[at] as DayMachine, new Set([...ids, ...refsOf(day)]));
  }
  const [one, other] = machines.map((machine) =>
    machine.marks((ref) => !withdrawn.has(ref) && !sealed.has(ref))
  );
  assert.deepEqual(one, other);
  for (const id of withdrawn) assert.ok(!await place.holds(id), `the store has bytes of ${id}`);
}

function refsOf({ machines }: Day): string[] {
  return machines.flatMap(({ claude }) => claude.map((id) => `claude:${id}`));
}

async function checkLists(
  { withdrawn }: Day,
  machine: DayMachine,
  ids: Set<string>,
): Promise<void> {
  const doctor = await machine.run(["doctor", "--json"]);
  assert.deepEqual([doctor.status, doctor.stdout], [0, ""], machine.label);
  const rows = jsonLines<{ ref: string }>(
    (await machine.run(["list", "--all", "--json", "-n", "10000"])).stdout,
  );
  assert.deepEqual(twice(rows.map(({ ref }) => ref)), []);
  const remote = await machine.run(["list", "--remote", "--all", "--json", "-n", "10000"]);
  assert.equal(remote.status, 0, remote.stderr);
  const shared = jsonLines<{ ref: string; branch: number }>(remote.stdout);
  assert.deepEqual(twice(shared.map(({ ref }) => ref)), []);
  const listed = new Set(shared.map(({ ref }) => ref.replace(/^team:/, "").split("@")[0] ?? ""));
  assert.deepEqual([...listed].sort(), [...ids].filter((id) => !withdrawn.has(id)).sort());
}

function twice(items: readonly string[]): string[] {
  return items.filter((item, at) => items.indexOf(item) < at);
}

/** Lets both machines use the store, with one identity. */
async function join({ machines, place }: Day): Promise<void> {
  const [first] = machines;
  const identity = `${first.root}.key`;
  for (const [at, machine] of machines.entries()) {
    Object.assign(machine.env, place.env, { REPRISE_IDENTITY: identity });
    const run = async (args: readonly string[], cwd?: string): Promise<void> => {
      const { status, stderr } = await machine.run(args, cwd);
      assert.equal(status, 0, stderr);
    };
    if (at === 0) await run(["key", "new", "--out", identity]);
    await run(["sync", "join", place.addresses[at] ?? "", ...place.login ?? []]);
    for (const [project, form] of Object.entries(DAY_PROJECTS)) {
      await run(
        ["sync", "add", "--project", project, ...form, "--yes"],
        machine.directory(project),
      );
    }
  }
  await trustEachOther(...machines.map(({ home }) => home));
}

/** @returns A line for people: what happened. */
async function spend(engine: DayEngine, seed: number): Promise<string> {
  const begun = performance.now();
  let told = "";
  await engine.withPlace(mulberry32(seed + 1000), async (place) => {
    await using laptop = new DayMachine("laptop");
    await using desktop = new DayMachine("desktop");
    const day = new Day(place, [laptop, desktop], mulberry32(seed));
    await join(day);
    for (let hour = 0; hour < HOURS; hour++) {
      day.told = [];
      try {
        await spendHour(day);
      } catch (cause) {
        throw new Error(`seed ${seed}, hour ${hour}: ${day.told.join("; ")}`, { cause });
      }
    }
    const seconds = Math.round((performance.now() - begun) / 1000);
    const sessions = laptop.logs().size + laptop.claude.length + desktop.claude.length;
    told = `${day.actions} actions, ${day.kills} kills, ${sessions} sessions, ` +
      `${day.withdrawn.size} taken back, ${seconds} s`;
  });
  return told;
}

async function spendHour(day: Day): Promise<void> {
  for (let count = 0; count < ACTIONS; count++, day.actions++) {
    const machine = day.pick(day.machines);
    const name = day.pick(WEIGHTED) ?? "";
    if (machine === undefined) continue;
    day.told.push(`${name} (${machine.label})`);
    await ACTS[name]?.act(day, machine);
  }
  await day.place.calm();
  await settle(day);
  if (day.to_withdraw.size > 0) {
    for (const id of day.to_withdraw) {
      const { status, stderr } = await day.machines[0].run(["sync", "withdraw", id]);
      // It may be done although no answer came.
      assert.ok(status === 0 || stderr.includes("Cannot find session"), stderr);
      day.to_withdraw.delete(id);
      day.withdrawn.add(id);
    }
    await day.place.calm();
    await settle(day);
  }
  await check(day);
}

for (const [name, engine] of Object.entries(DAY_ENGINES)) {
  // Slow: programs are started and killed, and all is settled and compared.
  Deno.test({
    ...needing(
      `two machines keep each other's sessions for a day through ${name}`,
      ...engine.needs,
    ),
    fn: async (test) => {
      let told = "";
      await test.step(`seed ${SEED}`, async () => {
        told = await spend(engine, SEED);
      });
      await test.step(told, () => {});
    },
  });
}
