import assert from "node:assert/strict";
import { quoteFor, shellCommand, shellLine } from "../../../lib/core/platform/shell_word.ts";

Deno.test("a word stays as it is where its shell needs no quotes", () => {
  for (const shell of ["powershell", "cmd"] as const) {
    for (const plain of ["C:\\dev\\my-app", "claude:3f2a", "--since", "7d"]) {
      assert.equal(quoteFor(shell, plain), plain);
    }
  }
  assert.equal(quoteFor("posix", "a,b@c"), "a,b@c");
});

Deno.test("a word is quoted by the rules of its shell", () => {
  const words = ["it's", "a b", "$x", "a,b", 'say "x"', "C:\\my dir\\", "", "~"];
  assert.deepEqual(words.map((word) => quoteFor("powershell", word)), [
    ...["'it''s'", "'a b'", "'$x'", "'a,b'", "'say \"x\"'", "'C:\\my dir\\'", "''", "'~'"],
  ]);
  assert.deepEqual(words.map((word) => quoteFor("cmd", word)), [
    ...['"it\'s"', '"a b"', '"$x"', '"a,b"', '"say ""x"""', '"C:\\my dir\\\\"', '""', '"~"'],
  ]);
});

Deno.test("no shell gets an invisible character", () => {
  const word = "a\u202e`b";
  assert.equal(quoteFor("posix", word), "$'a\\342\\200\\256`b'");
  assert.equal(quoteFor("powershell", word), '"a$([char]::ConvertFromUtf32(0x202e))``b"');
  assert.equal(quoteFor("cmd", word), '"a?`b"');
});

Deno.test("a line changes to a directory, then runs each command, in each shell", () => {
  const commands = [["claude", "--import", "a b"], ["C:\\Program Files\\x.exe", "-r"]];
  assert.equal(
    shellLine("D:\\my app", commands, "powershell"),
    "cd 'D:\\my app'; claude --import 'a b'; & 'C:\\Program Files\\x.exe' -r",
  );
  assert.equal(
    shellLine("D:\\my app", commands, "cmd"),
    'cd /d "D:\\my app" && claude --import "a b" && "C:\\Program Files\\x.exe" -r',
  );
  assert.equal(shellLine("/my app", [["pi", "-r"]], "posix"), "cd '/my app' && pi -r");
  assert.equal(shellLine(undefined, [["pi"]], "powershell"), shellCommand(["pi"], "posix"));
});
