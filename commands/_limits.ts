/**
 * The limits that the settings put on the store.
 */
import type { PruneOptions } from "../lib/session/trash/prune_sessions.ts";
import { readConfig } from "../lib/workspace/config_file.ts";
import type { Context } from "./_context.ts";

const DAY_MS = 86_400_000;
const MB = 1_000_000;

/** Limits of age and size. */
export type Limits = Pick<PruneOptions, "before" | "max_bytes">;

/**
 * The limits of `session.retention_days` and `session.max_storage_mb`, as far as they are set.
 *
 * @throws {SessionError} `invalid-config`
 */
export function configuredLimits({ now }: Context, root: string): Limits {
  const config = readConfig(root);
  const { "session.retention_days": days, "session.max_storage_mb": megabytes } = config;
  return {
    ...(days === undefined ? {} : { before: new Date(now().getTime() - days * DAY_MS) }),
    ...(megabytes === undefined ? {} : { max_bytes: megabytes * MB }),
  };
}

/** Whether there is any. */
export function hasLimit({ before, max_bytes }: Limits): boolean {
  return before !== undefined || max_bytes !== undefined;
}
