/** Rollouts written for one test. */

function toLine(item: unknown): unknown {
  const whole = typeof item === "object" && item !== null && "payload" in item;
  return whole ? item : { type: "response_item", payload: item };
}

/** Writes a thread of response items, and of whole lines; gives its path. */
export async function writeRollout(items: readonly unknown[]): Promise<string> {
  const id = "0199bbbb-0000-7000-8000-000000000001";
  const head = { type: "session_meta", payload: { id, cwd: "/w", cli_version: "0.98.0" } };
  const lines = [head, ...items.map(toLine)];
  const path = await Deno.makeTempFile({ prefix: "rollout-", suffix: ".jsonl" });
  await Deno.writeTextFile(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return path;
}
