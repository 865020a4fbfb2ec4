/** Counts what is asked of a store. */
import type { TeamStore } from "../../lib/features/team/team_store.ts";

/** A store that notes the names of its methods as they are called. */
export function countedCalls(store: TeamStore): { store: TeamStore; calls: string[] } {
  const calls: string[] = [];
  const counted = new Proxy(store, {
    get(target, name): unknown {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(value, target, given);
      };
    },
  });
  return { store: counted, calls };
}
