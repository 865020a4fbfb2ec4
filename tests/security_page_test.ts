/** The numbers and the names of SECURITY.md are those of the code. */
import assert from "node:assert/strict";
import { SOURCES, withoutComments } from "./_support/source_code.ts";
import { ENCODED_CARRIERS } from "./text/redaction/vendors/encoded_carriers.ts";
import {
  BARE_CARRIERS,
  NAMED_CARRIERS,
  PLAIN_CARRIERS,
} from "./text/redaction/vendors/plain_carriers.ts";
import { VENDOR_FORMS } from "./text/redaction/vendors/vendor_forms.ts";

const PAGE = (await Deno.readTextFile(new URL("../.github/SECURITY.md", import.meta.url)))
  .replaceAll(/\s+/g, " ");
const [KIB, MIB, MINUTE] = [1024, 1024 ** 2, 60_000];

function sourceOf(path: string): string {
  return withoutComments(SOURCES.get(path) ?? assert.fail(path));
}

/** A constant or a field of a file: a number, or a product of numbers. */
function constant(path: string, name: string): number {
  const [, product] = new RegExp(`\\b${name}(?: =|:) ([\\de_* ]+)[;,} ]`).exec(sourceOf(path)) ??
    [];
  assert.ok(product !== undefined, `${path}: ${name}`);
  return product.split("*").reduce((so_far, one) => so_far * Number(one.replaceAll("_", "")), 1);
}

/** The packages that the program imports; tests/lock_files_test.ts holds the file to that. */
const PACKAGES = Object.keys(
  JSON.parse(await Deno.readTextFile(new URL("../deno.lock", import.meta.url))).specifiers,
);
const CARRIERS = [PLAIN_CARRIERS, NAMED_CARRIERS, BARE_CARRIERS, ENCODED_CARRIERS].flat();
const STREAM = "lib/features/chat/models/event_source.ts";
const WATCH = "lib/features/backup/root_watches.ts";
const silence_ms = constant(WATCH, "ask_ms") + constant(WATCH, "answer_ms");
const SAID = [
  `limits of length (${
    constant("lib/core/log/line_splitter.ts", "MAX_LINE_BYTES") / MIB
  } MiB) and ` +
  `depth (${constant("lib/core/event/decode.ts", "MAX_DEPTH")})`,
  `a token of ${constant("commands/open/open_pages.ts", "SECRET_BYTES") * 8} bits`,
  `within some ${Math.ceil(silence_ms / 10_000) * 10} seconds`,
  `at most ${constant("lib/features/chat/workplace.ts", "LONGEST_BYTES") / MIB} MiB of this file`,
  `git is ended after ${constant("lib/features/blame/git/run_git.ts", "LIMIT_MS") / 1000} s`,
  `after ${
    constant("lib/features/chat/models/answer_draft.ts", "MAX_RESPONSE_LENGTH").toLocaleString("en")
  } characters`,
  `for ${constant(STREAM, "IDLE_MS") * constant(STREAM, "MOST_IDLES") / MINUTE} minutes`,
  `at most ${
    constant("lib/features/chat/models/http.ts", "MAX_BODY_BYTES") / KIB
  } KiB of an error message`,
  `pages of ${
    constant("lib/frontends/mcp/tool_definitions.ts", "PAGE_CHARACTERS").toLocaleString("en")
  } char`,
  `at most ${
    constant("lib/frontends/recall/start_text.ts", "MOST_AT_START").toLocaleString("en")
  } characters at the agent's start, and at most ${
    constant("lib/frontends/recall/compact_text.ts", "MOST_AFTER_COMPACTION").toLocaleString("en")
  } characters after a compaction`,
  `within ${constant("commands/hook.ts", "start") / 1000} s at the agent's start, or within ${
    constant("commands/hook.ts", "compact") / 1000
  } s after a compaction`,
  `a header of at most ${constant("lib/text/seal/age_file.ts", "MOST_HEADER_BYTES") / MIB} MiB`,
  // The memory of scrypt: 2 to the power of its cost, in blocks of 1 KiB.
  `each guess costs ${2 ** constant("lib/text/seal/seal.ts", "WORK_FACTOR") / KIB} MiB`,
  `read more than ${constant("commands/search/background_index.ts", "MUCH_BYTES") / 1e6} MB`,
  `more than ${
    constant("lib/features/chat/calls.ts", "MOST_CHARACTERS").toLocaleString("en")
  } characters ` +
  `or ${constant("lib/features/chat/calls.ts", "MOST_LINES")} lines`,
  `${PACKAGES.length} npm packages`,
  `secrets of ${VENDOR_FORMS.length} documented forms and puts them into ${CARRIERS.length} contexts`,
];

Deno.test("the numbers of the page of security are those of the code", () => {
  const page = PAGE.toLowerCase();
  for (const said of SAID) assert.ok(page.includes(said.toLowerCase()), said);
});

Deno.test("the page of security names everything that lies in the data root", () => {
  const [, list = ""] = /files and folders in the data root: ([^;]*?)\. - /.exec(PAGE) ?? [];
  const named = [...list.matchAll(/`([^`]+?)\/?`/g)].map(([, name]) => name);
  const ours = [...SOURCES.keys()].filter((path) => /^lib\/(?!agents\/)/.test(path));
  const joined = ours.flatMap((path) =>
    [...sourceOf(path).matchAll(/join\((?:options\.)?root, (?:"([\w.-]+)"|([A-Z_]+))/g)].map(
      ([, name, of]) => name ?? new RegExp(`\\b${of} = "([^"]+)"`).exec(sourceOf(path))?.[1],
    )
  );
  assert.deepEqual([...new Set(joined)].sort(), named.sort());
});

Deno.test("the executable is compiled with all permissions", async () => {
  assert.ok(PAGE.includes("The executable is compiled with all permissions."));
  const script = await Deno.readTextFile(new URL("../.ci/compile", import.meta.url));
  assert.match(script, /^"\$deno" compile .* -A \\$/m);
});
