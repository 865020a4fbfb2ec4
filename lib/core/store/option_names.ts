/** The names of options that are checked where they are used. */
const COPYING = { title: true, cwd: true, report: true, signal: true, onProgress: true } as const;

export const COPY_OPTIONS = { ...COPYING, id: true, seq: true } as const;
export const MERGE_OPTIONS = COPYING;

export const EMPTY_OPTIONS = {
  before: true,
  paths: true,
  dry_run: true,
  onError: true,
  onProgress: true,
} as const;

export const WATCH_OPTIONS = {
  after_seq: true,
  signal: true,
  report: true,
  onCaughtUp: true,
} as const;
