// deno-lint-ignore-file
/**
 * An agent that goes on until it is killed: parallel calls, subagents, cut answers, compactions. Says in
 * a line what it continues, and then each event that was acknowledged. Arguments: store, directory.
 */
import { writeSync } from "node:fs";

// Installed beside this file when it runs.
const PACKAGE = "@reprise/core";
const { openStore } = await import(PACKAGE);

const [root, cwd] = process.argv.slice(2);
const say = (what) => writeSync(1, `${JSON.stringify(what)}\n`);
const acknowledged = async (session, appended) => say({ id: session.id, ...await appended });

const store = openStore({ root });
const session = await store.continueLast({ cwd, app: { name: "killed" } });
say({ id: session.id, request: await session.request("anthropic"), skipped: session.skipped });

for (let at = 0;; at++) {
  const turn = session.turn();
  await acknowledged(session, turn.user(`prompt ${at}`));
  await session.request("anthropic");
  const calls = ["one", "two"].map((name) => ({ id: `${name} ${at}`, name, input: {} }));
  await acknowledged(session, turn.assistant({ text: "I look", calls }));
  await acknowledged(session, turn.start(`one ${at}`));
  const subagent = session.subagent({ title: `task ${at}` });
  await acknowledged(subagent, subagent.turn().user("look"));
  await acknowledged(subagent, subagent.turn().assistant({ text: "seen", cost_usd: 0.01 }));
  await subagent.finish();
  await Promise.all(
    calls.map(({ id }) => acknowledged(session, turn.result(id, { output: "x".repeat(500) }))),
  );
  if (at % 3 === 2) await acknowledged(session, turn.interrupted("half", { cost_usd: 0.01 }));
  else await acknowledged(session, turn.assistant({ text: `answer ${at}`, cost_usd: 0.01 }));
  if (at % 4 === 3) await acknowledged(session, session.compact({ summary: "S", keep_last: 2 }));
}
