/**
 * Writes sessions of pi, as versions from 0.73.1 on read them. It finds a session by its file alone,
 * without an index or a lock.
 *
 * @module
 */
import { join } from "node:path";
import type { AgentEnvironment } from "../../../source/agent_environment.ts";
import type {
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../../source/session_writer.ts";
import { asName } from "../../../reading/records/json_value.ts";
import { hexDigits, uuidV7 } from "../../../reading/handed/written_ids.ts";
import { agentFolder, folderName, namedFolders, readSettings } from "../locate.ts";
import { type PiModel, sessionLines } from "./session_lines.ts";
import { TOOL_FORMS } from "./tool_forms.ts";

/** The writer of pi's sessions. */
export const piWriter: SessionWriter = {
  tools: TOOL_FORMS,
  proven: true,
  home: agentFolder,
  newSessionId: uuidV7,
  newCallId: () => `call_${hexDigits(24)}`,
  place,
  write: (session: HandedSession, environment: AgentEnvironment) =>
    sessionLines(session, userModel(environment)),
};

function place(
  environment: AgentEnvironment,
  { id, cwd, begun }: HandedStart,
): SessionPlacement {
  const [named] = namedFolders(environment);
  const folder = named ?? join(agentFolder(environment), "sessions", folderName(cwd));
  const time = new Date(begun).toISOString().replace(/[:.]/g, "-");
  return { path: join(folder, `${time}_${id}.jsonl`) };
}

/** The model with which pi starts. */
function userModel(environment: AgentEnvironment): PiModel {
  const { defaultProvider, defaultModel } = readSettings(environment);
  const [provider, model] = [asName(defaultProvider), asName(defaultModel)];
  return provider === undefined || model === undefined ? {} : { provider, model };
}
