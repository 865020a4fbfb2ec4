/**
 * Two sessions about a website: one that met an overloaded provider and got a name, and a fork of
 * it that tries another way.
 */
import { begun, declared, started, user } from "./drafts.ts";
import type { NewEvent } from "../../../lib/event/envelope.ts";
import { demoEvents, type DemoSession, type Step, turnOf } from "./demo_clock.ts";
import { changes, ends, ran, runs, says, thinks } from "./demo_drafts.ts";
import { draft } from "./event_line.ts";

const CWD = "/home/ada/src/site";
const RENAMED_ID = "b7e5d3a0-9c18-4d62-b4f9-2a8e1c6f7035";
const FORKED_ID = "e49c7f12-5a3b-4c08-a7d6-90b1f3e8d264";
const FEED = "build/feed.ts";
const BUILD = "deno task build && grep -m2 -A2 '<item>' public/feed.xml";

function start(session_id: string, created_at: string, more: object = {}): Step {
  return [
    0,
    started({
      session_id,
      created_at,
      cwd: CWD,
      app: { name: "reprise", version: "0.1.0" },
      git: { branch: "main", commit: "0d97e5b" },
      ...more,
    }),
  ];
}

const FEED_TEXT = `import type { Post } from "./post.ts";

export function feed(posts: Post[]): string {
  const items = posts.map((post) => \`<item>
    <title>\${post.title}</title>
    <link>https://ada.example.org/\${post.slug}</link>
    <pubDate>\${new Date()}</pubDate>
  </item>\`);
  return \`<rss version="2.0"><channel>\${items.join("")}</channel></rss>\`;
}
`;

const FEED_HUNK = `@@ -1,10 +1,11 @@
+import { escape } from "./html.ts";
 import type { Post } from "./post.ts";
 
 export function feed(posts: Post[]): string {
   const items = posts.map((post) => \`<item>
-    <title>\${post.title}</title>
+    <title>\${escape(post.title)}</title>
     <link>https://ada.example.org/\${post.slug}</link>
-    <pubDate>\${new Date()}</pubDate>
+    <pubDate>\${post.date.toUTCString()}</pubDate>
   </item>\`);
   return \`<rss version="2.0"><channel>\${items.join("")}</channel></rss>\`;
 }`;

const BUILT = `Task build deno run -RW build/main.ts
41 posts, 0.6 s
  <item>
    <title>Double entry for the impatient</title>
    <link>https://ada.example.org/double-entry</link>
  <item>
    <title>Letters &amp; numbers</title>
    <link>https://ada.example.org/letters-and-numbers</link>
`;

function failedTurn(): Step[] {
  return turnOf(
    "t1",
    [9.8, user("My feed reader shows every post as published today. 学校のページも同じです。")],
    [
      31.4,
      draft("turn_failed", { reason: "error", message: "529: the model is overloaded (3 tries)" }),
    ],
  );
}

function diagnosis(): Step[] {
  return turnOf(
    "t2",
    [40.2, user("Again, please.")],
    [
      2.5,
      says("msg_31", "", { input: 240, output: 48, cache_write: 3310 }, [
        declared("toolu_31A", "read_file", { path: FEED }),
      ]),
    ],
    [0.01, begun("toolu_31A")],
    [0.02, ends("toolu_31A", "read_file", FEED_TEXT, 3)],
    [
      6.1,
      says(
        "msg_32",
        '`build/feed.ts` writes `new Date()`, the time of the build, as `pubDate` of every post; 学校のページ is built by the same function, so it is the same bug there. The form is wrong as well: RSS wants RFC 822 dates, and readers that cannot parse one fall back to today.\n\n`post.date.toUTCString()` cures both. Titles are not escaped either; "Letters & numbers" makes the feed invalid. Shall I do both?',
        { input: 160, output: 131, cache_read: 3310 },
      ),
    ],
  );
}

