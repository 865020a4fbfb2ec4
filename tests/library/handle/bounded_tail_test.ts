import assert from "node:assert/strict";
import { openLibrary } from "../../../lib/library/library.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { makeAgentHome } from "../../bench/agent_sessions.ts";
import { inHome } from "../../_support/cli_home.ts";

/** Items without what may stand further back: their numbers, their turn, and its model. */
function unnumbered(items: readonly TranscriptItem[]): string[] {
  const hidden = { seq: 0, end_seq: 0, turn_id: 0, model: 0 };
  return items.map((item) => JSON.stringify(Object.entries({ ...item, ...hidden }).sort()));
}

for (const agent of ["claude", "codex", "pi"] as const) {
  inHome.test(`the last bytes of a session of ${agent} hold the end of it, and no more`, async (home) => {
    makeAgentHome(agent, home.path, { count: 1, bytes: 1e6 });
    const library = openLibrary({
      root: home.store,
      variable: (name) => name === "HOME" ? home.path : undefined,
    });
    const [entry] = await library.sessions({ agents: [agent] });
    assert.ok(entry !== undefined);
    const session = await library.entry(entry).open();
    const shown = transcript();
    const events = [];
    for await (const batch of session.events({ needs: shown.needs })) events.push(...batch);
    const all = unnumbered(foldEvents(shown, events));
    let before = 0;
    for (const most_bytes of [2e4, 2e5, 5e5, 1e9]) {
      const options = { needs: shown.needs, most_bytes };
      const end = unnumbered(foldEvents(shown, await session.tail(Infinity, options)));
      assert.ok(end.length > before, `${most_bytes}`);
      before = end.length;
      // A call at the cut may have begun before it.
      const same = end.findLastIndex((item, at) => item !== all[all.length - end.length + at]);
      assert.ok(same < 8, `${most_bytes}: ${same} of ${end.length}`);
      // As many messages as were asked for are enough.
      const few = await session.tail(2, options);
      assert.ok(few.length > 0 && few.length <= events.length);
    }
    assert.ok(before >= all.length - 2);
  });
}
