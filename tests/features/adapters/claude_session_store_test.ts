/** The contract of the Claude Agent SDK's SessionStore. tests/clients runs the SDK itself on it. */
import assert from "node:assert/strict";
import { type ClaudeEntry, claudeSessionStore } from "../../../lib/features/adapters/mod.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { inStore } from "../../_support/temp_directory.ts";

const ID = "0b9d5c46-5f5c-4b8f-9d0e-2f6f6a3a1b11";
const KEY = { projectKey: "-work-a", sessionId: ID };

function said(uuid: string, text: string, type = "user"): ClaudeEntry {
  return { type, uuid, cwd: "/home/ada/src/a", message: { role: type, content: text } };
}

inStore.test("Claude store: entries come back as they were, whatever they hold", async ({ store }) => {
  const odd = JSON.parse(
    '{"type":"x","__proto__":{"a":1},"n":[1e21,12345678901234567890,5e-324,-1,null],' +
      '"s":"\\ud800\\u0000\\u2028","deep":[[[[{}]]]],"type2":"session_started"}',
  ) as ClaudeEntry;
  const entries = [said("u1", "Hello"), odd, said("u2", "Hi!", "assistant"), odd];
  {
    await using claude = claudeSessionStore(store);
    assert.equal(await claude.load(KEY), null);
    await claude.append(KEY, entries.slice(0, 2));
    await claude.append(KEY, entries.slice(2));
    assert.deepEqual(await claude.load(KEY), entries);
  }
  await using again = claudeSessionStore(store);
  assert.deepEqual(await again.load(KEY), entries);
  await again.append(KEY, [said("u3", "More")]);
  assert.deepEqual(await again.load(KEY), [...entries, said("u3", "More")]);
  assert.equal((await store.list()).length, 1);
});

inStore.test("Claude store: an entry with the same uuid is kept once, also by the next process", async ({ store }) => {
  const plain = { type: "mode" };
  {
    await using claude = claudeSessionStore(store);
    await claude.append(KEY, [said("u1", "a"), said("u1", "a"), plain]);
    await claude.append(KEY, [said("u1", "a"), plain]);
  }
  await using again = claudeSessionStore(store);
  await again.append(KEY, [said("u1", "a"), said("u2", "b")]);
  // A subagent may repeat an id of the main transcript.
  await again.append({ ...KEY, subpath: "subagents/agent-1" }, [said("u1", "a")]);
  assert.deepEqual(await again.load(KEY), [said("u1", "a"), plain, plain, said("u2", "b")]);
  assert.equal((await again.load({ ...KEY, subpath: "subagents/agent-1" }))?.length, 1);
});

inStore.test("Claude store: projects and subagents are apart, and deleted apart", async ({ store }) => {
  await using claude = claudeSessionStore(store);
  const other = { ...KEY, projectKey: "-work-b" };
  const agents = ["subagents/agent-1", "subagents/agent-2"].map((subpath) => ({
    ...KEY,
    subpath,
  }));
  const [one = KEY, two = KEY] = agents;
  await Promise.all([
    claude.append(KEY, [said("m", "main")]),
    claude.append(other, [said("o", "other")]),
    claude.append(one, [said("1", "one")]),
    claude.append(two, [said("2", "two")]),
  ]);
  assert.deepEqual(await claude.listSubkeys(KEY), ["subagents/agent-1", "subagents/agent-2"]);
  assert.deepEqual(await claude.listSubkeys(other), []);
  const [row, ...none] = await claude.listSessions("-work-a");
  assert.deepEqual([row?.sessionId, none], [ID, []]);
  assert.ok(Number.isInteger(row?.mtime));
  await claude.delete(one);
  assert.deepEqual(await Promise.all([KEY, one, two].map((key) => claude.load(key))), [
    [said("m", "main")],
    null,
    [said("2", "two")],
  ]);
  await claude.append(one, [said("1", "one")]);
  assert.deepEqual(await claude.load(one), [said("1", "one")]);
  await claude.delete(KEY);
  assert.deepEqual(await Promise.all([KEY, one, two].map((key) => claude.load(key))), [
    null,
    null,
    null,
  ]);
  assert.deepEqual([await claude.listSubkeys(KEY), await claude.listSessions("-work-a")], [
    [],
    [],
  ]);
  assert.deepEqual(await claude.load(other), [said("o", "other")]);
  assert.equal(store.trash().length, 1);
  await claude.delete(KEY);
  await claude.append(KEY, [said("m", "again")]);
  assert.deepEqual(await claude.load(KEY), [said("m", "again")]);
});

