/** The contract of a reader, on a home of Gemini CLI with chats of all its ages. */
import { geminiAgent, geminiFormat } from "../../../lib/agents/gemini/gemini_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { fixture, GEMINI_FILES, GEMINI_IDS } from "./_gemini_home.ts";

testAgentContract("gemini", {
  agent: geminiAgent,
  format: geminiFormat,
  files: GEMINI_FILES,
  ids: GEMINI_IDS,
  cwd: "/home/ada/src/ledger",
});

testAgentContract("gemini, resumed, in another home", {
  agent: geminiAgent,
  format: geminiFormat,
  files: {
    "other/.gemini/tmp/p/chats/session-2026-03-01T09-02-f8a6a0fd.jsonl": fixture("resumed.jsonl"),
  },
  variables: { GEMINI_CLI_HOME: "~/other" },
  ids: ["f8a6a0fd-0000-4000-8000-000000000002"],
  cwd: "/home/ada/src/ledger",
});

testAgentContract("gemini, a document", {
  agent: geminiAgent,
  format: geminiFormat,
  files: {
    ".gemini/tmp/p/.project_root": "/home/ada/src/ledger",
    ".gemini/tmp/p/chats/session-2025-11-01T10-00-f8a6a0fd.json": fixture("document.json"),
  },
  ids: ["f8a6a0fd-0000-4000-8000-000000000008"],
  all_or_nothing: true,
});
