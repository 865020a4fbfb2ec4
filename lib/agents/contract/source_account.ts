/**
 * Accounts for every byte or row of a source. Each count also adds to the total, so the parts add
 * up by construction. Tests check that the total is the size of the file.
 */
import type { ByteTally } from "../../core/log/diagnostic.ts";
import type { SourceAccount } from "./agent.ts";

export function emptyAccount(unit: SourceAccount["unit"] = "bytes"): SourceAccount {
  return { unit, total: 0, events: 0, side: {}, dead: 0, damage: 0, blank: 0 };
}

export function count(
  account: SourceAccount | undefined,
  what: "events" | "dead" | "damage" | "blank",
  amount: number,
): void {
  if (account === undefined) return;
  account[what] += amount;
  account.total += amount;
}

export function countTally(account: SourceAccount | undefined, tally: ByteTally): void {
  count(account, "events", tally.events);
  count(account, "damage", tally.damage);
  count(account, "blank", tally.blank);
}

export function countSide(
  account: SourceAccount | undefined,
  type: string,
  amount: number,
): void {
  if (account === undefined) return;
  // Not by plain assignment: a type `__proto__` must be a name like any other.
  const before = Object.hasOwn(account.side, type) ? account.side[type] ?? 0 : 0;
  const cell = { value: before + amount, enumerable: true, writable: true, configurable: true };
  Object.defineProperty(account.side, type, cell);
  account.total += amount;
}
