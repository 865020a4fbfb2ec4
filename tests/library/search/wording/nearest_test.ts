import assert from "node:assert/strict";
import { lookAtFile } from "../../../../lib/library/catalogue/session_state.ts";
import { searchNearest } from "../../../../lib/library/search/wording/nearest.ts";
import { ownSessions } from "../../../_support/own_sessions.ts";
import { CliHome, inHome, sessionId } from "../../../_support/cli_home.ts";
import { assistant, user } from "../../../_support/log_bytes.ts";
import { readLongMemory } from "../../../bench/long_memory.ts";
import { nearestIn } from "../_nearest.ts";

inHome.test("too much text is not compared without an index", async (home) => {
  home.keep(sessionId("aaaa"), [user("Retry the uploads")]);
  const [session] = ownSessions(home.store);
  assert.ok(session !== undefined);
  const found = async (size: number): Promise<unknown[]> => {
    const state = { ...lookAtFile(session.path), size, others: 0 };
    const entry = { session, updated: NaN, state };
    const { hits, needs_index } = await searchNearest([entry], { query: "retry", now: Date.now() });
    return [hits.length, needs_index];
  };
  assert.deepEqual(await found(256e6), [1, false]);
  assert.deepEqual(await found(257e6), [0, true]);
});

inHome.test("the best turn of a session decides, not the sum of its turns", async (home) => {
  home.keep(sessionId("aaaa"), [
    ...[user("Retry it"), assistant("Done"), user("Uploads"), assistant("Done")],
    ...[user("The proxy"), assistant("Done"), user("A retry"), assistant("Done")],
  ]);
  home.keep(sessionId("bbbb"), [user("Which proxy?"), assistant("Uploads retry"), user("Thanks")]);
  const { hits } = await nearestIn(ownSessions(home.store), "retry uploads by proxy please");
  assert.deepEqual(hits.map(({ ref, seq }) => [ref.slice(0, 4), seq]), [["bbbb", 3], ["aaaa", 4]]);
});

inHome.test("the fourth hit of a strong answer is nearly as near as the first", async (home) => {
  home.keep(
    sessionId("aaaa"),
    Array.from({ length: 300 }, () => [user("Go"), assistant("Ok")]).flat(),
  );
  const question = "amber birch cedar dogwood elder";
  const found = async (rest: string): Promise<unknown[]> => {
    for (const [at, name] of ["cccc", "dddd", "eeee", "ffff"].entries()) {
      home.keep(sessionId(name), [user(`${rest}${" now".repeat(at)}`)]);
    }
    const { hits, strength } = await nearestIn(ownSessions(home.store), question);
    return [strength, hits.length, hits[0]?.ref.slice(0, 4)];
  };
  home.keep(sessionId("bbbb"), [user(`${question} now`)]);
  assert.deepEqual(await found("amber birch cedar"), ["strong", 3, "bbbb"]);
  assert.deepEqual(await found(`${question}, and`), ["strong", 5, "cccc"]);
});

Deno.test("readLongMemory makes a store of each question's sessions", async () => {
  await using home = new CliHome();
  const path = `${home.path}/long_memory.json`;
  const said = (content: string): object[] => [
    { role: "user", content },
    { role: "assistant", content: "Noted." },
  ];
  const item = (question_id: string, question: string, answer: string): object => ({
    ...{ question_id, question, answer_session_ids: [answer] },
    haystack_session_ids: ["one", "two"],
    haystack_sessions: [said("My dog is called Biscuit"), said("I moved to Lisbon")],
  });
  Deno.writeTextFileSync(
    path,
    JSON.stringify([item("a", "What is my dog called?", "one"), item("b_abs", "Cats?", "none")]),
  );
  const found: boolean[] = [];
  for (const { query, refs, root } of readLongMemory(path, `${home.path}/store`)) {
    const { hits } = await nearestIn(ownSessions(root), query);
    found.push(refs.has(hits[0]?.ref ?? ""));
  }
  assert.deepEqual(found, [true]);
});
