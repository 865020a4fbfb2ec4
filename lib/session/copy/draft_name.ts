/**
 * Names of folders that are not in place yet, or no longer. Lists ignore them, and `doctor` knows
 * them.
 */

const DRAFT = ".tmp";
/** What is about to be removed: it was a draft before. */
const GONE = `.gone${DRAFT}`;

/** The name under which something is written. */
export function draftName(name: string): string {
  return name + DRAFT;
}

/** The name under which a draft is removed; of one whose removal was stopped, the same again. */
export function goneName(draft: string): string {
  return draft.endsWith(DRAFT + GONE) ? draft : draft + GONE;
}

/** Whether a name is that of a draft, be it on its way in or out. */
export function isDraftName(name: string): boolean {
  return name.endsWith(DRAFT);
}

/** The name that a draft was to have. */
export function finalName(draft: string): string {
  const name = draft.endsWith(DRAFT + GONE) ? draft.slice(0, -GONE.length) : draft;
  return isDraftName(name) ? name.slice(0, -DRAFT.length) : name;
}
