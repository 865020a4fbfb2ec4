/** Describes an agent that the user's own program reads. See READERS.md, `agents.NAME.reader`. */
import { isAbsolute } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import type { AgentDescriptor } from "../contract/agent_descriptor.ts";

export function ownReader(name: AgentName): AgentDescriptor {
  return {
    name,
    title: `${name} (your own reader)`,
    // The program stands for the agent's folders, which it alone knows.
    roots: ({ readers }) => {
      const argv = readers?.[name];
      return argv === undefined ? [] : [argv[0] ?? name];
    },
    mayHaveSessions: ({ readers }) => readers?.[name] !== undefined,
    // A program that was changed may print the same session otherwise.
    files: ({ path, printed }) =>
      printed === undefined ? [path] : [...printed.files, ...printed.argv.filter(isAbsolute)],
    resumeCommand: () => undefined,
    loadLocate: async () => (await import("./locate.ts")).locateBy(name),
    loadReader: async () => (await import("./own_reader_agent.ts")).ownReaderAgent(name),
  };
}
