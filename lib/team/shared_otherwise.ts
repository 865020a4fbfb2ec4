/** Tells which sessions are shared under other terms already, without asking the store. */
import { hasTerms, type SessionToShare, termsOf } from "./sessions_to_share.ts";
import { knownStates } from "./state/sync_state.ts";

/**
 * Finds sessions that this machine shared under other terms before. They stay as they are in the store,
 * until a push replaces them.
 *
 * @param root The data root. @param shares Sessions with the terms of their projects.
 * @returns Their ids.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sharedOtherwise } from "@reprise/reprise/team";
 *
 * assert.deepEqual(sharedOtherwise("/no/such/root", []), []);
 * ```
 */
export function sharedOtherwise(root: string, shares: readonly SessionToShare[]): string[] {
  const known = knownStates(root).map(({ sessions }) => new Map(Object.entries(sessions)));
  return shares.filter((share) =>
    known.some((sessions) => {
      const one = sessions.get(share.id);
      if (one === undefined || one.withdrawn) return false;
      const { project, form, visible = "team", shared_as } = one;
      return shared_as !== undefined || !hasTerms({ project, form, visible }, termsOf(share));
    })
  ).map(({ id }) => id);
}
