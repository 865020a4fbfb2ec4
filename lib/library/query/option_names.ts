/** Lists the options of the library. All other options are refused. */
import type { QueryOptions } from "./query.ts";

export const LIBRARY_OPTIONS = {
  root: true,
  variable: true,
  cwd: true,
  now: true,
  cache: true,
} as const;

export const OPEN_OPTIONS = {
  damaged: true,
  onSeveral: true,
  keys: true,
  keeps_record: true,
} as const;

export const QUERY_OPTIONS: { readonly [Name in keyof QueryOptions]-?: true } = {
  members: true,
  title: true,
  branch: true,
  model: true,
  status: true,
  failed: true,
  tag: true,
  pinned: true,
  archived: true,
  subagents: true,
  exact: true,
  since: true,
  until: true,
  limit: true,
  undated: true,
  scope: true,
  cwd: true,
  directories: true,
  agents: true,
  root: true,
  gone: true,
  running: true,
  rows: true,
  remembered: true,
  onProgress: true,
  onError: true,
};
