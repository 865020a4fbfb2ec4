import assert from "node:assert/strict";
import { type CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { assistant, user } from "../../../_support/log_bytes.ts";
import { type Ask, askOf } from "../_site.ts";

const ID = sessionId("aaaa");
/** The messages with the words, of 800. */
const HITS = [3, 400, 401, 700];

function keepLong(home: CliHome): void {
  const events = Array.from({ length: 400 }, (_, turn) => [
    user(HITS.includes(2 * turn) ? "A ZEBRA\n  crossing" : `prompt ${turn}`),
    assistant(HITS.includes(2 * turn + 1) ? "the zebra **crossing** is seen" : "ok"),
  ]);
  home.keep(ID, events.flat());
}

/** Returns the event to which an address redirects. */
async function hitOf(ask: Ask, address: string): Promise<number> {
  const { status, headers } = await ask(address);
  assert.equal(status, 303, address);
  const [, seq, words, anchor] = /^session\?ref=[^&]*&seq=(\d+)&words=([^#]*)#e(\d+)$/
    .exec(headers["location"] ?? "") ?? [];
  assert.deepEqual([words, anchor], ["zebra+crossing", seq]);
  return Number(seq);
}

inHome.test("links lead from the hits of a page to those of the next and the previous one", async (home) => {
  keepLong(home);
  const ask = askOf(home);
  const hrefs = async (seq: number): Promise<Record<string, string>> => {
    const { body } = await ask(`session?ref=${ID}&seq=${seq}&words=zebra+crossing`);
    const links = body.matchAll(/data-hit-page="(\w+)" href="([^"]+)"/g);
    return Object.fromEntries([...links].map(([, name, href = ""]) => [
      name,
      href.replaceAll("&amp;", "&"),
    ]));
  };
  const first = await hitOf(ask, `hit?ref=${ID}&words=zebra+crossing`);
  const { next = "", previous = "" } = await hrefs(first);
  assert.match((await ask(previous)).body, /No earlier hit/);
  const second = await hitOf(ask, next);
  const middle = await hrefs(second);
  const last = await hitOf(ask, middle["next"] ?? "");
  assert.deepEqual([second - first, last - second], [HITS[1]! - HITS[0]!, HITS[3]! - HITS[1]!]);
  assert.equal(await hitOf(ask, middle["previous"] ?? ""), first);
  // On a page with no search, its links are for the script alone.
  const plain = await ask(`session?ref=${ID}&seq=${second}`);
  assert.doesNotMatch(plain.body, /data-hit-page="\w+" href="[^"]+">/);
  assert.match(plain.body, /data-hit-page="next" href="[^"]+" hidden>/);
  const none = await ask(`hit?ref=${ID}&words=zebra+crossing&from=750`);
  assert.match(none.body, /No later hit.*href="session\?ref=[^"]*before=750/s);
  // The end is read by itself, and counts from there.
  const end = await ask(`session?ref=${ID}&end=1&words=zebra+crossing`);
  const back = /data-hit-page="previous" href="([^"]+)"/.exec(end.body)?.[1] ?? "";
  assert.equal(await hitOf(ask, back.replaceAll("&amp;", "&")), second + 1);
});

inHome.test("names of tags and of fields are no hits", async (home) => {
  keepLong(home);
  const { body } = await askOf(home)(`hit?ref=${ID}&words=message`);
  assert.match(body, /No later hit/);
});
