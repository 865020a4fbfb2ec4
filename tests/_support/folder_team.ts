/** A team's store in a folder. */
import { openFolderStore } from "../../lib/team/folder/folder_store.ts";
import { initObjects } from "../../lib/team/objects/init_objects.ts";
import { openObjectTeam } from "../../lib/team/objects/object_team_store.ts";
import type { TeamStore } from "../../lib/team/team_store.ts";

/** A folder that members share. */
export class FolderTeam {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async init(owner = "ada"): Promise<this> {
    await using objects = openFolderStore(this.folder);
    await initObjects(objects, { owner });
    return this;
  }

  /** A member's connection. */
  connect(owner = "ada"): TeamStore {
    return openObjectTeam(openFolderStore(this.folder), { owner, is_late: true });
  }

  /** A connection that can be asked at once. */
  async greeted(owner = "ada"): Promise<TeamStore> {
    const store = this.connect(owner);
    await store.hello({ id: "99999999-9999-4999-8999-999999999999", label: "reader" });
    return store;
  }
}
