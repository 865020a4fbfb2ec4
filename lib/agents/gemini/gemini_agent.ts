/**
 * Gemini CLI: its chats are read in place, by its own rules.
 */
import type { Agent } from "../agent.ts";
import { geminiSession, locateGemini } from "./locate.ts";
import { readGemini } from "./read.ts";
import { recognizeGemini } from "./recognize.ts";
import { summarizeGemini } from "./summarize.ts";

/** Reads the chats of Gemini CLI. */
export const geminiAgent: Agent = {
  name: "gemini",
  title: "Gemini CLI",
  locate: locateGemini,
  recognize: recognizeGemini,
  sessionsIn: (path) => Promise.resolve([geminiSession(path)]),
  summarize: summarizeGemini,
  read: readGemini,
  resumeCommand: ({ id }) => ["gemini", "--resume", id],
};
