/** Suggests the correct command line if a word is not a command. */
import { quoteWord } from "../lib/core/platform/shell_word.ts";
import { AGENT_NAMES } from "../lib/core/event/agent_name.ts";
import { nearestWord } from "../lib/core/workspace/nearest_word.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { SUMMARIES } from "./_program_help.ts";

const INSTEAD: Readonly<Record<string, string>> = {
  ...{ verify: "doctor REF", prune: "delete --older-than 30d", skill: "setup --print-skill" },
  ...{ ls: "list", sessions: "list", agents: "list --agents", trashed: "trash list" },
  ...{ history: "list", prompts: "search --role user", last: "show", latest: "show" },
  ...{ errors: "list --failed", failed: "list --failed", handoff: "handover REF --to AGENT" },
  ...{ find: "search WORDS", grep: "search WORDS", query: "search WORDS" },
  ...{ cat: "show REF", read: "show REF", view: "show REF", less: "show REF", log: "show REF" },
  ...{
    continue: "resume REF",
    convert: "handover REF --to AGENT",
    move: "handover REF --to AGENT",
  },
  ...{ branch: "fork REF", copy: "fork REF", web: "open", browse: "open", ui: "open" },
  ...{ cost: "stats", costs: "stats", usage: "stats", tokens: "stats", status: "watch --once" },
  ...{ push: "sync push", pull: "sync pull", share: "export REF", save: "backup REF" },
  ...{
    rm: "delete REF",
    remove: "delete REF",
    undelete: "trash restore REF",
    mv: "relink OLD NEW",
  },
  ...{ title: "rename REF TITLE", unarchive: "archive --undo REF", fix: "repair REF" },
  ...{
    install: "setup",
    init: "setup",
    settings: "config list",
    set: "config set",
    check: "doctor",
  },
};

/** The forms of a REF: agent:id, the beginning of an id, a path. */
const REF = /^(?:[a-z-]+:\S+|[0-9a-f]{4,}[0-9a-f-]*(?:[#@~].*)?|.*[\\/].*)$/i;

export async function wrongCommand(
  context: Context,
  args: readonly string[],
): Promise<UsageError> {
  const [word = "", ...more] = args;
  if (word.startsWith("-")) return misplacedFlag(args);
  if (word === "undo" || word === "restore") {
    const { undoChoices } = await import("./_undoable.ts");
    return new UsageError(await undoChoices(context, word));
  }
  const names = [...SUMMARIES.keys(), ...Object.keys(INSTEAD)];
  const near = (/\s/.test(word) ? undefined : nearestWord(word, names)) ?? "";
  const line = Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : INSTEAD[near] ?? near;
  const words = args.filter((one) => !one.startsWith("-")).map(quoteWord).join(" ");
  const meant = line === near
    ? `Did you mean: reprise ${[near, ...more].map(quoteWord).join(" ")}`
    : `Type: reprise ${line}`;
  const agent = agentMeant(args, near !== "");
  const advice = agent !== undefined
    ? `To list its sessions: reprise list --agent ${agent}`
    : REF.test(word) && more.length === 0
    ? `To read that session: reprise show ${quoteWord(word)}`
    : line === ""
    ? `To search for this word: reprise search ${words}`
    : meant;
  return new UsageError(`Unknown command "${word}". ${advice}\nSee: reprise --help`);
}

function agentMeant(args: readonly string[], exact: boolean): string | undefined {
  const words = args.filter((one) => !one.startsWith("-")).join(" ").toLowerCase();
  const named = AGENT_NAMES.find((name) => name === words);
  // More words are probably a search.
  const may_be_near = !exact && /^[a-z-]+( [a-z-]+)?$/.test(words);
  return named ?? (may_be_near ? nearestWord(words, AGENT_NAMES) : undefined);
}

function misplacedFlag(args: readonly string[]): UsageError {
  const at = args.findIndex((word) => SUMMARIES.has(word));
  const flags = args.slice(0, at);
  const line = [args[at] ?? "", ...flags, ...args.slice(at + 1)].map(quoteWord).join(" ");
  return new UsageError(
    `Cannot use ${
      flags[0]
    } before the command: flags come after the command. Type: reprise ${line}`,
  );
}
