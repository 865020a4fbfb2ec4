/** Ids of calls that all providers take, each of them once in a conversation. */

/** OpenAI refuses longer ids of calls; the other providers' limits are greater. */
const ID_LENGTH = 40;

/**
 * Gives out ids of calls that providers take, no one twice. An id that they take stays as it is the
 * first time; ids that come later do not change those before, so that a prompt cache stays valid.
 */
export function callIds(before?: ReadonlyMap<string, number>): CallIds {
  /** Given ids, each with the number to try next when it is asked for again. */
  const given = new Map(before);
  const unique = (id: string): string => {
    const base = plainName(id, ID_LENGTH) || "call";
    let free = base;
    let number = given.get(base) ?? 2;
    while (given.has(free)) free = numbered(base, number++);
    given.set(base, number);
    if (free !== base) given.set(free, 2);
    return free;
  };
  return { unique, copy: () => callIds(given) };
}

/** Gives out ids of calls. */
export interface CallIds {
  /** Returns an id that no call before has. */
  unique(id: string): string;
  /** Makes one that goes on from here by itself. */
  copy(): CallIds;
}

function numbered(base: string, number: number): string {
  const suffix = `_${number}`;
  return base.slice(0, ID_LENGTH - suffix.length) + suffix;
}

/** Returns a name of the characters that all providers take. */
export function plainName(name: string, length: number): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, length);
}
