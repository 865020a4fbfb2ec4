/**
 * Writes sessions of pi, as versions from 0.73.1 on read them. It finds a session by its file alone,
 * without an index or a lock.
 *
 * @module
 */
import { join } from "node:path";
import type { AgentPlace } from "../../../source/agent_environment.ts";
import type {
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../../source/session_writer.ts";
import { asName } from "../../../reading/json_value.ts";
import { hexDigits, uuidV7 } from "../../../reading/handed/written_ids.ts";
import { folderName, namedFolders, readSettings } from "../locate.ts";
import { type PiModel, sessionLines } from "./session_lines.ts";
import { TOOL_FORMS } from "./tool_forms.ts";

/** The writer of pi's sessions. */
export const piWriter: SessionWriter = {
  tools: TOOL_FORMS,
  proven: true,
  newSessionId: uuidV7,
  newCallId: () => `call_${hexDigits(24)}`,
  place,
  write: (session: HandedSession, place: AgentPlace) => sessionLines(session, userModel(place)),
};

function place(root: AgentPlace, { id, cwd, begun }: HandedStart): SessionPlacement {
  const [named] = namedFolders(root);
  const folder = named ?? join(root.folder, "sessions", folderName(cwd));
  const time = new Date(begun).toISOString().replace(/[:.]/g, "-");
  return { path: join(folder, `${time}_${id}.jsonl`) };
}

/** The model with which pi starts. */
function userModel(place: AgentPlace): PiModel {
  const { defaultProvider, defaultModel } = readSettings(place);
  const [provider, model] = [asName(defaultProvider), asName(defaultModel)];
  return provider === undefined || model === undefined ? {} : { provider, model };
}
