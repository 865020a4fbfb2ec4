/**
 * Preserves data of a provider's message for which the parts of this library have no field. The
 * data is in `provider_data`, with the name of its shape. Only the same shape gets the data back.
 *
 * @module
 */
import { isObject } from "../../../core/event/guard.ts";
import type { Part } from "../../../core/event/message.ts";
import { present } from "../../../core/event/present.ts";
import { isBlank } from "../usual/blank_text.ts";

/** Changes that turn a value made from a part's fields into the provider's original value. */
export interface Amendment {
  /** Members to set, nested as in the value made from the part. List items are keyed by index. */
  rest?: Record<string, unknown>;
  /** JSON Pointers of members to remove. */
  without?: string[];
}

/** The `provider_data` of messages and parts that were converted from a provider's shape. */
export interface KeptData extends Amendment {
  /** Name of the shape, as `toMessages` takes it. */
  shape: string;
  /**
   * Name of the variant in which the original was written, if the shape allows several variants.
   */
  form?: string;
  /** The tool's name in a result, if its call has another name. */
  name?: string;
  /** True if this piece continues the message or item of the previous piece. */
  joins?: true;
  /** True for instructions in their own member of the request, not among the messages. */
  apart?: true;
  /** Number of pieces that follow this piece here, but preceded it in the original messages. */
  later?: number;
  /** Changes to the whole message. Only the first piece of a message has them. */
  message?: Amendment;
}

export function keptOf(provider_data: unknown, shape: string): KeptData | undefined {
  if (!isObject(provider_data) || provider_data.shape !== shape) return undefined;
  return provider_data as unknown as KeptData;
}

/** True for an empty or blank text part, unless the part preserves a provider's block. */
export function isBlankText(part: Part): boolean {
  if (part.type !== "text" || !isBlank(part.text)) return false;
  return (part.provider_data as KeptData | undefined)?.rest === undefined;
}

/** Returns the changes that turn `usual` into `original`. Empty if they are equal. */
export function amendment(usual: object, original: object): Amendment {
  const without: string[] = [];
  const rest = difference(usual, original, "", without);
  return present({ rest, without: without.length === 0 ? undefined : without });
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
      // A list that becomes an object is removed first, or else the object would be read as items
      // to set.
      if (Array.isArray(known) && isObject(value)) without.push(at);
      set.push([name, value]);
    }
  }
  for (const name of before.keys()) without.push(`${place}/${escaped(name)}`);
  return set.length === 0 ? undefined : Object.fromEntries(set);
}

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

/** True for two objects or two lists of equal length, which are then compared by member. */
function isAlike(known: unknown, value: unknown): boolean {
  if (Array.isArray(known)) return Array.isArray(value) && known.length === value.length;
  return isObject(known) && isObject(value);
}

/** Reverses {@linkcode amendment}: applies the changes to `usual`, and returns the original. */
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
