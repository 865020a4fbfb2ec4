/** Reads the state of a Git work tree, as agents record it. */
import type { GitInfo } from "../../core/event/payload.ts";
import { asName, type Json, present } from "./json.ts";

export function gitInfo(recorded: Json): GitInfo | undefined {
  const git = present({
    branch: asName(recorded.branch),
    commit: asName(recorded.commit),
    remote: asName(recorded.remote),
  });
  return Object.keys(git).length === 0 ? undefined : git;
}
