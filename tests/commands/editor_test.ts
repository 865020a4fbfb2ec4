import assert from "node:assert/strict";
import { planEdit } from "../../commands/_editor.ts";

Deno.test("planEdit passes the line as each editor takes it, and starts no unknown program", () => {
  const plan = (command: string): string | undefined => {
    const find = (name: string): string | undefined => name === "no" ? undefined : `/bin/${name}`;
    const { program, args } = planEdit({ path: "/w/a.ts", line: 7 }, command, find) ?? {};
    return args && [program, ...args].join(" ");
  };
  assert.equal(plan("vim -n"), "/bin/vim -n +7 /w/a.ts");
  assert.equal(plan(" code --wait "), "/bin/code --wait --goto /w/a.ts:7");
  assert.equal(plan("/opt/hx"), "/opt/hx /w/a.ts:7");
  assert.equal(plan("no"), undefined);
});
