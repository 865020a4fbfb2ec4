/** Describes agents that store sessions like pi: oh-my-pi, Prime Agent and OpenClaw. */
import { join } from "node:path";
import { listFolder } from "../engine/files/folder.ts";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";
import { familyMember } from "../contract/agent_family.ts";
import { agentPlaces } from "../contract/agent_roots.ts";
import { pi } from "./descriptor.ts";

/**
 * oh-my-pi and the folders of its sessions (18.2.3, pi-utils/src/dirs.ts). If the folder
 * `$XDG_DATA_HOME/omp` exists, oh-my-pi uses it. Sessions in PI_CODING_AGENT_DIR count as pi's,
 * because both share it.
 */
export const omp = familyMember(pi, {
  name: "omp",
  title: "oh-my-pi",
  aliases: ["oh-my-pi"],
  roots: [["~/.omp/agent"], ["$XDG_DATA_HOME/omp", "~/.local/share/omp"]],
  watched: ["sessions"],
  // `--resume` of 18.2.3 takes a path; it looks ids up in the directory's project.
  resumeCommand: ({ path }) => ({ argv: ["omp", "--resume", path], in_directory: true }),
  loadWriter: async () => (await import("./write/omp_writer.ts")).ompWriter,
});

/**
 * Prime Agent, a fork of pi (0.8.1, src/config.ts). `--resume` takes a path or an id, according to
 * the source of another program, orca, for Prime Agent 0.7.0.
 */
export const prime = familyMember(pi, {
  name: "prime",
  title: "Prime Agent",
  aliases: ["prime-agent"],
  roots: [["$PRIME_AGENT_CODING_AGENT_DIR", "~/.prime/agent"]],
  watched: ["$PRIME_AGENT_SESSION_DIR", "sessions"],
  renames: { PI_CODING_AGENT_SESSION_DIR: "PRIME_AGENT_SESSION_DIR" },
  resumeCommand: ({ path }) => ({ argv: ["prime-agent", "--resume", path], in_directory: true }),
});

const STATE = [["$OPENCLAW_STATE_DIR", "~/.openclaw"]];

/**
 * OpenClaw. Each of its agents has a folder of sessions (2026.9.6, docs/concepts/session.md).
 * OpenClaw's terminal resumes no session by id. It resumes the session of a route, such as a chat
 * channel.
 */
export const openclaw: AgentDescriptor = {
  ...familyMember(pi, {
    name: "openclaw",
    title: "OpenClaw",
    roots: (environment) =>
      agentPlaces({ name: "openclaw", roots: STATE }, environment).flatMap(({ folder }) =>
        listFolder(join(folder, "agents")).filter(({ isDirectory }) => isDirectory)
          .map(({ path }) => path)
      ),
    watched: ["sessions"],
    resumeCommand: () => undefined,
  }),
  loadLocate: async () => (await import("./openclaw/locate_openclaw.ts")).locateOpenclaw,
  loadReader: async () => (await import("./openclaw/openclaw_agent.ts")).openclawAgent,
};