inStore.test("Claude store: lists and replay show the messages, and no model is sent them", async ({ store }) => {
  const claude = claudeSessionStore(store);
  const call = { type: "tool_use", id: "c", name: "Read", input: {} };
  const result = { type: "tool_result", tool_use_id: "c", content: "secret" };
  await claude.append(KEY, [
    { ...said("u0", "caveat"), isMeta: true },
    said("u1", "What is in a.ts?"),
    { ...said("u2", ""), type: "assistant", message: { content: [{ text: "Look:" }, call] } },
    { ...said("u3", ""), message: { content: [result] } },
  ]);
  await claude.append({ ...KEY, subpath: "subagents/agent-1" }, [said("u4", "aside")]);
  await claude.finish();
  const [row] = await store.list();
  assert.deepEqual([row?.title, row?.cwd, row?.message_count, row?.status], [
    "What is in a.ts?",
    "/home/ada/src/a",
    2,
    "completed",
  ]);
  const { transcript, messages } = await store.load(row?.session_id ?? "");
  assert.deepEqual(messages, []);
  assert.deepEqual(transcript.flatMap((item) => item.type === "message" ? [item.content] : []), [
    "What is in a.ts?",
    "Look:",
  ]);
});

inStore.test("Claude store: sessions of others in the store are not Claude's, nor are forks", async ({ store, directory }) => {
  await using claude = claudeSessionStore(store);
  await claude.append(KEY, [said("u1", "Hello")]);
  const own = store.create({ cwd: directory });
  await own.append({ kind: "user_message", payload: { content: "Mine" } });
  await own.finish();
  const [row] = (await store.list()).filter(({ session_id }) => session_id !== own.id);
  await (await store.fork(row?.session_id ?? "")).release();
  await claude.append(KEY, [said("u2", "More")]);
  assert.deepEqual(await claude.load(KEY), [said("u1", "Hello"), said("u2", "More")]);
  assert.equal((await claude.listSessions("-work-a")).length, 1);
});

inStore.test("Claude store: a second writer is refused, and the first goes on", async ({ store }) => {
  await using first = claudeSessionStore(store);
  await using second = claudeSessionStore(store);
  await first.append(KEY, [said("u1", "Hello")]);
  await assert.rejects(
    second.append(KEY, [said("u2", "Me too")]),
    (error) => error instanceof SessionError && error.code === "locked",
  );
  await first.append(KEY, [said("u3", "More")]);
  assert.deepEqual(await second.load(KEY), [said("u1", "Hello"), said("u3", "More")]);
  await first.finish();
  await second.append(KEY, [said("u2", "Me too")]);
  assert.equal((await second.load(KEY))?.length, 3);
});

// Slow: what cannot be kept is longer than the longest line.
inStore.test("Claude store: an entry that cannot be kept is refused, and the others can be retried", async ({ store }) => {
  await using claude = claudeSessionStore(store);
  await claude.append(KEY, [said("u1", "Hello")]);
  const large = { ...said("u3", ""), blob: "x".repeat(65 * 1024 * 1024) };
  await assert.rejects(
    claude.append(KEY, [said("u2", "a"), large]),
    (error) => error instanceof SessionError && error.code === "too-large",
  );
  await claude.append(KEY, [said("u2", "a")]);
  assert.deepEqual(await claude.load(KEY), [said("u1", "Hello"), said("u2", "a")]);
});
