/** The tests of what agents depend on, under Node and Bun, each with the outcome that it had there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleTests } from "../_support/bundled_tests.ts";
import type { Outcome } from "../_support/deno_over_node/tests.ts";
import { type InstalledRuntime, installRuntimes } from "../_support/installed_package.ts";
import { ROOT, sourcesIn } from "../_support/source_code.ts";
import { leftOut, TOO_LONG } from "./left_out.ts";

const SUITES = [
  "agents",
  "core/event",
  "core/file",
  "core/log",
  "core/platform",
  "core/projection",
  "core/store",
  "text/seal",
  "text/shape",
];
/** Longer than any machine takes: a test that waits for ever has to end. */
const LIMIT_MS = 1_800_000;

const files = SUITES.flatMap((suite) => sourcesIn(`tests/${suite}/`)).map(([path]) => path)
  // Agents, and not the engine below them: each agent's tests run through it.
  .filter((path) =>
    path.endsWith("_test.ts") && !/^tests\/agents\/(?:contract|engine)\//.test(path)
  );

interface Suites {
  runtime: InstalledRuntime;
  outcomes: Outcome[];
  code: number;
  stderr: string;
}

async function run(runtime: InstalledRuntime, folder: string): Promise<Suites> {
  const { code, stdout, stderr } = await new Deno.Command(runtime.program, {
    args: [join(folder, "suites", "tests.mjs"), JSON.stringify(TOO_LONG)],
    cwd: fileURLToPath(ROOT),
    env: { REPRISE_FEW_ROUNDS: "1", DENO_DIR: folder },
    signal: AbortSignal.timeout(LIMIT_MS),
  }).output();
  const decoder = new TextDecoder();
  const outcomes = decoder.decode(stdout).split("\n").filter((line) => line.startsWith('{"file"'))
    .map((line) => JSON.parse(line) as Outcome);
  return { runtime, outcomes, code, stderr: decoder.decode(stderr) };
}

async function runAll(): Promise<Suites[]> {
  const bundle = await Deno.makeTempDir();
  try {
    const packages = await bundleTests(files, bundle);
    const { folder, runtimes } = await installRuntimes(packages);
    // Packages are found from where the bundle lies.
    await Deno.remove(join(folder, "suites"), { recursive: true }).catch(() => {/* none yet */});
    await Deno.mkdir(join(folder, "suites"));
    for (const { name } of Deno.readDirSync(bundle)) {
      await Deno.copyFile(join(bundle, name), join(folder, "suites", name));
    }
    return await Promise.all(runtimes.map((runtime) => run(runtime, folder)));
  } finally {
    await Deno.remove(bundle, { recursive: true });
  }
}

for (const { runtime, outcomes, code, stderr } of await runAll()) {
  const { name, version } = runtime;
  const left = leftOut(name);
  const counts = Map.groupBy(outcomes, ({ state }) => state);
  Deno.test(`${name} ${version} runs all tests`, () => {
    assert.deepEqual({ code, stderr: code === 0 ? "" : stderr }, { code: 0, stderr: "" });
    assert.ok((counts.get("passed")?.length ?? 0) > 1400, `${counts.get("passed")?.length}`);
  });
  Deno.test(`${name}: tests that are left out are there, and cannot run`, () => {
    const states = [...left].map((test) => [
      test,
      outcomes.find(({ file, name }) => `${file}: ${name}` === test)?.state,
    ]);
    // One that is ignored would not run under Deno either.
    assert.deepEqual(states.filter(([, state]) => state !== "failed" && state !== "ignored"), []);
  });
  Deno.test(`${name}: tests that are too long are there`, () => {
    const skipped = (counts.get("skipped") ?? []).map(({ file, name }) => `${file}: ${name}`);
    for (const end of TOO_LONG) assert.ok(skipped.some((test) => test.endsWith(end)), end);
  });
  for (const { file, name: test, state, error } of outcomes) {
    if (left.has(`${file}: ${test}`)) continue;
    const ignore = state === "ignored" || state === "skipped";
    Deno.test(`${name}: ${file}: ${test}`, { ignore }, () => {
      if (state === "failed") assert.fail(error);
    });
  }
}
