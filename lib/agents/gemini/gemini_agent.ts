/**
 * Gemini CLI (google-gemini/gemini-cli, up to 0.61): its chats are read in place, by its own rules.
 *
 * The conversation differs from what Gemini CLI sends. A result that it stored twice is given once,
 * because providers refuse two. Images that a tool gave stand in its result. What it makes anew for
 * each session (`<session_context>`) is not there.
 */
import type { Agent } from "../../source/agent.ts";
import { formatReader } from "../../reading/format_reader.ts";
import type { AgentReads } from "../../reading/session_reader.ts";
import { geminiFormat } from "./gemini_format.ts";
import { geminiSession } from "./locate.ts";
import { readUsage } from "./read_usage.ts";
import { recognizeGemini } from "./recognize.ts";
import { subagentsOf } from "./subagents.ts";
import { summarizeStated } from "./summarize.ts";

const summarize: AgentReads["summarize"] = (session, options) =>
  formatReader(geminiFormat)(session).summarize(options);

/** Reads the chats of Gemini CLI. */
export const geminiAgent: Agent = {
  name: "gemini",
  recognize: recognizeGemini,
  sessionsIn: (path) => Promise.resolve([geminiSession(path)]),
  open: formatReader(geminiFormat, {
    summarize: summarizeStated(summarize),
    // Of an answer that was rewound its tokens count.
    usage: readUsage,
    files: (session) => ({
      paths: [session.path, ...subagentsOf(session).map(({ path }) => path)],
    }),
  }),
};
