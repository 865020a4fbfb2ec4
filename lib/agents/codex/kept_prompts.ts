/**
 * Selects the prompts that an old compaction keeps: the newest prompts, up to 20,000 tokens
 * (codex-rs/core/src/compact.rs, `build_compacted_history`).
 */

const KEPT_TOKENS = 20_000;
/** Number of bytes that Codex counts as one token (`approx_token_count`). */
const BYTES_PER_TOKEN = 4;
// Verbatim: Codex.
const SUMMARY = "Another language model started to solve this problem";

const encoder = new TextEncoder();

/** Returns the prompts that a compaction keeps, in order. The oldest one may be shortened. */
export function keptPrompts(prompts: readonly string[]): string[] {
  const kept: string[] = [];
  let left = KEPT_TOKENS;
  for (const prompt of prompts.toReversed()) {
    if (left === 0) break;
    if (prompt.startsWith(SUMMARY)) continue;
    const tokens = tokensOf(prompt);
    kept.push(tokens <= left ? prompt : shortened(prompt, left));
    left = Math.max(0, left - tokens);
  }
  return kept.reverse();
}

function tokensOf(prompt: string): number {
  return Math.ceil(encoder.encode(prompt).length / BYTES_PER_TOKEN);
}

/** Drops prompts that no later compaction would keep, because a long thread has very many. */
export function dropOldPrompts(prompts: string[]): void {
  let tokens = 0;
  let first = prompts.length;
  while (first > 0 && tokens < KEPT_TOKENS) {
    const prompt = prompts[--first] ?? "";
    if (!prompt.startsWith(SUMMARY)) tokens += tokensOf(prompt);
  }
  prompts.splice(0, first);
}

/** Cuts the middle out of a long text (utils/output-truncation, `truncate_text`). */
function shortened(text: string, tokens: number): string {
  const half = Math.floor(tokens * BYTES_PER_TOKEN / 2);
  const gone = Math.ceil((text.length - 2 * half) / BYTES_PER_TOKEN);
  if (gone <= 0) return text;
  return `${text.slice(0, half)}…${gone} tokens truncated…${text.slice(-half)}`.toWellFormed();
}
