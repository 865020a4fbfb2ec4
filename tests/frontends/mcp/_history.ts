/** A home with sessions, and talks with a server over them. */
import { openLibrary } from "../../../lib/library/library.ts";
import type { ServeHistoryOptions } from "../../../lib/frontends/mcp/serve.ts";
import { LABEL } from "../../../lib/frontends/mcp/tool_definitions.ts";
import type { CliHome } from "../../_support/cli_home.ts";
import { McpTalk } from "../../_support/mcp_talk.ts";

/** Opens a talk with a server in a home's working directory. */
export async function talkAbout(
  home: CliHome,
  options: Partial<ServeHistoryOptions> = {},
): Promise<McpTalk> {
  const variable = (name: string): string | undefined => name === "HOME" ? home.path : undefined;
  const library = openLibrary({
    ...{ root: home.store, cwd: home.work, variable },
    cache: { version: "test" },
  });
  const talk = new McpTalk(library, { cwd: home.work, ...options });
  await talk.open();
  return talk;
}

/** A page: its items, without the label, and the cursor of the next one. */
export interface ReadPage {
  text: string;
  cursor?: string;
  /** The page ends within an item. */
  is_cut: boolean;
}

/** Takes a page apart. */
export function readPage(answer: string): ReadPage {
  if (!answer.startsWith(`${LABEL}\n`)) throw new Error(`It has no label: ${answer}`);
  const [, body = "", cursor] = /^([^]*?)(?:\ncursor: (\S+))?$/.exec(
    answer.slice(LABEL.length + 1),
  ) ?? [];
  const cut = /\n\[\d+ more characters of this item on the next page\]$/.exec(body);
  return {
    text: cut === null ? `${body}\n` : body.slice(0, cut.index),
    ...(cursor === undefined ? {} : { cursor }),
    is_cut: cut !== null,
  };
}

/** Reads all pages of a tool. */
export async function allPages(talk: McpTalk, name: string, args: object): Promise<string[]> {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await talk.call(name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    if (answer.length > 16_000) throw new Error(`A page has ${answer.length} characters`);
    const page = readPage(answer);
    pages.push(page.text);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}
