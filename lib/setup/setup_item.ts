/** Items of a setup: files of ours, and entries in the settings of agents. */
import { join } from "node:path";
import { AGENT_NAMES } from "../event/agent_name.ts";
import { isThere } from "../file/presence.ts";
import { descriptorOf } from "../library/registry.ts";
import type { ServerSettings } from "../source/agent_descriptor.ts";
import type { AgentEnvironment } from "../source/agent_environment.ts";
import { firstSet, hasTraces } from "../source/agent_roots.ts";

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** A file that is wholly ours. */
export interface FileItem {
  kind: "file";
  /** The name of the file for people. */
  what: string;
  path: string;
  text: string;
  /** Run after it was written. */
  starts?: CommandLine;
  /** Run before it is deleted. */
  stops?: CommandLine;
}

/** The MCP server in the settings of an agent. */
export interface ServerItem {
  kind: "server";
  what: string;
  /** The settings. */
  path: string;
  settings: ServerSettings;
  /** Starts the server. */
  command: CommandLine;
  /** The agent's program, where it is found and changes its settings itself. */
  program?: string;
}

export type SetupItem = FileItem | ServerItem;

/** Facts from which the items of agents are made. */
export interface SetupFacts {
  environment: AgentEnvironment;
  /** True for a program that is on `PATH`. */
  isProgram(name: string): boolean;
  /** Starts the MCP server. */
  command: CommandLine;
  /** The text of the skill. */
  skill: string;
}

/** Returns the items of each agent that is found: by its program, or by what it has left. */
export function agentItems(facts: SetupFacts): SetupItem[] {
  const { environment, isProgram, command, skill } = facts;
  const skills = new Map<string, FileItem>();
  const servers: ServerItem[] = [];
  for (const descriptor of AGENT_NAMES.map(descriptorOf)) {
    const { setup, title } = descriptor;
    if (setup === undefined) continue;
    const { program, servers: settings } = setup;
    if (!isProgram(program) && !hasTraces(descriptor, environment)) continue;
    const path = join(firstSet(setup.skills, environment)[0] ?? "", "past-sessions", "SKILL.md");
    // Several agents look into one folder.
    const what = [skills.get(path)?.what ?? "the skill for", title].join(
      skills.has(path) ? ", " : " ",
    );
    skills.set(path, { kind: "file", what, path, text: skill });
    if (settings === undefined) continue;
    const paths = settings.files.map((candidates) => firstSet(candidates, environment)[0] ?? "");
    const file = paths.find(isThere) ?? paths.at(-1) ?? "";
    const own = settings.add !== undefined && isProgram(program) ? { program } : {};
    const about = `the MCP server for ${title}`;
    servers.push({ kind: "server", what: about, path: file, settings, command, ...own });
  }
  return [...skills.values(), ...servers];
}
