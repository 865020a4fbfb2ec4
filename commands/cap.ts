/** `reprise cap` */
import { projectOf } from "../lib/core/workspace/project.ts";
import { type Cap, CAP_SCOPES, readCaps, writeCaps } from "../lib/core/workspace/caps_file.ts";
import { counted } from "../lib/core/event/counted.ts";
import { present } from "../lib/core/event/present.ts";
import { loadPrices } from "../lib/library/counts/usage/load_prices.ts";
import { checkCaps } from "./cap/check.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { printJsonLines, say } from "./_message.ts";
import { InvalidArgument } from "./_values.ts";

const SCOPE_FLAGS = {
  "--session": { help: "limit the cost of each session", conflicts: ["day", "project"] },
  "--day": {
    help: "limit the total cost of one day, for all sessions of all agents",
    conflicts: ["session", "project"],
  },
  "--project": {
    help: "limit the total cost of this project's sessions, counted from now on",
    conflicts: ["session", "day"],
  },
} as const;

export const capCommand = defineCommand({
  description: "Set a limit on the cost of sessions, in US dollars. Claude Code warns you at\n" +
    "80 % of the cap. Above the cap, it stops at its next tool call. Costs are\n" +
    "estimated from list prices. An answer whose price is unknown counts as $0.\n" +
    "Without an amount, the command lists the limits (caps).",
  arguments: [["[dollars]", {
    help: "the limit (cap) in US dollars, such as 15",
    parse: parseDollars,
  }]],
  flags: { ...SCOPE_FLAGS, "--json": "print each limit (cap) as one line of JSON" },
  commands: {
    lift: defineCommand({
      summary: "remove cost limits (caps)",
      description: "Remove all cost limits (caps), or only the caps of one kind.",
      flags: SCOPE_FLAGS,
      examples: ["reprise cap lift", "reprise cap lift --session"],
      run: (context, flags) => lift(context, placeIn(context, flags)),
    }),
    check: defineCommand({
      summary: "refuse tool calls above a cost limit, when Claude Code runs this as its hook",
      description:
        "Claude Code runs this command before each call of a tool, once reprise setup has\n" +
        "installed it as a hook. It reads the hook's JSON on standard input, and prints a\n" +
        "warning, an order to stop, or nothing. It never fails.",
      examples: [
        "reprise cap check < hook.json",
        `echo '{"transcript_path": "session.jsonl"}' | reprise cap check`,
      ],
      run: checkCaps,
    }),
  },
  notes: "\nThe limits (caps) are in caps.json in the data folder. Claude Code stops at them\n" +
    "only if Reprise's hook is installed. To install the hook: reprise setup.\n",
  examples: ["reprise cap 15 --session", "reprise cap 40 --day", "reprise cap"],
  run: async (context, usd, { json = false, ...flags }) => {
    const place = placeIn(context, flags);
    if (usd !== undefined && place !== undefined) return await set(context, place, usd);
    if (usd !== undefined) {
      throw new UsageError("Choose what the limit applies to: --session, --day or --project");
    }
    if (place === undefined) return await list(context, json);
    throw new UsageError(`Give the limit in US dollars: reprise cap 15 --${place.scope}`);
  },
});

/** The scope and the project that a cap applies to. Each pair has at most one cap. */
type CapPlace = Pick<Cap, "scope" | "project">;

function placeIn(
  { cwd }: Context,
  flags: Partial<Record<Cap["scope"], true>>,
): CapPlace | undefined {
  const scope = CAP_SCOPES.find((one) => flags[one]);
  return scope && present({ scope, project: scope === "project" ? projectOf(cwd) : undefined });
}

function isAt(cap: Cap, place: CapPlace): boolean {
  return cap.scope === place.scope && cap.project === place.project;
}

/** Parses an amount in US dollars, such as `15`, `$15` or `0.50`. */
function parseDollars(text: string): number {
  const usd = Number(/^\$?(\d+(?:\.\d+)?|\.\d+)$/.exec(text)?.[1]);
  if (usd >= 0.01 && usd <= 1e9) return usd;
  throw new InvalidArgument("Give an amount in US dollars above 0, such as 15 or 0.50.");
}

async function set(context: Context, place: CapPlace, usd: number): Promise<void> {
  const { root } = contextLibrary(context);
  const cap: Cap = { ...place, usd, set_at: context.now().toISOString() };
  writeCaps(root, [...readCaps(root).filter((one) => !isAt(one, place)), cap]);
  const { capName, dollars } = await import("../lib/text/render/cap_text.ts");
  await say(context, `Cap set: ${dollars(usd)} for ${capName(cap)}`);
  await say(
    context,
    "Claude Code stops at this limit only if Reprise's hook is installed. To install it: " +
      "reprise setup",
  );
}

async function lift(context: Context, place: CapPlace | undefined): Promise<void> {
  const { root } = contextLibrary(context);
  const caps = readCaps(root);
  const left = caps.filter((cap) => place !== undefined && !isAt(cap, place));
  if (left.length === caps.length) return await say(context, "No cap on costs is set");
  writeCaps(root, left);
  await say(context, `Lifted ${counted(caps.length - left.length, "cap")}`);
}

/** Prints the caps. Without `json`, each line shows the cost so far, except for session caps. */
async function list(context: Context, json: boolean): Promise<void> {
  const library = contextLibrary(context);
  const caps = readCaps(library.root);
  if (caps.length === 0) {
    await say(context, "No cap on costs is set. To set one: reprise cap 15 --session");
  }
  const { spentUnder } = await import("../lib/library/limits/caps/spent_under.ts");
  const { capName, dollars } = await import("../lib/text/render/cap_text.ts");
  const { formatCost } = await import("../lib/text/render/usage_text.ts");
  const { estimate } = await loadPrices({ root: library.root });
  for (const cap of caps) {
    const spent = await spentUnder(library, cap, { estimate, now: context.now() });
    const so_far = cap.scope === "session" ? "" : `, ${formatCost(spent) || "$0.00"} so far`;
    if (json) await printJsonLines(context, [{ ...cap, ...spent }]);
    else context.stdout.write(`${dollars(cap.usd)} for ${capName(cap)}${so_far}\n`);
  }
}
