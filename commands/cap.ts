/** `reprise cap` */
import { projectOf } from "../lib/workspace/project.ts";
import {
  type Cap,
  CAP_SCOPES,
  type CapScope,
  isSameCap,
  readCaps,
  writeCaps,
} from "../lib/workspace/caps_file.ts";
import { counted } from "../lib/event/counted.ts";
import { present } from "../lib/event/present.ts";
import { loadPrices } from "../lib/library/usage/load_prices.ts";
import { checkCaps } from "./cap/check.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { printJsonLines, say } from "./_message.ts";
import { InvalidArgument } from "./_values.ts";

const SCOPE_FLAGS = {
  "--session": { help: "for each session", conflicts: ["day", "project"] },
  "--day": { help: "for all sessions of a day, of all agents", conflicts: ["session", "project"] },
  "--project": {
    help: "for the sessions of this project, from now on",
    conflicts: ["session", "day"],
  },
} as const;

export const capCommand = defineCommand({
  description: "Set the most that sessions may cost, in US dollars. Claude Code warns you at\n" +
    "80 %, and stops at the next call of a tool above the cap. Costs are estimated\n" +
    "from list prices. An answer whose price is unknown counts as $0, and never stops.\n" +
    "Without an amount, the command lists the caps.",
  arguments: [["[dollars]", { help: "the cap in US dollars, such as 15", parse: parseDollars }]],
  flags: { ...SCOPE_FLAGS, "--json": "print each cap as one line of JSON" },
  commands: {
    lift: defineCommand({
      summary: "remove caps",
      description: "Remove all caps, or only those of one kind.",
      flags: SCOPE_FLAGS,
      examples: ["reprise cap lift", "reprise cap lift --session"],
      run: (context, flags) => lift(context, scopeIn(flags)),
    }),
    check: defineCommand({
      summary: "check the caps, as a hook of Claude Code",
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
  notes: "\nThe caps are in caps.json in the data folder. Claude Code checks them once\n" +
    "reprise setup has installed the hook.\n",
  examples: ["reprise cap 15 --session", "reprise cap 40 --day", "reprise cap"],
  run: async (context, usd, { json, ...flags }) => {
    const scope = scopeIn(flags);
    if (usd === undefined && scope === undefined) return await list(context, json ?? false);
    if (usd === undefined) {
      throw new UsageError(`Give the cap in US dollars: reprise cap 15 --${scope}`);
    }
    if (scope === undefined) {
      throw new UsageError(
        `Say what the cap is for: ${CAP_SCOPES.map((one) => `--${one}`).join(", ")}`,
      );
    }
    await set(context, scope, usd);
  },
});

function scopeIn(flags: Partial<Record<CapScope, true>>): CapScope | undefined {
  return CAP_SCOPES.find((scope) => flags[scope]);
}

/** Reads an amount such as `15`, `$15` or `0.50`. */
function parseDollars(text: string): number {
  const amount = /^\$?(\d+(?:\.\d+)?|\.\d+)$/.exec(text)?.[1];
  const usd = Number(amount);
  if (amount !== undefined && usd >= 0.01 && usd <= 1e9) return usd;
  throw new InvalidArgument("Give an amount in US dollars above 0, such as 15 or 0.50.");
}

function placeOf({ cwd }: Context, scope: CapScope): Pick<Cap, "scope" | "project"> {
  return scope === "project" ? { scope, project: projectOf(cwd) } : { scope };
}

async function set(context: Context, scope: CapScope, usd: number): Promise<void> {
  const { root } = contextLibrary(context);
  const cap: Cap = { ...placeOf(context, scope), usd, set_at: context.now().toISOString() };
  writeCaps(root, [...readCaps(root).filter((one) => !isSameCap(one, cap)), cap]);
  const { capName, dollars } = await import("../lib/render/cap_text.ts");
  await say(context, `Cap set: ${dollars(usd)} for ${capName(cap)}`);
  await say(context, "Claude Code checks caps once reprise setup has installed the hook");
}

async function lift(context: Context, scope: CapScope | undefined): Promise<void> {
  const { root } = contextLibrary(context);
  const caps = readCaps(root);
  const lifted = scope === undefined
    ? caps
    : caps.filter((cap) => isSameCap(cap, placeOf(context, scope)));
  if (lifted.length === 0) return await say(context, "No cap is set");
  writeCaps(root, caps.filter((cap) => !lifted.includes(cap)));
  await say(context, `Lifted ${counted(lifted.length, "cap")}`);
}

async function list(context: Context, json: boolean): Promise<void> {
  const library = contextLibrary(context);
  const caps = readCaps(library.root);
  if (caps.length === 0 && !json) {
    return await say(context, "No cap is set. To set one: reprise cap 15 --session");
  }
  const { spentUnder } = await import("../lib/library/caps/spent_under.ts");
  const { capName, dollars } = await import("../lib/render/cap_text.ts");
  const { formatCost } = await import("../lib/render/usage_text.ts");
  const { estimate } = await loadPrices({ root: library.root });
  const rows = [];
  for (const cap of caps) {
    const at = { session: undefined, estimate, now: context.now() };
    const spent = cap.scope === "session" ? undefined : await spentUnder(library, cap, at);
    rows.push({ cap, spent });
  }
  if (json) {
    return await printJsonLines(
      context,
      rows.map(({ cap, spent }) => present({ ...cap, ...spent })),
    );
  }
  for (const { cap, spent } of rows) {
    const so_far = spent === undefined ? "" : `, ${formatCost(spent) || "$0.00"} so far`;
    context.stdout.write(`${dollars(cap.usd)} for ${capName(cap)}${so_far}\n`);
  }
}
