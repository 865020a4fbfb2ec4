/** A home of Codex, made of hand-written rollouts: one behaviour each. */

/** A hand-written file. */
export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/codex/${name}`, import.meta.url);
}

/** Rollouts by the end of their id. */
const ROLLOUTS: Readonly<Record<string, string>> = {
  "0199aaaa-0000-7000-8000-000000000001": "legacy.jsonl",
  "01a1aaaa-0000-7000-8000-000000000002": "paginated.jsonl",
  "01a1aaaa-0000-7000-8000-000000000003": "compacted.jsonl",
  "0199aaaa-0000-7000-8000-000000000004": "compacted_old.jsonl",
  "0199aaaa-0000-7000-8000-000000000005": "rolled_back.jsonl",
  "01a1aaaa-0000-7000-8000-000000000007": "fork.jsonl",
  "0199aaaa-0000-7000-8000-000000000008": "apply_patch.jsonl",
  "0199aaaa-0000-7000-8000-000000000009": "interrupted.jsonl",
  "0199aaaa-0000-7000-8000-000000000010": "images.jsonl",
  "0199aaaa-0000-7000-8000-000000000011": "tools.jsonl",
  "0199aaaa-0000-7000-8000-000000000012": "unknown.jsonl",
  "0199aaaa-0000-7000-8000-000000000013": "damaged.jsonl",
  "0199aaaa-0000-7000-8000-000000000016": "repeated.jsonl",
};

/** The files of the home, by their path below it. */
export const CODEX_FILES: Readonly<Record<string, URL>> = {
  ".codex/session_index.jsonl": fixture("session_index.jsonl"),
  ".codex/archived_sessions/rollout-2026-03-01T09-00-00-01a1aaaa-0000-7000-8000-000000000006.jsonl":
    fixture("fork_parent.jsonl"),
  ".codex/sessions/rollout-2025-07-01T08-00-00-0198aaaa-0000-4000-8000-000000000014.jsonl": fixture(
    "bare.jsonl",
  ),
  ...Object.fromEntries(
    Object.entries(ROLLOUTS).map(([id, name]) => [
      `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${id}.jsonl`,
      fixture(name),
    ]),
  ),
};

/** The ids of all threads in it. */
export const CODEX_IDS: readonly string[] = [
  ...Object.keys(ROLLOUTS),
  "01a1aaaa-0000-7000-8000-000000000006",
  "0198aaaa-0000-4000-8000-000000000014",
];
