/**
 * Keeps the sessions of agent SDKs: each function gives an SDK the store that it asks for.
 *
 * @module
 */
export { type AgentsSession, agentsSession } from "./agents_session.ts";
export { type UiMessage, type UiMessages, uiMessages } from "./ui_messages.ts";
export {
  type ClaudeEntry,
  type ClaudeSessionKey,
  type ClaudeSessionStore,
  claudeSessionStore,
} from "./claude_session_store.ts";
