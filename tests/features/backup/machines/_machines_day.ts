/**
 * A day of three machines in any kind of place: connections that end in the middle of a sync, and
 * packs that come late, are cut or lost. A session is deleted at its end.
 */
import assert from "node:assert/strict";
import { machinePrefix } from "../../../../lib/features/team/objects/object_keys.ts";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { type Cut, cutObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import { PairedMachine, turn } from "./_paired_machine.ts";

/** A place, and the name of its user there. */
export interface DayPlace {
  open(): Promise<ObjectStore>;
  owner?: string;
}

const SESSIONS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_BYTES = 1024 * 1024;

function idOf(machine: number, session: number): string {
  return `0199a000-${machine}${session}11-4222-8333-444455556666`;
}

/** Runs a day, and holds that all machines have the same sessions at its end. */
export async function machinesDay(
  folder: string,
  { open, owner = "me" }: DayPlace,
  { seed, steps = 40 }: { seed: number; steps?: number },
): Promise<void> {
  const random = mulberry32(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const machines = ["a", "b", "c"].map((name) => new PairedMachine(folder, name));
  for (const machine of machines) machine.owner = owner;
  await using place = await open();
  const packsOf = async ({ device }: PairedMachine): Promise<string[]> => {
    const keys: string[] = [];
    for await (const page of place.list(machinePrefix(owner))) {
      for (const { key } of page) if (key.includes(device)) keys.push(key);
    }
    return keys.sort();
  };
  /** Syncs once. The connection may end at a request, as when the process is killed there. */
  const sync = async (machine: PairedMachine, cut: Cut = UNCUT): Promise<void> => {
    machine.open = async () => cutObjects(await open(), cut);
    try {
      await machine.sync();
    } catch (error) {
      assert.equal((error as { code?: string }).code, "unreachable", String(error));
    }
  };

  const said = new Map<string, string>();
  const late: { key: string; bytes: Uint8Array }[] = [];
  for (let step = 0; step < steps; step++) {
    const number = upTo(machines.length);
    const machine = machines[number] as PairedMachine;
    switch (upTo(8)) {
      case 0:
      case 1:
      case 2: {
        const id = idOf(number, upTo(SESSIONS));
        machine.say(step, `step ${step}`, id);
        said.set(id, (said.get(id) ?? "") + turn("DIR", step, `step ${step}`, id));
        break;
      }
      case 3: {
        // Lost, or half of it until it arrives.
        const packs = await packsOf(machine);
        const key = packs[upTo(packs.length)];
        const bytes = key === undefined ? undefined : (await place.get(key, MOST_BYTES))?.bytes;
        if (key === undefined || bytes === undefined) break;
        if (random() < 0.5) late.push({ key, bytes });
        if (random() < 0.5) await place.delete(key);
        else await place.put(key, bytes.subarray(0, upTo(bytes.length)));
        break;
      }
      case 4: {
        const arrived = late.pop();
        if (arrived !== undefined) await place.put(arrived.key, arrived.bytes);
        break;
      }
      default:
        await sync(machine, { left: 1 + upTo(8), behind: random() < 0.5 });
    }
  }
  const deleted = [...said.keys()].sort()[0] ?? "";
  const at = Number(deleted.split("-")[1]?.[0]);
  Deno.removeSync((machines[at] as PairedMachine).session(deleted));
  said.delete(deleted);
  for (let day = 1; day <= 3; day++) {
    for (const machine of [...machines, ...machines]) {
      machine.now = new Date(Date.now() + day * DAY_MS);
      // All that one of them sent is lost.
      if (day === 1) { for (const key of await packsOf(machine)) await place.delete(key); }
      await sync(machine);
    }
  }
  for (const machine of machines) {
    const rows = await machine.library.sessions({});
    assert.deepEqual(rows.map(({ id }) => id).sort(), [...said.keys()].sort(), `seed ${seed}`);
    for (const { id, path } of rows) {
      const text = Deno.readTextFileSync(path).replaceAll(/"cwd":"[^"]*"/g, '"cwd":"DIR"');
      assert.equal(text, said.get(id), `seed ${seed}, ${machine.name}`);
    }
  }
}
