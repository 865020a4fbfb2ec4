/** Items of a setup: files of Reprise, and entries in the settings of agents. */
import { join } from "node:path";
import { AGENT_NAMES } from "../../core/event/agent_name.ts";
import { isThere } from "../../core/file/presence.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import type {
  AgentSetup,
  HookMoment,
  HookPlace,
  ServerSettings,
} from "../../agents/contract/agent_descriptor.ts";
import { HOOK_MOMENTS } from "../../agents/contract/hook_place.ts";
import type { EntryPath } from "./settings/settings_text.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { firstSet, hasTraces } from "../../agents/contract/agent_roots.ts";

export type CommandLine = readonly [program: string, ...args: string[]];

/** A file that Reprise writes whole, without text of the user. */
export interface FileItem {
  kind: "file";
  /** The name of the file for people. */
  what: string;
  path: string;
  text: string;
  /** Command to run after the file was written. */
  starts?: CommandLine;
  /** Command to run before this item's file is deleted. */
  stops?: CommandLine;
}

export interface EntryItem {
  kind: "entry";
  what: string;
  path: string;
  format: ServerSettings["format"];
  keys: EntryPath;
  entry: Readonly<Record<string, unknown>>;
  /** True for Reprise's entry in the list at `keys`. Absent if `keys` lead to a single entry. */
  isOurs?(entry: string): boolean;
  /** A text by which Reprise's entry differs from the user's entries; absent for a server. */
  mark?: string;
  /**
   * The command in Reprise's entry for its server. A removal spares an entry with another command.
   */
  command?: CommandLine;
  /** The agent's command to add the entry; absent if none or if the program is not on `PATH`. */
  add?: CommandLine;
  /** The agent's command to remove the entry; absent if none or if the program is not on `PATH`. */
  remove?: CommandLine;
}

export type SetupItem = FileItem | EntryItem;

export interface SetupFacts {
  environment: AgentEnvironment;
  /** Returns true if a program with this name is on `PATH`. */
  isProgram(name: string): boolean;
  /** The command that starts the MCP server. */
  command: CommandLine;
  /** The command line, for a shell, that prints the status line. */
  status_line: string;
  /** Command lines of the hooks, for a shell. A hook that is absent is not installed. */
  hooks: Readonly<Partial<Record<HookMoment, string>>>;
  skill: string;
}

/** Returns the items for each agent that is found by its program or by files that it left. */
export function agentItems(facts: SetupFacts): SetupItem[] {
  const { environment, isProgram, skill } = facts;
  const skills = new Map<string, FileItem>();
  const entries: SetupItem[] = [];
  for (const descriptor of AGENT_NAMES.map(descriptorOf)) {
    const { setup, title } = descriptor;
    if (setup === undefined) continue;
    const { program, servers, status_line: line, hooks = {} } = setup;
    if (!isProgram(program) && !hasTraces(descriptor, environment)) continue;
    const path = join(firstSet(setup.skills, environment)[0] ?? "", "past-sessions", "SKILL.md");
    // Several agents look into one folder.
    const what = [skills.get(path)?.what ?? "the skill for", title].join(
      skills.has(path) ? ", " : " ",
    );
    skills.set(path, { kind: "file", what, path, text: skill });
    if (servers !== undefined) entries.push(serverItem(title, servers, program, facts));
    for (const moment of HOOK_MOMENTS) {
      const [place, command] = [hooks[moment], facts.hooks[moment]];
      if (place === undefined || command === undefined) continue;
      entries.push(hookItem(moment, { place, command, title, setup, environment }));
    }
    if (line === undefined) continue;
    const entry = line.entry(facts.status_line);
    const mark = JSON.stringify(facts.status_line);
    entries.push({
      ...{ kind: "entry", what: `the status line of ${title}`, format: "json" },
      ...{ path: firstSet(line.file, environment)[0] ?? "", keys: [line.key], entry, mark },
    });
  }
  return [...skills.values(), ...entries];
}

/** For each hook, its name in messages, and the words that end Reprise's command line for it. */
const HOOKS: Readonly<Record<HookMoment, { what: string; words: string }>> = {
  start: {
    what: "the hook that tells AGENT, when it starts, about the last session",
    words: "hook start",
  },
  compact: {
    what: "the hook that tells AGENT which messages a compaction dropped",
    words: "hook compact",
  },
  call: { what: "the hook that stops AGENT above a limit on cost (cap)", words: "cap check" },
};

interface HookFacts extends Pick<SetupFacts, "environment"> {
  place: HookPlace;
  command: string;
  title: string;
  setup: AgentSetup;
}

function hookItem(
  moment: HookMoment,
  { place, command, title, setup: { hook_note = "" }, environment }: HookFacts,
): SetupItem {
  const what = HOOKS[moment].what.replace("AGENT", title) + hook_note;
  const path = firstSet(place.path, environment)[0] ?? "";
  if ("text" in place) return { kind: "file", what, path, text: place.text(command) };
  const ours = new RegExp(`\\breprise\\b[^]*\\b${HOOKS[moment].words}\\\\?["']`);
  return {
    ...{ kind: "entry", what, path, format: "json", keys: place.keys, entry: place.entry(command) },
    // The program may have moved.
    isOurs: (entry) => ours.test(entry),
  };
}

function serverItem(
  title: string,
  { files, format, key, entry, add, remove }: ServerSettings,
  program: string,
  { environment, isProgram, command }: SetupFacts,
): EntryItem {
  const paths = files.map((candidates) => firstSet(candidates, environment)[0] ?? "");
  const [first, ...rest] = command;
  const item: EntryItem = {
    ...{ kind: "entry", what: `the MCP server for ${title}`, format, keys: [key, "reprise"] },
    ...{ path: paths.find(isThere) ?? paths.at(-1) ?? "", entry: entry(first, rest), command },
  };
  if (add === undefined || remove === undefined || !isProgram(program)) return item;
  return { ...item, add: [program, ...add, ...command], remove: [program, ...remove] };
}
