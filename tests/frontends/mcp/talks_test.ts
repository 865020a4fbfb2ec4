/**
 * The talks of `testdata/mcp`: calls of tools and what they answer. `$ TOOL ARGUMENTS` calls a tool,
 * with `<cursor>` for the cursor of the answer before; an error is printed behind `! `. `$ pages TOOL
 * ARGUMENTS` prints all pages, and `$ server OPTIONS` starts another server.
 */
import type { ServeHistoryOptions } from "../../../lib/frontends/mcp/serve.ts";
import type { CliHome } from "../../_support/cli_home.ts";
import type { McpTalk } from "../../_support/mcp_talk.ts";
import { type Stage, testTranscripts } from "../../commands/_transcript_tests.ts";
import { allPages, talkAbout } from "./_history.ts";

const CURSOR = /\ncursor: (\S+)$/;

function stageOf(home: CliHome): Stage {
  const talks: Promise<McpTalk>[] = [];
  let cursor = "";
  const serve = (options: Partial<ServeHistoryOptions>): void =>
    void talks.push(talkAbout(home, options));
  const talk = (): Promise<McpTalk> => {
    if (talks.length === 0) serve({});
    return talks.at(-1)!;
  };
  const path = JSON.stringify(home.path).slice(1, -1);
  const argumentsOf = (text: string): object =>
    JSON.parse(text.replaceAll("<cursor>", cursor).replaceAll(home.path, path));
  const call = async (name: string, rest: string): Promise<string> => {
    const [text = "", meta] = rest.split(" _meta: ");
    try {
      const given = meta === undefined ? undefined : JSON.parse(meta);
      const answer = await (await talk()).call(name, argumentsOf(text), given);
      cursor = CURSOR.exec(answer)?.[1] ?? cursor;
      return answer.replace(CURSOR, "\ncursor: <cursor>");
    } catch (error) {
      return `! ${(error as Error).message.replaceAll(`"${cursor}"`, '"<cursor>"')}`;
    }
  };
  const tools = ["list_sessions", "search_sessions", "read_session"];
  return {
    programs: {
      ...Object.fromEntries(tools.map((name) => [name, (rest: string) => call(name, rest)])),
      pages: async (rest) => {
        const [name = "", text = ""] = rest.split(/ (.*)/);
        return (await allPages(await talk(), name, argumentsOf(text))).join("--\n");
      },
      server: (rest) => Promise.resolve(serve(JSON.parse(rest))).then(() => ""),
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const one of talks) await (await one)[Symbol.asyncDispose]();
    },
  };
}

testTranscripts("mcp", stageOf);
