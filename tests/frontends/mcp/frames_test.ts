import assert from "node:assert/strict";
import { openLibrary } from "../../../lib/library/library.ts";
import { type CliHome, inHome, sessionId } from "../../_support/cli_home.ts";
import { user } from "../../_support/log_bytes.ts";
import { McpTalk } from "../../_support/mcp_talk.ts";
import { brokenPipe } from "../../../lib/core/platform/system_error.ts";

function libraryOf(home: CliHome): ReturnType<typeof openLibrary> {
  return openLibrary({ root: home.store, variable: () => undefined, cwd: home.work });
}

function talkIn(home: CliHome): McpTalk {
  home.keep(sessionId("aaaa"), [user("Hello")]);
  return new McpTalk(libraryOf(home), { cwd: home.work });
}

inHome.test("a malformed frame gets the protocol's error, and the next one its answer", async (home) => {
  await using talk = talkIn(home);
  await talk.open();
  const cases: [frame: string, code: number, id: unknown][] = [
    ["no json", -32700, null],
    ['{"jsonrpc":"2.0","id":7', -32700, null],
    ["[]", -32600, null],
    ["null", -32600, null],
    ['[{"jsonrpc":"2.0","id":7,"method":"ping"}]', -32600, null],
    ['{"id":7,"method":"ping"}', -32600, 7],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, "a"],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":7,"method":5}', -32600, 7],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":3}}', -32600, 7],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"progressToken":{}}}}', -32600, 7],
    ['{"jsonrpc":"2.0","id":7,"method":"ping","params":3}', -32600, 7],
    [`{"jsonrpc":"2.0","id":7,"method":"${"x".repeat(2 ** 20)}"}`, -32600, null],
    ["\xff\xfe", -32700, null],
    ['{"jsonrpc":"2.0","id":8,"method":"no/such"}', -32601, 8],
    ['{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"rm"}}', -32602, 8],
    ['{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":3}}', -32602, 8],
  ];
  for (const [frame, code, id] of cases) {
    const answer = talk.answer(id);
    await talk.send(`${frame}\n`);
    const { error } = await answer;
    assert.equal(error?.code, code, frame.slice(0, 80));
  }
  await talk.send("\n \r\n");
  assert.match(await talk.call("list_sessions", {}), /Hello/);
});

inHome.test("frames may come in pieces, and several at once", async (home) => {
  await using talk = talkIn(home);
  await talk.open();
  const frame = JSON.stringify({
    ...{ jsonrpc: "2.0", id: "ü", method: "tools/call" },
    params: { name: "search_sessions", arguments: { query: "hello" } },
  });
  const answer = talk.answer("ü");
  const bytes = new TextEncoder().encode(`${frame}\r\n`);
  // In the middle of a character, too.
  for (const byte of bytes) await talk.sendBytes(Uint8Array.of(byte));
  assert.match((await answer).result.content[0].text, /Hello/);
  const many = await Promise.all(
    Array.from(
      { length: 40 },
      (_, at) =>
        talk.call(
          at % 2 === 0 ? "list_sessions" : "read_session",
          at % 2 === 0 ? {} : {
            ref: "aaaa",
          },
        ),
    ),
  );
  for (const text of many) assert.match(text, /Hello/);
});

inHome.test("a request that is never answered holds up no end of the input", async (home) => {
  const talk = talkIn(home);
  await talk.open();
  await talk.send('{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n');
  await talk.send('{"jsonrpc":"2.0","id":7,"result":{},"method":"ping"}\n');
  const start = performance.now();
  await talk.endInput();
  await talk.ended;
  assert.ok(performance.now() - start < 5_000);
});

inHome.test("answers all requests after the input has ended, then ends", async (home) => {
  const talk = talkIn(home);
  await talk.open();
  const answer = talk.call("list_sessions", {});
  await talk.endInput();
  assert.match(await answer, /Hello/);
  await talk.ended;
});

inHome.test("a client that hangs up ends it quietly", async (home) => {
  home.keep(sessionId("aaaa"), [user("Hello")]);
  let written = 0;
  const talk = new McpTalk(libraryOf(home), {
    cwd: home.work,
    write: () => {
      written++;
      throw brokenPipe("gone");
    },
  });
  await talk.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  await talk.ended;
  assert.equal(written, 1);
});

inHome.test("a request that is cancelled is not answered, and others are", async (home) => {
  await using talk = talkIn(home);
  await talk.open();
  const params = { name: "list_sessions", arguments: {} };
  await talk.send(
    `${JSON.stringify({ jsonrpc: "2.0", id: "c", method: "tools/call", params })}\n` +
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}\n',
  );
  await talk.call("list_sessions", {});
  assert.ok(!talk.lines.some((line) => JSON.parse(line).id === "c"));
});
