import assert from "node:assert/strict";
import { pathInUrl } from "../../../../lib/agents/engine/files/file_url.ts";

Deno.test("an address of a file gives the path that its own system wrote", () => {
  const cases: [unknown, string | undefined][] = [
    ["file:///home/ada/a%20b", "/home/ada/a b"],
    ["file://localhost/home/ada", "/home/ada"],
    ["file:///home/ada/100%", "/home/ada/100%"],
    ["file:///c%3A/Users/ada", "c:\\Users\\ada"],
    ["FILE:///C:/", "C:\\"],
    ["file://server/share/x", "\\\\server\\share\\x"],
    ["vscode-remote://wsl%2Bubuntu/app", "\\\\wsl.localhost\\ubuntu\\app"],
    ...["ssh-remote+host/app", "dev-container%2B7b/app", "codespaces+x/app"].map((rest) => {
      return [`vscode-remote://${rest}`, `vscode-remote://${rest}`] as [string, string];
    }),
    ["vscode-vfs://github/ada/app", "vscode-vfs://github/ada/app"],
    ["/home/ada", undefined],
    ["untitled:1", undefined],
    [undefined, undefined],
  ];
  for (const [address, path] of cases) assert.equal(pathInUrl(address), path, String(address));
});

Deno.test("an address of another machine is a path in that machine's editor server alone", () => {
  const address = "vscode-remote://ssh-remote%2Bhost/app";
  for (const server of [".vscode-server", ".vscode-server-insiders", ".local/share/code-server"]) {
    assert.equal(pathInUrl(address, `/home/ada/${server}/User/workspaceStorage/1`), "/app");
  }
  assert.equal(pathInUrl(address, "/home/ada/.config/Code/User/workspaceStorage/1"), address);
});
