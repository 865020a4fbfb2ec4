import assert from "node:assert/strict";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { KEY, requestOf, siteOf } from "./_site.ts";

const ONE = sessionId("aaaa");

for (const [what, path] of [["a session", `events?ref=${ONE}`], ["all sessions", "events"]]) {
  // Slow: the page looks for changes a few times a second.
  inHome.test(`events tell at once and at each change of ${what}, until the reader leaves`, async (home) => {
    const created = new Date("2026-11-21T10:00:00Z");
    home.keep(ONE, [user("Where is the zebra?")], { created });
    const { body, headers } = await siteOf(home)(requestOf(`/${KEY.token}/${path}`));
    assert.equal(headers["content-type"], "text/event-stream");
    assert.ok(typeof body !== "string");
    const events = body[Symbol.asyncIterator]();
    assert.equal((await events.next()).value, "event: changed\ndata: 1\n\n");
    const next = events.next();
    home.keep(ONE, [user("Where is the zebra?"), assistant("In the garden")], { created });
    assert.equal((await next).value, "event: changed\ndata: 1\n\n");
    // It waits for another change: leaving ends it.
    const waits = events.next();
    await events.return?.();
    assert.equal((await waits).done, true);
  });
}
