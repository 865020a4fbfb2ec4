/** Decides which branches may go into the sessions of this machine. */
import { isSignedBy } from "../branch_signature.ts";
import type { SyncSettings } from "../shared_project.ts";
import { knownDeviceKey } from "../state/device_key_file.ts";
import type { SharedBranch } from "../team_store.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What is known of the store, and of what the user agreed to. */
export interface TrustMeans {
  /** The data root. */
  root: string;
  /** The store's id. */
  store: string;
  /** The name under which this connection reads. */
  owner: string;
  settings: Pick<SyncSettings, "trusted">;
  /** The head of a branch that the user accepted. */
  accept?: string;
}

/** The keys of the user's machines, and a branch that the user accepted. */
export class Trust {
  readonly #means: TrustMeans;
  readonly #keys: ReadonlySet<string>;

  constructor(means: TrustMeans) {
    this.#means = means;
    const own = knownDeviceKey(means.root)?.id ?? [];
    this.#keys = new Set([own, means.settings.trusted ?? []].flat());
  }

  /** True for a branch that claims to be a session of the user, and exact. */
  isOwn({ owner, form, session }: SharedBranch): boolean {
    return owner === this.#means.owner && form !== "copy" && UUID.test(session);
  }

  /** True for one that a trusted machine signed as it ends, or that the user accepted as it ends. */
  takes(branch: SharedBranch): boolean {
    const { accept, store } = this.#means;
    return this.isOwn(branch) && (branch.head === accept || isSignedBy(this.#keys, branch, store));
  }
}
