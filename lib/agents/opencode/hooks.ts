/** Makes plug-ins that add a hook's text to OpenCode's prompts (1.18, opencode.ai/docs/plugins). */
import type { HookMoment, HookPlace } from "../contract/agent_descriptor.ts";
import { pluginText } from "../contract/hook_place.ts";

/** JavaScript that adds the hook's text to the user's message, but not in subagents' sessions. */
const ADD = `const add = async ({ client, directory }, sessionID, { message, parts }) => {
  const { data } = await client.session.get({ path: { id: sessionID } });
  if (data === undefined || data.parentID) return;
  const text = await ask({ sessionId: sessionID, cwd: directory });
  if (!text) return;
  const id = \`prt_zzzzzzzzzzzz\${Date.now()}\`;
  parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
};
`;

const START = `${ADD}
export const RepriseStart = async (place) => {
  const asked = new Set();
  return {
    "chat.message": async ({ sessionID }, output) => {
      if (asked.has(sessionID)) return;
      asked.add(sessionID);
      await add(place, sessionID, output).catch(() => {});
    },
  };
};
`;

/** JavaScript that adds text to the first prompt after a compaction, not earlier. */
const COMPACT = `${ADD}
export const RepriseCompact = async (place) => {
  const compacted = new Set();
  return {
    event: async ({ event }) => {
      if (event.type === "session.compacted") compacted.add(event.properties.sessionID);
    },
    "chat.message": async ({ sessionID }, output) => {
      if (compacted.delete(sessionID)) await add(place, sessionID, output).catch(() => {});
    },
  };
};
`;

export const OPENCODE_HOOKS: Readonly<Record<"start" | "compact", HookPlace>> = {
  start: placeOf("start", START),
  compact: placeOf("compact", COMPACT),
};

function placeOf(moment: HookMoment, code: string): HookPlace {
  const name = `opencode/plugins/reprise-${moment}.js`;
  return {
    path: [`$XDG_CONFIG_HOME/${name}`, `~/.config/${name}`],
    text: (command) => pluginText(command, code),
  };
}
