/** Rollouts with limits of a plan, in the forms of several versions of Codex. */

/** The time of the first record. */
export const LIMITED_AT = Date.parse("2026-11-21T10:00:00Z");
const AT = LIMITED_AT / 1000;

/** The `rate_limits` of the records of each rollout, a minute apart; the last one that tells counts. */
export const LIMITED: Readonly<Record<string, readonly unknown[]>> = {
  "flat, 0.40": [{
    ...{ primary_used_percent: 12.5, secondary_used_percent: 4, primary_window_minutes: 299 },
    ...{ secondary_window_minutes: 10_079, primary_to_secondary_ratio_percent: 12 },
  }],
  "flat, repeated": [
    { primary_used_percent: 1, primary_window_minutes: 300 },
    { primary_used_percent: 3, primary_window_minutes: 300 },
  ],
  "seconds from the record on, 0.42": [{
    primary: { used_percent: 40, window_minutes: 299, resets_in_seconds: 7200 },
    secondary: { used_percent: 8, window_minutes: 10_079, resets_in_seconds: 400_000 },
  }],
  "seconds, of which the later record counts": [
    { primary: { used_percent: 40, window_minutes: 300, resets_in_seconds: 7200 } },
    { primary: { used_percent: 44, window_minutes: 300, resets_in_seconds: 7140 } },
  ],
  "an absolute reset, 0.48": [{
    primary: { used_percent: 62, window_minutes: 300, resets_at: AT + 9000 },
    secondary: { used_percent: 38, window_minutes: 10_080, resets_at: AT + 300_000 },
    credits: null,
  }],
  "a name of the limit, 0.169": [{
    ...{ limit_id: "codex", limit_name: null, plan_type: "pro", rate_limit_reached_type: null },
    primary: { used_percent: 70, window_minutes: 300, resets_at: AT + 9000 },
    secondary: { used_percent: 50, window_minutes: 10_080, resets_at: AT + 300_000 },
  }],
  "the secondary window alone": [{
    ...{ primary: null, secondary: { used_percent: 5, window_minutes: 10_080, resets_at: AT + 9 } },
  }],
  "a month, of a free plan": [{
    primary: { used_percent: 90, window_minutes: 43_200, resets_at: AT + 1_000_000 },
    secondary: null,
  }],
  "slots that changed places": [
    { primary: { used_percent: 10, window_minutes: 300, resets_at: AT + 9000 } },
    {
      primary: { used_percent: 20, window_minutes: 10_080, resets_at: AT + 90_000 },
      secondary: { used_percent: 11, window_minutes: 300, resets_at: AT + 9000 },
    },
  ],
  "null behind it": [
    { primary: { used_percent: 33, window_minutes: 300, resets_at: AT + 9000 }, secondary: null },
    null,
    { limit_id: "codex", primary: null, secondary: null },
  ],
  "parts that are missing or odd": [{
    primary: { used_percent: 15, window_minutes: 300 },
    secondary: { used_percent: "7", window_minutes: 10_080, resets_at: AT },
  }],
  "another limit behind it": [
    {
      limit_id: "codex",
      primary: { used_percent: 21, window_minutes: 300, resets_at: AT + 9000 },
    },
    {
      ...{ limit_id: "codex_other", limit_name: "GPT-Spark" },
      primary: { used_percent: 77, window_minutes: 300, resets_at: AT + 9000 },
    },
  ],
};

/** Returns the text of a rollout with these limits. */
export function limitedRollout(
  id: string,
  cwd: string,
  limits: readonly unknown[],
  from = LIMITED_AT,
): string {
  const time = (minute: number): string => new Date(from + minute * 60_000).toISOString();
  const head = { id, cwd, timestamp: time(0), cli_version: "0.98.0", originator: "codex_cli_rs" };
  const records: object[] = [
    { timestamp: time(0), type: "session_meta", payload: head },
    {
      ...{ timestamp: time(0), type: "response_item" },
      payload: {
        ...{ type: "message", role: "user" },
        content: [{ type: "input_text", text: "Fix it" }],
      },
    },
  ];
  for (const [at, rate_limits] of limits.entries()) {
    const counts = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    const total = { input_tokens: 100 * (at + 1), output_tokens: 10 * (at + 1) };
    const info = { last_token_usage: counts, total_token_usage: total };
    records.push({
      ...{ timestamp: time(at), type: "event_msg" },
      payload: { type: "token_count", info, rate_limits },
    });
  }
  return records.map((record) => JSON.stringify(record) + "\n").join("");
}
