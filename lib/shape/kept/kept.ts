/**
 * Keeps what a provider's message has and our parts have no field for. It stands in `provider_data`,
 * names the shape that it came in, and goes back to that shape alone.
 *
 * @module
 */
import { isObject } from "../../event/guard.ts";
import { present } from "../../event/present.ts";

/** Changes that make a value of a shape out of what our fields give. */
export interface Amendment {
  /** Members to set, objects within objects; items of a list by their places. */
  rest?: Record<string, unknown>;
  /** JSON Pointers of members to remove. */
  without?: string[];
}

/** The form of `provider_data` on what came in a provider's shape. */
export interface KeptData extends Amendment {
  /** Name of the shape, as `toMessages` takes it. */
  shape: string;
  /** The spelling of the value, where the shape has more than one for the same content. */
  form?: string;
  /** The name of the tool that a result has, where its call has another. */
  name?: string;
  /** Belongs to the same message, or item, of the shape as what comes before it. */
  joins?: true;
  /** Instructions that stand apart from the messages. */
  apart?: true;
  /** Number of things after it in the conversation that came before it. */
  later?: number;
  /** Makes the message of the shape that begins with it. */
  message?: Amendment;
}

/** Returns what a shape has kept in `provider_data`; undefined where it kept nothing. */
export function keptOf(provider_data: unknown, shape: string): KeptData | undefined {
  if (!isObject(provider_data) || provider_data.shape !== shape) return undefined;
  return provider_data as unknown as KeptData;
}

/** Returns what makes `original` of `usual`; nothing where they are the same. */
export function amendment(usual: object, original: object): Amendment {
  const without: string[] = [];
  const rest = difference(usual, original, "", without);
  return present({ rest, ...(without.length === 0 ? {} : { without }) });
}

function difference(
  usual: object,
  original: object,
  place: string,
  without: string[],
): Record<string, unknown> | undefined {
  const before = new Map<string, unknown>(Object.entries(usual));
  const set: [string, unknown][] = [];
  for (const [name, value] of Object.entries(original)) {
    const known = before.get(name);
    const at = `${place}/${escaped(name)}`;
    if (!before.delete(name)) set.push([name, value]);
    else if (isAlike(known, value)) {
      const inner = difference(known as object, value as object, at, without);
      if (inner !== undefined) set.push([name, inner]);
    } else if (!isSameJson(known, value)) {
      // A list that becomes an object is removed first: else the object would be read as items to set.
      if (Array.isArray(known) && isObject(value)) without.push(at);
      set.push([name, value]);
    }
  }
  for (const name of before.keys()) without.push(`${place}/${escaped(name)}`);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

/** True if two JSON values are the same, in whatever order their members are. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return Object.is(one, other);
  }
  const members = Object.entries(one);
  return Array.isArray(one) === Array.isArray(other) &&
    members.length === Object.keys(other).length &&
    members.every(([name, value]) =>
      Object.hasOwn(other, name) && isSameJson(value, (other as Record<string, unknown>)[name])
    );
}

/** True for two objects, and for two lists of one length: only their members can differ. */
function isAlike(known: unknown, value: unknown): boolean {
  if (Array.isArray(known)) return Array.isArray(value) && known.length === value.length;
  return isObject(known) && isObject(value);
}

/** Returns the value that an amendment was made of. */
export function amended(usual: object, { rest, without = [] }: Amendment): Record<string, unknown> {
  if (rest === undefined && without.length === 0) return usual as Record<string, unknown>;
  return changed(usual, rest ?? {}, "", new Set(without)) as Record<string, unknown>;
}

function changed(
  usual: object,
  rest: Readonly<Record<string, unknown>>,
  place: string,
  without: ReadonlySet<string>,
): unknown {
  const members = new Map<string, unknown>();
  for (const [name, value] of Object.entries(usual)) {
    const at = `${place}/${escaped(name)}`;
    if (without.has(at)) continue;
    members.set(name, isNested(value) ? changed(value, {}, at, without) : value);
  }
  for (const [name, value] of Object.entries(rest)) {
    const known = members.get(name);
    const inner = isNested(known) && isObject(value);
    members.set(name, inner ? changed(known, value, "\0", without) : value);
  }
  if (Array.isArray(usual)) return [...members.values()];
  // Not by assignment: a member `__proto__` must stay a member.
  return Object.fromEntries(members);
}

function isNested(value: unknown): value is object {
  return isObject(value) || Array.isArray(value);
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
