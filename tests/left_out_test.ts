import assert from "node:assert/strict";
import { LeftOut } from "./_support/left_out.ts";
import { needing } from "./_support/needing.ts";

Deno.test("tests that are left out are counted by what they need, however the output is cut", async () => {
  const output = [
    "one (needs tmux: apt install tmux) ... ignored (0ms)",
    "two ... ok (1ms)",
    "\x1b[0m./a_test.ts => \x1b[0mthree (needs tmux: apt install tmux) ... \x1b[0m\x1b[33mignored\x1b[0m",
    "four (needs age: .ci/servers) ... ignored (0ms)",
    "five ... ignored (0ms)",
  ].join("\n");
  for (const size of [1, 7, output.length]) {
    const left_out = new LeftOut();
    const bytes = new TextEncoder().encode(output);
    const chunks = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, at) => bytes.slice(at * size, (at + 1) * size),
    );
    const passed = ReadableStream.from(chunks).pipeThrough(left_out.stream());
    assert.equal(await new Response(passed).text(), output);
    assert.equal(
      left_out.summary(),
      "Left out:\n  2 need tmux (apt install tmux)\n  1 needs age (.ci/servers)",
    );
  }
});

Deno.test("a test names the first thing that it needs and that is missing", () => {
  const here = { what: "this", get: "nowhere", met: true };
  const missing = { what: "a moon", get: "wait for the night", met: false };
  assert.deepEqual(needing("a test", here), { name: "a test", ignore: false });
  assert.deepEqual(needing("a test", here, missing), {
    name: "a test (needs a moon: wait for the night)",
    ignore: true,
  });
});
