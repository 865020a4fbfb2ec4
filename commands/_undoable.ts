/** Lists what can be undone or restored, each with its command line. */
import type { Context } from "./_context.ts";
import { contextStore } from "./_store.ts";

/** A command line without the program's name, and what it does. */
type Choice = readonly [line: string, about: string];

/** Maximum number of listed trash entries, and of listed hand-overs. */
const MOST = 5;

const OTHERS = {
  undo: [
    [
      "archive --undo REF",
      "show an archived session in lists again (see: reprise list --archived)",
    ],
    ["files REF --undo", "undo the last restore of a session's files"],
    ["repair REF --in-place --undo", "undo a repair"],
    ["secrets REF --scrub --undo", "restore the secrets that `secrets --scrub` replaced"],
    ["sync withdraw REF", "delete a shared session from the store"],
    ["setup --remove", "remove what setup installed"],
  ],
  restore: [
    ["backup restore REF", "restore a session from its backup (see: reprise backup list)"],
    ["files REF --restore", "restore files that a session changed"],
  ],
  "trash restore": [],
  "handover --undo": [],
} as const satisfies Readonly<Record<string, readonly Choice[]>>;

export async function undoChoices(context: Context, what: keyof typeof OTHERS): Promise<string> {
  const choices: readonly Choice[] = [
    ...what === "handover --undo" ? [] : await trashed(context),
    ...what.includes("undo") ? await handedOver(context) : [],
    ...OTHERS[what],
  ];
  const verb = what.includes("undo") ? "undo" : "restore";
  if (choices.length === 0) return `Nothing to ${verb}`;
  // Two columns would break on a terminal of 80 columns.
  const lines = choices.map(([line, about]) => `  reprise ${line}\n      ${about}`);
  return `Say what to ${verb}:\n${lines.join("\n")}`;
}

async function trashed(context: Context): Promise<Choice[]> {
  const { cutText } = await import("../lib/text/render/text_width.ts");
  return contextStore(context).trash().slice(0, MOST).map((
    { session_id, title },
  ) => [
    `trash restore ${session_id.slice(0, 8)}`,
    `restore ${cutText(title.replace(/\s+/g, " "), 30)}`,
  ]);
}

async function handedOver(context: Context): Promise<Choice[]> {
  const { readHandovers } = await import("../lib/features/handover/handover_record.ts");
  const records = readHandovers(contextStore(context).root).reverse().slice(0, MOST);
  return records.map((
    { agent, id, source },
  ) => [
    `handover --undo ${agent}:${id.slice(0, 13)}`,
    `remove the copy of ${source.ref.slice(0, 20)}`,
  ]);
}
