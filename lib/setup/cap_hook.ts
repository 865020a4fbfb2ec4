/** The hook that checks caps before each call of an agent's tool, as an item of a setup. */
import { AGENT_NAMES } from "../event/agent_name.ts";
import { descriptorOf } from "../library/registry.ts";
import { firstSet, hasTraces } from "../source/agent_roots.ts";
import type { EntryItem, SetupFacts } from "./setup_item.ts";

/** Returns the hook of each agent that is found and has such hooks. @param cap_check A shell's line. */
export function capHookItems(
  { environment, isProgram }: Pick<SetupFacts, "environment" | "isProgram">,
  cap_check: string,
): EntryItem[] {
  return AGENT_NAMES.map(descriptorOf).flatMap((descriptor) => {
    const { setup, title } = descriptor;
    const place = setup?.call_hook;
    if (setup === undefined || place === undefined) return [];
    if (!isProgram(setup.program) && !hasTraces(descriptor, environment)) return [];
    return [{
      ...{ kind: "entry", what: `the check of caps in ${title}`, format: "json" } as const,
      ...{ path: firstSet(place.path, environment)[0] ?? "", keys: place.keys },
      entry: place.entry(cap_check),
      // The program may have moved.
      isOurs: (entry) => /\breprise\b[^]*\bcap check\\?["']/.test(entry),
    }];
  });
}
