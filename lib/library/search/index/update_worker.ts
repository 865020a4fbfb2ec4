/** Updates the index in a thread of its own, while the main thread answers requests. */
import type { CatalogueOptions } from "../../catalogue/catalogue_options.ts";
import { followOrder } from "../../../core/platform/thread.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { updateIndex, type UpdateResult } from "./index_update.ts";

export interface UpdateOrder {
  cache: string;
  sessions: readonly AgentSession[];
  kept: Pick<CatalogueOptions, "folder" | "version">;
}

export interface UpdateProgress {
  done: number;
  all: number;
  result?: UpdateResult;
}

followOrder<UpdateOrder, UpdateProgress>(async ({ cache, sessions, kept }, send) => {
  const onProgress = (done: number, all: number): void => send({ done, all });
  const result = await updateIndex(cache, sessions, { kept, tidy: true, onProgress });
  send({ done: result.read_bytes, all: result.read_bytes, result });
});