function repair(): Step[] {
  return turnOf(
    "t3",
    [25.7, user("Both, yes.")],
    [
      3.3,
      says("msg_33", "", { input: 150, output: 176, cache_read: 3560 }, [
        declared("toolu_33A", "edit_file", { path: FEED, replace: "feed" }),
        declared("toolu_33B", "bash", { command: BUILD }),
      ]),
    ],
    [0.01, begun("toolu_33A")],
    [0.02, changes("toolu_33A", FEED, FEED_HUNK)],
    [0.01, ends("toolu_33A", "edit_file", `Edited ${FEED}: 3 lines added, 2 removed.`, 5)],
    [0.01, runs("toolu_33B", "Build and look")],
    [1.4, ran("toolu_33B", BUILD, BUILT, 1322, { summary: "Build and look" })],
    [
      4.0,
      says(
        "msg_34",
        "Dates are those of the posts, and titles are escaped. Readers keep what they have seen by `guid`; there is none, so some will show old posts once more.",
        { input: 280, output: 66, cache_read: 3890 },
      ),
    ],
  );
}

/** The session that got a name. */
export function renamedSession(): DemoSession {
  const created_at = "2026-11-19T16:02:11.905Z";
  const steps: Step[] = [
    start(RENAMED_ID, created_at),
    ...failedTurn(),
    ...diagnosis(),
    ...repair(),
    [33, draft("session_renamed", { title: "Feed: dates and titles of posts" })],
    [2.2, draft("session_closed", { status: "completed", exit_code: 0 })],
  ];
  return { id: RENAMED_ID, cwd: CWD, created_at, steps };
}

const ATOM_HUNK = `@@ -0,0 +1,19 @@
+import { escape } from "./html.ts";
+import type { Post } from "./post.ts";
+
+/** The newest posts as an Atom feed. The id of an entry never changes, whatever its address. */
+export function atomFeed(posts: Post[], updated: Date): string {
+  return \`<?xml version="1.0" encoding="utf-8"?>
+<feed xmlns="http://www.w3.org/2005/Atom">
+  <id>tag:ada.example.org,2019:feed</id>
+  <updated>\${updated.toISOString()}</updated>
+  \${posts.map(entry).join("\\n  ")}
+</feed>\`;
+}
+
+function entry({ title, slug, date }: Post): string {
+  const id = \`tag:ada.example.org,\${date.toISOString().slice(0, 10)}:\${slug}\`;
+  return \`<entry><id>\${id}</id><title>\${escape(title)}</title>\` +
+    \`<link href="https://ada.example.org/\${slug}"/>\` +
+    \`<updated>\${date.toISOString()}</updated></entry>\`;
+}`;

function otherWay(): Step[] {
  return turnOf(
    "t3",
    [
      52,
      user(
        "Another way: drop RSS, write an Atom feed with ids that stay. Only the new file, I wire it up.",
      ),
    ],
    [
      3.8,
      thinks(
        "msg_41",
        "Tag URIs are made for this: domain, date, slug. The date of the post must not change, which holds here because it is part of the file's name.",
      ),
    ],
    [
      0.5,
      says("msg_41", "Tag URIs (RFC 4151) stay the same when the address of a post changes.", {
        input: 231,
        output: 402,
        cache_read: 3310,
      }, [declared("toolu_41A", "write_file", { path: "build/atom.ts" })]),
    ],
    [0.01, begun("toolu_41A")],
    [0.02, changes("toolu_41A", "build/atom.ts", ATOM_HUNK)],
    [0.01, ends("toolu_41A", "write_file", "Wrote build/atom.ts: 19 lines.", 4)],
    [
      3.6,
      says(
        "msg_42",
        "`build/atom.ts` has `atomFeed(posts, updated)`. Nothing calls it yet. Leave `feed.xml` in place for a while: readers do not follow a feed that is gone.",
        { input: 140, output: 58, cache_read: 4010 },
      ),
    ],
  );
}

/** The fork: the other session up to the diagnosis, then another way. */
export function forkedSession(): DemoSession {
  const created_at = "2026-11-21T09:30:40.118Z";
  const parent_steps = [...failedTurn(), ...diagnosis()];
  const seq = 1 + parent_steps.length;
  const copied = demoEvents(renamedSession()).slice(1, seq).map((event): Step => {
    const { v: _v, seq, ...rest } = event;
    return [0, { ...rest, source: { session_id: RENAMED_ID, seq } } as NewEvent];
  });
  const parent = { session_id: RENAMED_ID, seq, reason: "fork" };
  const steps = [start(FORKED_ID, created_at, { parent }), ...copied, ...otherWay()];
  return { id: FORKED_ID, cwd: CWD, created_at, steps };
}
