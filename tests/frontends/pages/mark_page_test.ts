import assert from "node:assert/strict";
import { createSite } from "../../../lib/frontends/pages/site.ts";
import type { PageRequest } from "../../../lib/frontends/pages/site_frame.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { contextOf, KEY, requestOf } from "./_site.ts";

const ID = sessionId("aaaa");
const HOME = `/${KEY.token}/`;
const TARGET = `${HOME}mark?ref=${ID}`;
const ORIGIN = `http://${KEY.authority}`;
const OWN = { origin: ORIGIN, "sec-fetch-site": "same-origin" };

function formOf(
  target: string,
  headers: Record<string, string | undefined>,
  method = "POST",
): () => PageRequest {
  const form = new URLSearchParams({ title: "Okapi", tags: "#stripes, zoo stripes", pinned: "1" });
  return (): PageRequest => ({
    ...requestOf(target, headers, method),
    form: () => Promise.resolve(form),
  });
}

async function marksOf(home: CliHome): Promise<object> {
  const [entry] = (await contextOf(home).library.query({ archived: "any" })).entries;
  const { title, tags, pinned, note } = await entry?.row() ?? { title: "" };
  return { title, tags, pinned, note };
}

inHome.test("a form of a page sets marks, and only those that it names", async (home) => {
  home.keep(ID, [user("Where is the zebra?")]);
  const site = createSite(contextOf(home), KEY);
  const { status, headers } = await site(formOf(TARGET, OWN)());
  assert.deepEqual([status, headers["location"]], [303, `session?ref=${ID}`]);
  const marks = { title: "Okapi", tags: ["stripes", "zoo"], pinned: true };
  assert.deepEqual(await marksOf(home), { ...marks, note: undefined });
  const note = new URLSearchParams({ note: "It has\r\nstripes", pinned: "0" });
  await site({ ...formOf(TARGET, OWN)(), form: () => Promise.resolve(note) });
  assert.deepEqual(await marksOf(home), { ...marks, pinned: undefined, note: "It has\nstripes" });
});

inHome.test("a shared session's page has no form, and its marks cannot be set", async (home) => {
  home.keep(ID, [user("Where is the zebra?")]);
  const site = createSite({ ...contextOf(home), mark: undefined }, KEY);
  const { body } = await site(requestOf(`${HOME}session?ref=${ID}`));
  assert.doesNotMatch(String(body), /action="mark/);
  assert.equal((await site(formOf(TARGET, OWN)())).status, 404);
});

/** Requests that other pages, programs and machines can send, each of which must change nothing. */
const FORGERIES: readonly [target: string, headers: object, method?: string][] = [
  // A form, a script or an image of another site.
  [TARGET, { origin: "http://evil.example", "sec-fetch-site": "cross-site" }],
  [TARGET, { origin: "null", "sec-fetch-site": "cross-site" }],
  [TARGET, { origin: "https://127.0.0.1:4123", "sec-fetch-site": "cross-site" }],
  [TARGET, { origin: undefined, "sec-fetch-site": "cross-site" }],
  [TARGET, { origin: "http://evil.example", "sec-fetch-site": "same-origin" }],
  // Another server of this machine.
  [TARGET, { origin: "http://127.0.0.1:4124", "sec-fetch-site": "same-site" }],
  [TARGET, { origin: "http://localhost:4123", "sec-fetch-site": "same-site" }],
  [TARGET, { "sec-fetch-site": "same-site" }],
  // An address that a person was led to.
  [TARGET, { "sec-fetch-site": "none" }],
  [TARGET, { origin: ORIGIN, "sec-fetch-site": "none" }],
  // A program without a browser's headers.
  [TARGET, {}],
  [TARGET, { origin: ORIGIN }],
  [TARGET, { origin: "null" }],
  // A name that leads to this machine.
  [TARGET, { ...OWN, host: "evil.example:4123" }],
  [TARGET, { ...OWN, host: undefined }],
  // Without the secrets.
  [TARGET, { ...OWN, cookie: undefined }],
  [TARGET, { ...OWN, cookie: "reprise=guess" }],
  [`/guess/mark?ref=${ID}`, OWN],
  [`/mark?ref=${ID}`, OWN],
  // By a method that links and images use, or that forms cannot.
  [TARGET, OWN, "GET"],
  [TARGET, OWN, "HEAD"],
  [TARGET, OWN, "PUT"],
  [TARGET, OWN, "post"],
];

inHome.test("23 forged requests set no mark", async (home) => {
  home.keep(ID, [user("Where is the zebra?")]);
  const site = createSite(contextOf(home), KEY);
  // The token was used by the one who has the cookie.
  await site(requestOf(HOME, { cookie: undefined }));
  const before = await marksOf(home);
  for (const [target, headers, method] of FORGERIES) {
    const { status } = await site(formOf(target, { ...headers }, method)());
    assert.ok([403, 404, 405].includes(status), `${status} ${JSON.stringify([headers, method])}`);
  }
  assert.equal(FORGERIES.length, 23);
  assert.deepEqual(await marksOf(home), before);
});
