/**
 * OpenAI Codex CLI: its threads are read in place, by its own rules.
 */
import type { Agent } from "../agent.ts";
import { codexSessionsIn, locateCodex } from "./locate.ts";
import { readCodex } from "./read.ts";
import { readCodexTail } from "./read_tail.ts";
import { recognizeCodex } from "./recognize.ts";
import { summarizeCodex } from "./summarize.ts";

/** Reads the threads of Codex. */
export const codexAgent: Agent = {
  name: "codex",
  title: "OpenAI Codex",
  locate: locateCodex,
  recognize: recognizeCodex,
  sessionsIn: codexSessionsIn,
  summarize: summarizeCodex,
  read: readCodex,
  readTail: readCodexTail,
  resumeCommand: ({ id }) => ["codex", "resume", id],
};
