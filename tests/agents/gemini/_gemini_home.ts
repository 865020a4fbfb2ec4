/** A home of Gemini CLI, made of hand-written chats: one behaviour each. */

/** A hand-written file. */
export function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/gemini/${name}`, import.meta.url);
}

const ID = "f8a6a0fd-0000-4000-8000-00000000000";
const HASH = "90d2d9ee5b2b34ba3de4b2c4b9a4f2a8e4b2f8c1";
const CHATS = ".gemini/tmp/ledger/chats";

/** The files of the home, by their path below it. */
export const GEMINI_FILES: Readonly<Record<string, URL | string>> = {
  ".gemini/projects.json": fixture("projects.json"),
  ".gemini/tmp/ledger/.project_root": "/home/ada/src/ledger\n",
  ".gemini/tmp/ledger/logs.json": "[]",
  [`${CHATS}/session-2026-03-01T09-01-f8a6a0fd.jsonl`]: fixture("fresh.jsonl"),
  [`${CHATS}/session-2026-03-01T09-02-f8a6a0fd.jsonl`]: fixture("resumed.jsonl"),
  [`${CHATS}/session-2026-03-01T09-03-f8a6a0fd.jsonl`]: fixture("rewound.jsonl"),
  [`${CHATS}/session-2026-03-01T09-04-f8a6a0fd.jsonl`]: fixture("not_sent.jsonl"),
  [`${CHATS}/session-2026-03-01T09-05-f8a6a0fd.jsonl`]: fixture("images.jsonl"),
  [`${CHATS}/session-2026-03-01T09-06-f8a6a0fd.jsonl`]: fixture("damaged.jsonl"),
  [`${CHATS}/${ID}1/${ID}7.jsonl`]: fixture("subagent.jsonl"),
  [`.gemini/tmp/${HASH}/.project_root`]: "/home/ada/src/site",
  [`.gemini/tmp/${HASH}/chats/session-2025-11-01T10-00-f8a6a0fd.json`]: fixture("document.json"),
};

/** The ids of all chats in it but that of a sub-agent, which is a thread of its parent. */
export const GEMINI_IDS: readonly string[] = [1, 2, 3, 4, 5, 6, 8].map((last) => `${ID}${last}`);
