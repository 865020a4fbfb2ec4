import assert from "node:assert/strict";
import { pathInUrl } from "../../../lib/reading/files/file_url.ts";

Deno.test("an address of a file gives the path that its own system wrote", () => {
  const cases: [unknown, string | undefined][] = [
    ["file:///home/ada/a%20b", "/home/ada/a b"],
    ["file://localhost/home/ada", "/home/ada"],
    ["file:///home/ada/100%", "/home/ada/100%"],
    ["file:///c%3A/Users/ada", "c:\\Users\\ada"],
    ["FILE:///C:/", "C:\\"],
    ["file://server/share/x", "\\\\server\\share\\x"],
    ["vscode-remote://wsl%2Bubuntu/app", "/app"],
    ["/home/ada", undefined],
    ["untitled:1", undefined],
    [undefined, undefined],
  ];
  for (const [address, path] of cases) assert.equal(pathInUrl(address), path, String(address));
});
