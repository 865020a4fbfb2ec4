/** A team's store of objects: in a folder, or in memory. */
import { openFolderStore } from "../../lib/features/team/folder/folder_store.ts";
import { initObjects } from "../../lib/features/team/objects/init_objects.ts";
import type { ObjectStore } from "../../lib/features/team/objects/object_store.ts";
import { openObjectTeam } from "../../lib/features/team/objects/object_team_store.ts";
import type { TeamStore } from "../../lib/features/team/team_store.ts";
import { MemoryObjects } from "./memory_objects.ts";

/** Objects that members share. */
export class ObjectTeam {
  readonly #open: () => ObjectStore;

  /** @param open Opens the place. @default {one in memory} */
  constructor(open?: () => ObjectStore) {
    const objects = new MemoryObjects();
    this.#open = open ?? (() => objects);
  }

  async init(owner = "ada"): Promise<this> {
    await using objects = this.#open();
    await initObjects(objects, { owner });
    return this;
  }

  /** A member's connection. */
  connect(owner = "ada"): TeamStore {
    return openObjectTeam(this.#open(), { owner, is_late: true });
  }

  /** A connection that can be asked at once. */
  async greeted(owner = "ada"): Promise<TeamStore> {
    const store = this.connect(owner);
    await store.hello({ id: "99999999-9999-4999-8999-999999999999", label: "reader" });
    return store;
  }
}

/** A folder that members share. */
export class FolderTeam extends ObjectTeam {
  readonly folder: string;

  constructor(folder: string) {
    super(() => openFolderStore(folder));
    this.folder = folder;
  }
}
