/** `reprise mcp` */
import { defineCommand } from "./_command.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { agentsOf } from "./_scope.ts";
import { AGENT_FLAG } from "./_scope_flags.ts";
import { parseSince, parseUntil } from "./_values.ts";

/** The environment variable in which Claude Code names the session that starts a program. */
const CALLER = "CLAUDE_CODE_SESSION_ID";

export const mcpCommand = defineCommand({
  description: "Serve this project's sessions to an agent over the Model Context Protocol.\n" +
    "The server uses standard input and output. Its tools list_sessions,\n" +
    "search_sessions and read_session only read. Secrets in their results are replaced.",
  flags: {
    "-a, --all": "serve the sessions of all projects",
    ...AGENT_FLAG,
    "--no-redact": "do not replace secrets in the results of Reprise's tools",
  },
  examples: ["claude mcp add reprise -- reprise mcp", "codex mcp add reprise -- reprise mcp --all"],
  run: async (context, { all, agent, redact }) => {
    const { cwd, stdin, stdin_terminal, stdout, version } = context;
    if (stdin_terminal) {
      await say(
        context,
        "This command waits for an agent's requests on standard input. To stop the command: ^D",
      );
    }
    const library = contextLibrary(context);
    const agents = agentsOf(agent);
    const caller = context.variable(CALLER);
    const { serveHistory } = await import("../lib/frontends/mcp/serve.ts");
    await serveHistory(library, {
      ...{ cwd, version, redacts: redact, all: all ?? false, agents, caller },
      input: stdin(),
      write: (text) => stdout.write(text),
      now: () => context.now(),
      parseSince: (text) => parseSince(text, context),
      parseUntil: (text) => parseUntil(text, context),
    });
  },
});
