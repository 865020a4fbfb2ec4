/**
 * A peer's own loader, in a Node of its own: `peer_load.mjs TASK PACKAGE ARGUMENT…` prints the
 * milliseconds of one load, the process's peak memory in bytes, and the number of messages or sessions.
 */
import process from "node:process";
import { pathToFileURL } from "node:url";

const [task, entry, ...args] = process.argv.slice(2);
const peer = await import(pathToFileURL(entry).href);

// deno-lint-ignore explicit-function-return-type
function piMessages([path]) {
  return peer.SessionManager.open(path).buildSessionContext().messages.length;
}

const TASKS = {
  claude_messages: async ([id]) => (await peer.getSessionMessages(id, {})).length,
  claude_sessions: async () => (await peer.listSessions({})).length,
  pi_messages: piMessages,
  pi_sessions: async () => (await peer.SessionManager.listAll()).length,
};

const begun = performance.now();
const count = await TASKS[task](args);
const ms = performance.now() - begun;
const peak_memory = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ms, peak_memory, count }));
process.exit(0);
