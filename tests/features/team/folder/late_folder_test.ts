/** Two homes that keep each other's sessions through a folder which delivers badly. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { makeIdentity, recipientOf } from "../../../../lib/text/seal/mod.ts";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { openObjectTeam } from "../../../../lib/features/team/objects/object_team_store.ts";
import type { SharedForm, TeamStore } from "../../../../lib/features/team/team_store.ts";
import { CUT, cutObjects } from "../../../_support/cut_objects.ts";
import { FolderTeam } from "../../../_support/folder_team.ts";
import { LateFolders } from "../../../_support/late_folders.ts";
import { Machine } from "../../../_support/machine.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../../_support/torture.ts";

/** Runs a push or a pull; a killed one ends without a word. */
async function untilKilled(run: () => Promise<{ failed: unknown[] }>): Promise<boolean> {
  try {
    assert.deepEqual((await run()).failed, []);
    return false;
  } catch (error) {
    if (!(error instanceof SessionError) || error.message !== CUT) throw error;
    return true;
  }
}

async function keepThroughLateFolder(seed: number, form: SharedForm): Promise<number> {
  const random = mulberry32(seed);
  const identity = await makeIdentity();
  const recipients = [await recipientOf(identity)];
  const options = { identities: [identity] };
  let sessions = 0;
  await withDirectory(async (folder) => {
    const sides: { team: FolderTeam; machine: Machine }[] = [];
    for (const label of ["laptop", "desktop"]) {
      const team = new FolderTeam(join(folder, `team of ${label}`));
      Deno.mkdirSync(team.folder);
      const machine = new Machine({ folder: join(folder, label), label, form, recipients });
      sides.push({ team, machine });
    }
    const [laptop, desktop] = sides;
    assert.ok(laptop && desktop);
    await laptop.team.init();
    const late = new LateFolders([laptop.team.folder, desktop.team.folder], random);
    late.deliverAll();
    /** The longest log of each session: there is one, because only its holder goes on. */
    const longest = new Map<string, string>();
    for (let step = 0; step < 60; step++) {
      const { team, machine } = sides[Math.floor(random() * 2)] ?? laptop;
      const store = (): TeamStore => {
        if (random() < 0.6) return team.connect();
        const cut = { left: 1 + Math.floor(random() * 8), behind: random() < 0.5 };
        const objects = cutObjects(openFolderStore(team.folder), cut);
        return openObjectTeam(objects, { owner: "ada", is_late: true });
      };
      const act = random();
      if (act < 0.1) longest.set(await machine.write([`begun ${step}`]), "");
      else if (act < 0.35) {
        const held = [...longest].filter(([id, text]) => machine.log(id) === text);
        const [id] = held[Math.floor(random() * held.length)] ?? [];
        if (id !== undefined) await machine.continue(id, [`${step} ${"x".repeat(random() * 900)}`]);
      } else if (act < 0.6) await untilKilled(() => machine.push(store(), options));
      else if (act < 0.8) await untilKilled(() => machine.pull(store(), options));
      else late.deliverSome();
      for (const [id, text] of machine.logs()) {
        if (text.length > (longest.get(id)?.length ?? 0)) longest.set(id, text);
      }
    }
    for (let round = 0; round < 3; round++) {
      for (const { team, machine } of sides) {
        assert.deepEqual((await machine.push(team.connect(), options)).failed, []);
        late.deliverAll();
      }
      for (const { team, machine } of sides) {
        assert.deepEqual((await machine.pull(team.connect(), options)).failed, []);
      }
    }
    for (const [id, text] of longest) {
      for (const { machine } of sides) {
        const is = machine.log(id) === text;
        assert.ok(is, `${machine.settings.device.label} lacks bytes of ${id}, in round ${seed}`);
      }
    }
    sessions = longest.size;
  });
  return sessions;
}

// Slow: sixty steps of two homes for each form, each checked.
Deno.test("two homes keep each other's sessions byte for byte through a folder that delivers badly", async () => {
  let sessions = 0;
  // One with each form, in the usual run.
  for (let round = 0; round < (ALL_TORTURE ? 24 : 2); round++) {
    const form = round % 2 === 0 ? "log" : "sealed";
    sessions += await keepThroughLateFolder(round + 1, form);
  }
  assert.ok(sessions > 0);
});
