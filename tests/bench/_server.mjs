// deno-lint-ignore-file
/**
 * Keeps many sessions in one process of Node or Bun, and prints what it took in milliseconds.
 * Argument: an empty folder.
 */
import { join } from "node:path";

// Installed beside this file when it runs.
const PACKAGE = "@reprise/core";
const { openStore } = await import(PACKAGE);

const [folder] = process.argv.slice(2);
const took = {};
const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const median = (times) => times.sort((one, other) => one - other)[times.length >> 1];

let stop = 0;
let last = performance.now();
const probe = setInterval(() => {
  const now = performance.now();
  stop = Math.max(stop, now - last);
  last = now;
}, 1);
/** The longest time in which no timer ran. */
const longestStop = async (work) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  stop = 0;
  await work();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return stop;
};

const begin = (store, count) => {
  const sessions = Array.from(
    { length: count },
    (_, index) => store.create({ cwd: `/tenant/${index % 50}` }),
  );
  return Promise.all(sessions.map(async (session) => {
    await session.turn().user("x".repeat(1000));
    return session;
  }));
};

const one = openStore({ root: join(folder, "one") });
const creates = [];
for (let at = 0; at < 20; at++) {
  let begun;
  creates.push(
    await timed(async () => await (begun = one.create({ cwd: folder })).turn().user("first")),
  );
  await begun.finish();
}
took.create_first = creates[0];
took.create = median(creates);

/** Sessions of 100 messages, as chats are. */
const short = openStore({ root: join(folder, "short") });
const loads = [];
for (let round = 0; round < 9; round++) {
  const chat = short.create({ cwd: folder });
  for (let at = 0; at < 50; at++) {
    const turn = chat.turn();
    await turn.user(`prompt ${at}`);
    await turn.assistant({ text: `answer ${at} ${"y".repeat(150)}` });
  }
  await chat.finish();
  loads.push(await timed(() => short.load(chat.id)));
}
took.load_first = loads[0];
took.load = median(loads);
const session = short.create({ cwd: folder });
const extension = { kind: "extension", payload: { agent: "a", type: "b", data: "x".repeat(900) } };
const appends = [];
for (let at = 0; at < 500; at++) appends.push(await timed(() => session.append(extension)));
took.append = median(appends);
await session.finish();

const three = openStore({ root: join(folder, "three") });
took.begin_stop = await longestStop(() => begin(three, 300));

const many = openStore({ root: join(folder, "many") });
let sessions;
took.begin = await timed(async () => sessions = await begin(many, 1000));
took.list_stop = await longestStop(() => many.list());
took.list_open = await timed(() => many.list());
await Promise.all(sessions.map((one) => one.finish()));
const lists = [];
for (let at = 0; at < 15; at++) lists.push(await timed(() => many.list()));
took.list_first = lists[0];
took.list = median(lists);
clearInterval(probe);
console.log(JSON.stringify(took));
process.exit(0);
