import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";
import { machinesDay } from "./_machines_day.ts";

// Slow: some hundred rounds of three machines.
inDirectory.test("three machines are equal at the end of a day with kills, late and lost packs", async (root) => {
  for (let seed = 0; seed < roundsOf(16); seed++) {
    const folder = `${root}/${seed}`;
    const open = () => Promise.resolve(openFolderStore(`${folder}/place`));
    await machinesDay(folder, { open }, { seed });
  }
});
