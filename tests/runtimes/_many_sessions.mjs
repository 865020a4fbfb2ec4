// deno-lint-ignore-file
/**
 * Begins sessions at once, appends twice to each and says what came of it. Arguments: root, number.
 * Then it answers each line of its standard input with the statuses that its list shows.
 */
import { createInterface } from "node:readline";

// Installed beside this file when it runs.
const PACKAGE = "@reprise/core";
const { openStore } = await import(PACKAGE);

const [root, count] = process.argv.slice(2);
const store = openStore({ root });
const errors = {};
const sessions = Array.from({ length: Number(count) }, () => store.create({ cwd: root }));
const seqs = await Promise.all(
  sessions.flatMap((session, index) =>
    ["first", "second"].map((content) =>
      session.append({ kind: "user_message", payload: { content: `${content} ${index}` } })
        .then(({ seq }) => seq, (error) => {
          errors[error.message] = (errors[error.message] ?? 0) + 1;
        })
    )
  ),
);

async function say() {
  const statuses = {};
  for (const { status } of await store.list()) statuses[status] = (statuses[status] ?? 0) + 1;
  console.log(JSON.stringify({ seqs: [...new Set(seqs)], errors, statuses }));
}

await say();
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "finish") await Promise.all(sessions.map((session) => session.finish()));
  await say();
}
