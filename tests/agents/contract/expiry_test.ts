import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { AgentEnvironment } from "../../../lib/agents/contract/agent_environment.ts";
import { claudeExpiry } from "../../../lib/agents/claude/claude_expiry.ts";
import { type Expiry, expiryTime, readSettings } from "../../../lib/agents/contract/expiry.ts";
import { geminiExpiry } from "../../../lib/agents/gemini/gemini_expiry.ts";
import { keen } from "../../../lib/agents/keen/descriptor.ts";
import { descriptorOf, OTHER_AGENTS } from "../../../lib/library/machine/registry.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { placeOf } from "../../_support/agent_place.ts";

function environment(home: string, variables: Record<string, string> = {}): AgentEnvironment {
  return { home, os: "linux", variable: (name) => variables[name] };
}

function write(path: string, text: string): string {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
  return path;
}

inDirectory.test("a session is due so many days after its file or itself changed last", (directory) => {
  const path = write(join(directory, "a.jsonl"), "");
  Deno.utimeSync(path, new Date("2026-11-01T10:00:00Z"), new Date("2026-11-01T10:00:00Z"));
  const row = { path, updated_at: "2026-11-02T10:00:00.000Z" };
  const due = (
    rule: Expiry,
    given: { path: string; updated_at?: string } = row,
  ): string | undefined => expiryTime(rule, given)?.toISOString();
  assert.equal(due({ after_days: 30, measured_by: "mtime" }), "2026-12-01T10:00:00.000Z");
  assert.equal(due({ after_days: 0.5, measured_by: "updated_at" }), "2026-11-02T22:00:00.000Z");
  assert.equal(due({ after_days: 30, measured_by: "updated_at" }, { path }), undefined);
  assert.equal(
    due({ after_days: 30, measured_by: "mtime" }, { path: `${path}.gone` }),
    undefined,
  );
  assert.equal(due({ after_days: 1e12, measured_by: "mtime" }), undefined);
});

inDirectory.test("settings may have comments, and what is no object sets nothing", (directory) => {
  const path = join(directory, "settings.json");
  write(path, '{ // a\n "u": "http://x/*y*/", /* b\n */ "q": "\\"//" }');
  assert.deepEqual(readSettings(path), { u: "http://x/*y*/", q: '"//' });
  for (const text of ["[]", "null", "{", ""]) {
    write(path, text);
    assert.equal(readSettings(path), undefined, text);
  }
  assert.equal(readSettings(join(directory, "none")), undefined);
});

inDirectory.test("Claude Code deletes after 30 days, or as its nearest settings say", (home) => {
  const rule = { measured_by: "mtime", setting: "cleanupPeriodDays" };
  const cwd = join(home, "work");
  const says = (file: string, days: unknown): string =>
    write(file, JSON.stringify({ cleanupPeriodDays: days }));
  assert.deepEqual(claudeExpiry(placeOf("claude", environment(home)), cwd), {
    ...rule,
    after_days: 30,
  });
  const user = says(join(home, ".claude", "settings.json"), 99);
  assert.deepEqual(claudeExpiry(placeOf("claude", environment(home)), cwd), {
    ...rule,
    after_days: 99,
    path: user,
  });
  const project = says(join(cwd, ".claude", "settings.json"), 7);
  assert.deepEqual(claudeExpiry(placeOf("claude", environment(home)), cwd), {
    ...rule,
    after_days: 7,
    path: project,
  });
  assert.equal(claudeExpiry(placeOf("claude", environment(home))).path, user);
  const local = says(join(cwd, ".claude", "settings.local.json"), 0);
  assert.deepEqual(claudeExpiry(placeOf("claude", environment(home)), cwd), {
    ...rule,
    after_days: 0,
    path: local,
  });
  says(local, "many");
  assert.equal(claudeExpiry(placeOf("claude", environment(home)), cwd).path, project);
  const other = says(join(home, "other", "settings.json"), 5);
  const moved = environment(home, { CLAUDE_CONFIG_DIR: join(home, "other") });
  assert.equal(claudeExpiry(placeOf("claude", moved)).path, other);
});

inDirectory.test("Gemini CLI deletes after 30 days, or after maxAge, or never", (home) => {
  const system = join(home, "system.json");
  const given = placeOf(
    "gemini",
    environment(home, { GEMINI_CLI_SYSTEM_SETTINGS_PATH: system }),
  );
  const rule = { measured_by: "updated_at", setting: "general.sessionRetention.maxAge" };
  const cwd = join(home, "work");
  const says = (file: string, sessionRetention: unknown): string =>
    write(file, JSON.stringify({ general: { sessionRetention } }));
  assert.deepEqual(geminiExpiry(given), { ...rule, after_days: 30 });
  const user = says(join(home, ".gemini", "settings.json"), { maxAge: "2w" });
  assert.deepEqual(geminiExpiry(given), { ...rule, after_days: 14, path: user });
  const project = says(join(cwd, ".gemini", "settings.json"), { maxAge: "36h" });
  assert.deepEqual(geminiExpiry(given, cwd), { ...rule, after_days: 1.5, path: project });
  assert.equal(geminiExpiry(given)?.path, user);
  // What it finds invalid turns its cleanup off.
  for (
    const off of [{ enabled: false }, { maxAge: "soon" }, { maxAge: "0d" }, { maxAge: "3h" }]
  ) {
    says(system, off);
    assert.equal(geminiExpiry(given, cwd), undefined, JSON.stringify(off));
  }
  says(system, { minRetention: "1h", maxAge: "3h" });
  assert.equal(geminiExpiry(given, cwd)?.after_days, 1 / 8);
});

Deno.test("Keen Code deletes after 14 days; agents that delete nothing have no rule", async () => {
  const keenExpiry = await keen.loadExpiry?.();
  assert.deepEqual(keenExpiry?.(placeOf("keen", environment("/home"))), {
    after_days: 14,
    measured_by: "mtime",
  });
  const deleting = OTHER_AGENTS.filter((name) => descriptorOf(name).loadExpiry !== undefined);
  assert.deepEqual([...deleting].sort(), ["claude", "codebuddy", "gemini", "keen", "openclaude"]);
});
