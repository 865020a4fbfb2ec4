/**
 * The transcripts of `testdata/pages`: addresses and what their pages hold. `$ page ADDRESS` asks for
 * a page, and prints its status and where it leads, unless the page is shown. `$ find PATTERN` prints
 * each match in this page, by its groups where it has some. `$ follow PATTERN` asks for the address
 * that is found, and `$ caching` lets the site keep its cache.
 */
import assert from "node:assert/strict";
import type { CliHome } from "../../_support/cli_home.ts";
import { type Stage, testTranscripts } from "../../commands/_transcript_tests.ts";
import { askIn, askOf, cachingContextOf, type WholeResponse } from "./_site.ts";

function stageOf(home: CliHome): Stage {
  let ask = askOf(home);
  let shown: WholeResponse | undefined;
  const plain = (text = ""): string =>
    text.replaceAll(home.path, "~").replaceAll(encodeURIComponent(home.path), "~")
      .replaceAll("~%5C", "~%2F");
  const matches = (pattern: string): string[] => {
    assert.ok(shown !== undefined);
    const found = plain(shown.body).matchAll(new RegExp(pattern, "g"));
    return [...found].map(([all, ...groups]) => groups.length === 0 ? all : groups.join(" "));
  };
  const page = async (address: string): Promise<string> => {
    const [path = "", words] = address.split(/\?(.*)/s);
    const query = words?.replace(/~$/, home.path).replaceAll(
      home.path,
      encodeURIComponent(home.path),
    );
    shown = await ask(query === undefined ? path : `${path}?${query}`);
    const { status, headers } = shown;
    return status === 200 ? "" : plain(`${status} ${headers["location"] ?? ""}`);
  };
  return {
    programs: {
      page,
      find: (pattern) => Promise.resolve(matches(pattern).join("\n")),
      follow: (pattern) =>
        page((matches(pattern)[0] ?? "").replaceAll("&amp;", "&").replace("~", home.path)),
      caching: () => {
        ask = askIn(cachingContextOf(home));
        return Promise.resolve("");
      },
    },
  };
}

testTranscripts("pages", stageOf);
