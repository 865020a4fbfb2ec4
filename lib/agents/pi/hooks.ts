/** Makes the extensions that give pi's model the answer of a hook (0.87.1, docs/extensions.md). */
import type { HookMoment, HookPlace } from "../contract/agent_descriptor.ts";
import { pluginText } from "../contract/hook_place.ts";

const SESSION = `const sessionOf = ({ cwd, sessionManager }) => ({
  cwd,
  sessionId: sessionManager.getSessionId(),
  transcript_path: sessionManager.getSessionFile(),
});

const message = (content) => ({ customType: "reprise", content, display: false });
`;

const START = `${SESSION}
export default function (pi) {
  let asked = false;
  pi.on("before_agent_start", async (_, context) => {
    if (asked) return;
    asked = true;
    const content = await ask(sessionOf(context));
    return content ? { message: message(content) } : undefined;
  });
}
`;

const COMPACT = `${SESSION}
export default function (pi) {
  pi.on("session_compact", async (_, context) => {
    const content = await ask(sessionOf(context));
    if (content) pi.sendMessage(message(content));
  });
}
`;

export const PI_HOOKS: Readonly<Record<"start" | "compact", HookPlace>> = {
  start: placeOf("start", START),
  compact: placeOf("compact", COMPACT),
};

function placeOf(moment: HookMoment, code: string): HookPlace {
  const name = `extensions/reprise-${moment}.js`;
  return {
    path: [`$PI_CODING_AGENT_DIR/${name}`, `~/.pi/agent/${name}`],
    text: (command) => pluginText(command, code),
  };
}
