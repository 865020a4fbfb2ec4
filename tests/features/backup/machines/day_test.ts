/** A day of three machines: pushes that are cut off, and packs that come late or are lost. */
import assert from "node:assert/strict";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { type Cut, cutObjects, UNCUT } from "../../../_support/cut_objects.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";
import { PairedMachine, turn } from "./_paired_machine.ts";

const SESSIONS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

function idOf(machine: number, session: number): string {
  return `0199a000-${machine}${session}11-4222-8333-444455556666`;
}

/** Syncs once. The connection may end at a request, as when the process is killed there. */
async function sync(machine: PairedMachine, cut: Cut = UNCUT): Promise<void> {
  machine.open = () => Promise.resolve(cutObjects(openFolderStore(machine.place), cut));
  try {
    await machine.sync();
  } catch (error) {
    assert.equal((error as { code?: string }).code, "unreachable", String(error));
  }
}

// Slow: some hundred rounds of three machines.
inDirectory.test("three machines are equal at the end of a day with kills, late and lost packs", async (root) => {
  for (let seed = 0; seed < roundsOf(16); seed++) {
    const folder = `${root}/${seed}`;
    const random = mulberry32(seed);
    const upTo = (most: number) => Math.floor(random() * most);
    const machines = ["a", "b", "c"].map((name) => new PairedMachine(folder, name));
    const said = new Map<string, string>();
    const late: { path: string; bytes: Uint8Array }[] = [];
    for (let step = 0; step < 40; step++) {
      const number = upTo(machines.length);
      const machine = machines[number];
      assert.ok(machine !== undefined);
      const packs = machine.packs();
      const pack = packs[upTo(packs.length)];
      switch (upTo(8)) {
        case 0:
        case 1:
        case 2: {
          const id = idOf(number, upTo(SESSIONS));
          machine.say(step, `step ${step}`, id);
          said.set(id, (said.get(id) ?? "") + turn("DIR", step, `step ${step}`, id));
          break;
        }
        case 3:
          // Lost, or half of it until it arrives.
          if (pack === undefined) break;
          if (random() < 0.5) late.push({ path: pack, bytes: Deno.readFileSync(pack) });
          if (random() < 0.5) Deno.removeSync(pack);
          else Deno.truncateSync(pack, upTo(Deno.statSync(pack).size));
          break;
        case 4: {
          const arrived = late.pop();
          if (arrived !== undefined) Deno.writeFileSync(arrived.path, arrived.bytes);
          break;
        }
        default:
          await sync(machine, { left: 1 + upTo(8), behind: random() < 0.5 });
      }
    }
    for (const machine of machines) {
      // A torn pack that stays torn is lost.
      for (const path of machine.packs()) {
        if (random() < 0.1) Deno.removeSync(path);
      }
    }
    for (let day = 1; day <= 3; day++) {
      for (const machine of [...machines, ...machines]) {
        machine.now = new Date(Date.now() + day * DAY_MS);
        if (day === 1) { for (const path of machine.packs()) Deno.removeSync(path); }
        await sync(machine);
      }
    }
    for (const machine of machines) {
      const rows = await machine.library.sessions({});
      assert.equal(rows.length, said.size, `seed ${seed}`);
      for (const { id, path } of rows) {
        const text = Deno.readTextFileSync(path)
          .replaceAll(/"cwd":"[^"]*"/g, '"cwd":"DIR"');
        assert.equal(text, said.get(id), `seed ${seed}, ${machine.name}`);
      }
    }
  }
});
