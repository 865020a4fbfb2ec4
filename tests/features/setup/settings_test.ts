import assert from "node:assert/strict";
import { jsonSettings } from "../../../lib/features/setup/settings/json_settings.ts";
import type {
  EntryPath,
  SettingsText,
} from "../../../lib/features/setup/settings/settings_text.ts";
import { tomlSettings } from "../../../lib/features/setup/settings/toml_settings.ts";
import { yamlSettings } from "../../../lib/features/setup/settings/yaml_settings.ts";

const ENTRY = { command: "/bin/reprise", args: ["mcp"] };
const SERVERS: EntryPath = ["mcpServers", "reprise"];
const TABLES: EntryPath = ["mcp_servers", "reprise"];
const EXTENSIONS: EntryPath = ["extensions", "reprise"];
const UNKNOWN = { code: "unsupported-source" };

/** Adds the entry to a text, and takes it out again. */
function thereAndBack(settings: SettingsText, path: EntryPath, before: string): string {
  assert.equal(settings.has(before, path), false);
  const added = settings.add(before, path, ENTRY);
  assert.equal(settings.has(added, path), true);
  assert.equal(settings.add(added, path, ENTRY) === added || settings === tomlSettings, true);
  const removed = settings.remove(added, path);
  assert.equal(settings.has(removed, path), false);
  assert.equal(removed, before);
  return added;
}

Deno.test("JSON: an entry goes behind the others; comments, keys and ends of lines stay", () => {
  const before = `{
  // "mcpServers": { "reprise": {} } is only said
  "a": "{ \\" // no comment",
  "mcpServers": {
    "other": { "command": "x", /* , */ "args": [1, {"b": []}] } // the last, by now
  },
  "z": 1
}
`;
  const added = thereAndBack(jsonSettings, SERVERS, before);
  assert.equal(
    added,
    before.replace(
      "} // the last, by now\n",
      `}, // the last, by now
    "reprise": {
      "command": "/bin/reprise",
      "args": [
        "mcp"
      ]
    }
`,
    ),
  );
  thereAndBack(jsonSettings, SERVERS, before.replaceAll("\n", "\r\n"));
  assert.equal(/(?<!\r)\n/.test(jsonSettings.add('{\r\n\t"a": 1\r\n}\r\n', SERVERS, ENTRY)), false);
});

Deno.test("JSON: the object of all servers is made, and goes with its last one", () => {
  for (
    const before of [
      '{\n  "a": 1\n}\n',
      '{\n    "a": 1,\n    // the end\n}',
      '{\n\t"a": [\n\t\t1\n\t],\n}\n',
      "{\n}\n",
      "{ // nothing\n}\n",
    ]
  ) thereAndBack(jsonSettings, SERVERS, before);
  const spread = jsonSettings.add('{"a":1}', SERVERS, ENTRY);
  assert.deepEqual(JSON.parse(spread), { a: 1, mcpServers: { reprise: ENTRY } });
  assert.deepEqual(JSON.parse(jsonSettings.remove(spread, SERVERS)), { a: 1 });
  assert.deepEqual(JSON.parse(jsonSettings.add("", SERVERS, ENTRY)), {
    mcpServers: { reprise: ENTRY },
  });
});

Deno.test("JSON: an entry stays on the line of an object that has one line", () => {
  const added = thereAndBack(jsonSettings, SERVERS, '{"mcpServers":{"x":{"command":"y"}}}\n');
  const entry = JSON.stringify(ENTRY);
  assert.equal(added, `{"mcpServers":{"x":{"command":"y"},"reprise":${entry}}}\n`);
  assert.equal(
    jsonSettings.add(added, ["mcpServers", "other"], { a: 1 }),
    `{"mcpServers":{"x":{"command":"y"},"reprise":${entry},"other":{"a":1}}}\n`,
  );
  thereAndBack(jsonSettings, SERVERS, '{ "a": 1, }');
  thereAndBack(jsonSettings, SERVERS, '{\n  "mcpServers": {"x": {"y": 1}}\n}\n');
});

