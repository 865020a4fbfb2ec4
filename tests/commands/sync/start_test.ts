import assert from "node:assert/strict";
import { edges, sourcesIn } from "../../_support/source_code.ts";

Deno.test("no other command loads a part of sync at its start", () => {
  const sources = new Map([...sourcesIn("commands/"), ...sourcesIn("lib/")]);
  const next = Map.groupBy(
    edges(sources).filter(({ form }) => form === "value"),
    ({ from }) => from,
  );
  const ofSync = /^lib\/features\/team\/|^commands\/sync\b/;
  const loaded = (start: string): string[] => {
    const reached = new Set([start]);
    for (const path of reached) for (const { to } of next.get(path) ?? []) reached.add(to);
    return [...reached];
  };
  const commands = [...sources.keys()].filter((path) => /^commands\/[a-z]+\.ts$/.test(path));
  const others = commands.filter((path) => path !== "commands/sync.ts");
  assert.ok(others.length > 30);
  for (const path of ["commands/_run.ts", "commands/list/list_sessions.ts", ...others]) {
    const found = loaded(path).filter((one) => ofSync.test(one));
    assert.deepEqual(found, [], path);
  }
  assert.ok(loaded("commands/sync.ts").some((one) => one.startsWith("commands/sync/")));
});
