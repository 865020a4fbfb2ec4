/** Tells in a pipe what plans have left, whenever that changed. */
import type { AgentName } from "../lib/event/agent_name.ts";
import type { PlanOptions } from "../lib/library/plan/plan_limits.ts";
import type { Context } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";

/** Returns a function that prints the plans: as lines of JSON, or as messages. */
export async function planTeller(
  context: Context,
  { json, ...options }: PlanOptions & { json: boolean },
): Promise<() => Promise<void>> {
  const { PlanWatch } = await import("../lib/library/plan/plan_limits.ts");
  const { byLimit, planLine } = await import("../lib/render/plan_text.ts");
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  const library = contextLibrary(context);
  const plans = new PlanWatch(library, options);
  let told = "";
  return async () => {
    const windows = await plans.look();
    const now = context.now().getTime();
    const lines = json
      ? windows.map(({ agent: plan, ...facts }) => toJsonLine({ plan, ...facts }))
      : byLimit(windows).map((one) => planLine(one, library.titleOf(one.agent as AgentName), now));
    const text = lines.join("\n");
    if (text === told) return;
    told = text;
    for (const line of lines) {
      if (json) context.stdout.write(line);
      else await say(context, line);
    }
  };
}