Deno.test("JSON: the first or a middle entry goes with its own comma", () => {
  const [head, tail] = ['{"mcpServers": {\n  "x": 1', "\n}}"];
  assert.equal(
    jsonSettings.remove(`${head},\n  "reprise": {"a": 1}, // ours\n  "y": 2${tail}`, SERVERS),
    `${head}, // ours\n  "y": 2${tail}`,
  );
  assert.equal(
    jsonSettings.remove('{"mcpServers": {"reprise": {"a": 1}, "y": 2}}', SERVERS),
    '{"mcpServers": { "y": 2}}',
  );
});

Deno.test("JSON: what is no object of objects is refused", () => {
  for (const text of ["{", "[]", '"a"', '{"a": 1} x', '{"mcpServers": []}', "\uFEFF{}", "{,}"]) {
    assert.throws(() => jsonSettings.add(text, SERVERS, ENTRY), UNKNOWN, text);
  }
});

Deno.test("TOML: a table goes to the end, and comes out alone", () => {
  const before = `# [mcp_servers.reprise] is only said
model = "a # b"
text = """
[mcp_servers.reprise]
"""
list = [
  "x", # one
  'y',
]

[mcp_servers.other]
command = "x"

[[things]]
"quoted key".a = { b = 1 }
`;
  const added = thereAndBack(tomlSettings, TABLES, before);
  assert.equal(
    added,
    `${before}
[mcp_servers.reprise]
command = "/bin/reprise"
args = ["mcp"]
`,
  );
  assert.equal(
    tomlSettings.remove(`${added}[mcp_servers.reprise.env]\nA = "b"\n# next\n[next]\n`, TABLES),
    `${before}# next\n[next]\n`,
  );
  thereAndBack(tomlSettings, TABLES, before.replaceAll("\n", "\r\n"));
  thereAndBack(tomlSettings, TABLES, "");
});

Deno.test("TOML: what is written inline is seen, and left alone", () => {
  for (
    const text of [
      '[mcp_servers]\nreprise = { command = "x" }\n',
      'mcp_servers.reprise.command = "x"\n',
    ]
  ) {
    assert.equal(tomlSettings.has(text, TABLES), true, text);
    assert.throws(() => tomlSettings.remove(text, TABLES), UNKNOWN, text);
  }
  assert.equal(tomlSettings.has('[mcp_servers."reprise"]\ncommand = "x"\n', TABLES), true);
  for (const text of ["mcp_servers = {}\n", "a = [\n", 'a = "x\n', "what is this\n", 'a = """\n']) {
    assert.throws(() => tomlSettings.add(text, TABLES, ENTRY), UNKNOWN, text);
  }
});

Deno.test("YAML: a line goes below the extensions, and what a program makes of it comes out", () => {
  const before = `# mine
GOOSE_MODE: "auto"
extensions:
  # built in
  developer:
    enabled: true
    text: |
      reprise:
other:
- a
`;
  const added = thereAndBack(yamlSettings, EXTENSIONS, before);
  const line = `  reprise: ${JSON.stringify(ENTRY)}\n`;
  assert.equal(added, before.replace("extensions:\n", `extensions:\n${line}`));
  const rewritten = added.replace(line, "  reprise:\n    cmd: x\n    args:\n    - mcp\n");
  assert.equal(yamlSettings.remove(rewritten, EXTENSIONS), before);
  thereAndBack(yamlSettings, EXTENSIONS, before.replaceAll("\n", "\r\n"));
  thereAndBack(yamlSettings, EXTENSIONS, "a: 1\n");
  thereAndBack(yamlSettings, EXTENSIONS, "other:\n  - a\n");
  const quoted = '"extensions":\n  a: 1\n';
  assert.match(thereAndBack(yamlSettings, EXTENSIONS, quoted), /^"extensions":\n {2}reprise: /);
  assert.equal(yamlSettings.add("", EXTENSIONS, ENTRY), `extensions:\n${line}`);
});

Deno.test("YAML that is not keys line by line, each once, is refused", () => {
  for (
    const text of [
      "extensions: {}\n",
      "{a: 1}\n",
      "a: 1\n\tb: 2\n",
      "extensions:\nextensions:\n",
      "a:\nb\n",
      "\uFEFFextensions:\n  a: 1\n",
      "extensions:\n- a\n",
      "extensions:\n  - a\n",
    ]
  ) {
    assert.throws(() => yamlSettings.add(text, EXTENSIONS, ENTRY), UNKNOWN, text);
  }
});
