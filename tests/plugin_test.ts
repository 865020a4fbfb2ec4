/** The plugin for Claude Code and Codex: its files are made from the program, and its fields known. */
import assert from "node:assert/strict";
import { hooksOf, pluginFiles } from "../.ci/plugin.ts";
import { ROOT } from "./_support/source_code.ts";

/** The fields of a manifest in both agents' documentation; `.ci/plugin.ts` names the pages. */
const MANIFEST = [
  ...["name", "version", "description", "author", "homepage", "repository", "license", "keywords"],
  ...["skills", "hooks", "mcpServers", "interface"],
];
const FILES = pluginFiles();

function jsonOf(path: string): Record<string, unknown> {
  return JSON.parse(FILES.get(path) ?? assert.fail(path));
}

Deno.test("the files of the plugin are those that the program has", () => {
  for (const [path, text] of FILES) {
    assert.equal(Deno.readTextFileSync(new URL(path, ROOT)), text, `${path}: deno task reference`);
  }
});

Deno.test("the plugin's manifests have documented fields, and name files that exist", () => {
  for (const agent of ["claude", "codex"] as const) {
    const manifest = jsonOf(`plugins/reprise/.${agent}-plugin/plugin.json`);
    assert.deepEqual(Object.keys(manifest).filter((field) => !MANIFEST.includes(field)), [], agent);
    assert.match(String(manifest.name), /^[a-z][a-z0-9-]*$/);
    for (const value of Object.values(manifest)) {
      if (typeof value !== "string" || !value.startsWith("./")) continue;
      assert.ok(Deno.statSync(new URL(`plugins/reprise/${value}`, ROOT)), value);
    }
  }
});

Deno.test("the lists of plugins name the plugin and its folder", () => {
  const [claude] = jsonOf(".claude-plugin/marketplace.json").plugins as { source: string }[];
  const [codex] = jsonOf(".agents/plugins/marketplace.json").plugins as {
    source: { path: string };
  }[];
  for (const path of [claude?.source, codex?.source.path]) {
    assert.ok(Deno.statSync(new URL(`${path}/skills/past-sessions/SKILL.md`, ROOT)).isFile);
  }
});

Deno.test("one file of hooks serves both agents", () => {
  assert.deepEqual(hooksOf("claude"), hooksOf("codex"));
  assert.equal(hooksOf("claude").SessionStart?.length, 2);
});
