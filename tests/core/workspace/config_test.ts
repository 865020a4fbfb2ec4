import assert from "node:assert/strict";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import {
  CONFIG_ENTRIES,
  defaultConfig,
  isConfigKey,
  parseConfig,
  parseConfigValue,
  toConfigKey,
} from "../../../lib/core/workspace/config.ts";
import { ignoredSettings } from "../../../lib/core/workspace/config_file.ts";

type ConfigKey = keyof typeof CONFIG_ENTRIES;
const KEYS = Object.keys(CONFIG_ENTRIES) as ConfigKey[];

/** For each setting, texts that it takes with their values, and values that it does not take. */
const VALUES: Record<ConfigKey, { takes: [string, boolean | string | number][]; not: unknown[] }> =
  {
    "session.enabled": { takes: [["true", true], ["false", false]], not: ["true", 1, null, "yes"] },
    "session.durability": {
      takes: [["boundary", "boundary"], ["event", "event"], ["none", "none"]],
      not: ["never", "", true, null, ["event"]],
    },
    "session.max_storage_mb": { takes: [["1", 1], ["0.5", 0.5]], not: [0, -1, "1", null, true] },
    "session.retention_days": { takes: [["30", 30], ["1e3", 1000]], not: [0, -7, "30", {}] },
    "session.auto_prune": { takes: [["true", true]], not: ["", 0, []] },
    "session.resume_last_on_start": { takes: [["true", true]], not: ["", 0, []] },
    "redact.on_export": { takes: [["false", false]], not: ["false", 0] },
    "chat.model": { takes: [["openai:gpt-5", "openai:gpt-5"], ["x", "x"]], not: ["", " ", 1, []] },
    "search.auto_index": { takes: [["false", false]], not: ["false", 0] },
    "encrypt.recipients": { takes: [["age1a age1b", "age1a age1b"]], not: ["", " ", 1, []] },
    "encrypt.key_command": { takes: [["pass show key", "pass show key"]], not: ["", " ", 1, []] },
    "prices.file": { takes: [["/p.json", "/p.json"]], not: ["", " ", 1, []] },
    "cache.enabled": { takes: [["true", true], ["false", false]], not: ["off", 0, null] },
    "roots.wsl": { takes: [["true", true], ["false", false]], not: ["off", 0, null] },
    "watch.bell": { takes: [["true", true], ["false", false]], not: ["loud", 0] },
  };
/** What no setting takes; a text may be any but an empty one. */
const NO_VALUES = ["", " ", "TRUE", "x", "Infinity", "-1", "NaN"];

function refusal(message: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SessionError);
    assert.equal(error.code, "invalid-config");
    assert.match(error.message, message);
    return true;
  };
}

Deno.test("without a setting, nothing is ever removed, and secrets are replaced on export", () => {
  assert.deepEqual(defaultConfig(), {
    "session.enabled": true,
    "session.durability": "boundary",
    "session.auto_prune": false,
    "session.resume_last_on_start": false,
    "redact.on_export": true,
    "cache.enabled": true,
    "roots.wsl": false,
    "watch.bell": false,
    "search.auto_index": true,
  });
});

for (const key of KEYS) {
  const { takes, not } = VALUES[key];
  Deno.test(`${key} takes what it may be, and says so of what it may not`, () => {
    for (const [text, value] of takes) {
      assert.equal(parseConfigValue(key, text), value);
      const config = parseConfig(JSON.stringify({ [key]: value }), "c.json");
      assert.deepEqual(config, { ...defaultConfig(), [key]: value });
    }
    const { kind, choices } = CONFIG_ENTRIES[key];
    const expected = kind === "flag"
      ? "true or false"
      : kind === "choice"
      ? `one of ${choices?.join(", ")}`
      : kind === "text"
      ? "a non-empty text"
      : "a number above 0";
    for (const value of not) {
      const found = JSON.stringify(value);
      assert.throws(
        () => parseConfig(JSON.stringify({ [key]: value }), "c.json"),
        refusal(new RegExp(`^Cannot read settings: ${key} is `)),
        found,
      );
      assert.throws(() => parseConfig(JSON.stringify({ [key]: value }), "c.json"), (error) => {
        const mend = `to remove this setting: reprise config unset ${key}`;
        const end = `is ${found}, but must be ${expected}; ${mend}: c.json`;
        assert.ok((error as Error).message.endsWith(end));
        return true;
      });
    }
    for (const text of kind === "text" ? NO_VALUES.slice(0, 2) : NO_VALUES) {
      assert.throws(() => parseConfigValue(key, text), refusal(/^Cannot set .* it must be /), text);
    }
  });
}

Deno.test("a settings file that is none is refused, with the file's name", () => {
  for (const text of ["", "{", "[]", "null", '"x"', "7"]) {
    assert.throws(
      () => parseConfig(text, "c.json"),
      refusal(/^Cannot read settings: the file is not .*: c\.json$/),
    );
  }
});

Deno.test("keys that no setting has are left alone", () => {
  const text = '{"later.setting":1,"__proto__":{"session.enabled":false},"toString":2}';
  assert.deepEqual(parseConfig(text, "c.json"), defaultConfig());
  assert.equal(isConfigKey("toString"), false);
});

Deno.test("a name that no setting has is refused, with those there are", () => {
  assert.equal(toConfigKey("redact.on_export"), "redact.on_export");
  assert.throws(
    () => toConfigKey("redact"),
    refusal(/^Unknown setting "redact"\. Did you mean redact\.on_export\?/),
  );
  assert.throws(() => toConfigKey("constructor"), refusal(/^Unknown setting .*session\.enabled, /));
});

Deno.test("an unknown setting is listed with suggested settings", () => {
  const nested = { session: { retention_days: 30, chat: { x: 1 }, enabled: "yes" }, redact: [1] };
  const stored = { ...nested, "redact.on_export": true, "session.later": {}, ["x\u001b"]: null };
  assert.deepEqual(ignoredSettings(stored), [
    { key: "session", instead: { "session.retention_days": 30, "session.enabled": "yes" } },
    { key: "redact", instead: {} },
    { key: "session.later", instead: {} },
    { key: "x\u001b", instead: {} },
  ]);
  assert.deepEqual(ignoredSettings({ ...defaultConfig() }), []);
  const deep = (levels: number): unknown => levels === 0 ? {} : { a: deep(levels - 1) };
  assert.deepEqual(ignoredSettings({ a: deep(5_000) }), [{ key: "a", instead: {} }]);
});
