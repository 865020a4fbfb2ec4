import type { AgentDescriptor } from "../contract/agent_descriptor.ts";

/** Trajectories that other programs write. They have no common folder, so users name each path. */
export const atif: AgentDescriptor = {
  name: "atif",
  title: "ATIF trajectory",
  roots: [],
  watched: [],
  files: ({ path }) => [path],
  resumeCommand: () => undefined,
  loadLocate: async () => await Promise.resolve(locateNone),
  loadReader: async () => (await import("./atif_agent.ts")).atifAgent,
};

async function* locateNone(): AsyncGenerator<never> {}
