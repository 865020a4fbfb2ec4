/**
 * Serves past sessions over the Model Context Protocol.
 *
 * @module
 */
import { errorText } from "../../core/event/error_text.ts";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "npm:@modelcontextprotocol/server@2.4.0";
import { serveStdio } from "npm:@modelcontextprotocol/server@2.4.0/stdio";
import { isObject } from "../../core/event/guard.ts";
import type { Library } from "../../library/library.ts";
import { sanitizeText } from "../../text/render/sanitize.ts";
import { INSTRUCTIONS, type ToolArguments, toolArguments, TOOLS } from "./tool_definitions.ts";
import { type History, type HistoryOptions, openHistory, type Request } from "./history.ts";
import { listSessions, searchSessions } from "./find_sessions.ts";
import { type ClientStreams, LineTransport } from "./line_transport.ts";
import { readSession } from "./read_session.ts";

export interface ServeHistoryOptions extends HistoryOptions, ClientStreams {
  version: string;
}

type Answer = (history: History, args: ToolArguments, request: Request) => Promise<string>;

const ANSWERS: Readonly<Record<string, Answer>> = {
  list_sessions: listSessions,
  search_sessions: searchSessions,
  read_session: readSession,
};

export async function serveHistory(library: Library, options: ServeHistoryOptions): Promise<void> {
  const history = openHistory(library, options);
  const transport = new LineTransport(options);
  const { closed } = transport;
  // Both eras of the protocol: clients in use open with either.
  const connection = serveStdio(() => makeServer(history, options.version), {
    legacy: "serve",
    transport,
  });
  await closed;
  history.windows.close();
  await connection.close();
}

function makeServer(history: History, version: string): Server {
  const server = new Server({ name: "reprise", version }, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
  });
  server.setRequestHandler("tools/list", () => ({ tools: TOOLS }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { name, arguments: given } = params;
    const tool = TOOLS.find((tool) => tool.name === name);
    const answer = ANSWERS[name];
    if (tool === undefined || answer === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${name.slice(0, 80)}`,
      );
    }
    const callers = callersOf(history, mcpReq._meta);
    try {
      const args = toolArguments(tool, given);
      const request = { callers, signal: mcpReq.signal };
      return texts(await history.windows.use(() => answer(history, args, request)));
    } catch (error) {
      return { ...texts(sanitizeText(errorText(error))), isError: true };
    }
  });
  return server;
}

function texts(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

/** Fields in which clients name the session that calls. */
const CALLER_FIELDS = ["sessionId", "threadId"];

function callersOf({ caller }: History, meta: unknown): ReadonlySet<string> {
  const named = isObject(meta) ? CALLER_FIELDS.map((name) => meta[name]) : [];
  return new Set([caller, ...named].filter((id) => typeof id === "string"));
}
