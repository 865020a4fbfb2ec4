/** Decides which branches may go into the sessions of this machine. */
import { isSignedBy } from "../branch_signature.ts";
import type { SharedBranch } from "../team_store.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The machines that the user trusts. */
export interface Trust {
  /** The store's id. */
  store: string;
  /** The member name of this connection. */
  owner: string;
  /** The public keys of the user's machines. */
  keys: ReadonlySet<string>;
}

/** True for a branch that claims to be an exact session of the user. */
export function isOwn(trust: Pick<Trust, "owner">, branch: SharedBranch): boolean {
  const { owner, form, session } = branch;
  return owner === trust.owner && form !== "copy" && UUID.test(session);
}

/** True for a user's branch whose head a trusted machine signed. */
export function isTrusted(trust: Trust, branch: SharedBranch): boolean {
  return isOwn(trust, branch) && isSignedBy(trust.keys, branch, trust.store);
}
