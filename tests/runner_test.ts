/** The runner of the tests: what it runs, in which environment, and what it prints. */
import assert from "node:assert/strict";
import { joinJunit, junitFlags } from "./_support/junit_report.ts";
import { makeMemoryFolder } from "./_support/memory_folder.ts";
import { LINUX, needing } from "./_support/needing.ts";
import { chosenFiles, testArguments } from "./_support/test_arguments.ts";
import { testEnvironment } from "./_support/test_environment.ts";
import { dealt, type TestFile, testFiles, writeGroups } from "./_support/test_groups.ts";
import { SLOW_FILES } from "./_support/slow_files.ts";
import { withDirectory } from "./_support/temp_directory.ts";
import { TestReport } from "./_support/test_report.ts";

const PLAIN = { alone: false, has_size: false };

/** What the report of an output prints, when the output comes in chunks of a size. */
async function reported(output: readonly string[], size: number): Promise<string[]> {
  const printed: string[] = [];
  const report = new TestReport(3, (line) => printed.push(line), () => 0);
  await report.read(streamOf(output, size));
  report.end();
  return printed;
}

function streamOf(
  output: readonly string[],
  size = 10_000,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(output.join("\n"));
  return ReadableStream.from(Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, at) => bytes.slice(at * size, (at + 1) * size),
  ));
}

Deno.test("the report has a line for each file, failures, and what was left out and why", async () => {
  const output = [
    "running 3 tests from ./g1.ts",
    "./g1.ts => file: tests/a_test.ts ... ok (0ms)",
    "\x1b[0m./g2.ts => \x1b[0mfile: tests/b_test.ts ... \x1b[0m\x1b[32mok\x1b[0m",
    "./g1.ts => one (needs tmux: apt install tmux) ... ignored (0ms)",
    "./g2.ts => two ... ok (1ms)",
    "------- output -------",
    "something that a test prints",
    "./g1.ts => three ... a step ... ok (1ms)",
    "./g1.ts => three ... ok (1ms)",
    "./g1.ts => file: tests/c_test.ts ... ok (0ms)",
    "./g1.ts => four (needs age: .ci/servers) ... ignored (0ms)",
    "./g1.ts => five (needs tmux: apt install tmux) ... ignored (0ms)",
    "./g1.ts => six ... FAILED (1ms)",
    "./g2.ts => file:  ... ok (0ms)",
    "./g1.ts => file:  ... ok (0ms)",
    "",
    " ERRORS ",
    "",
    "six => ./tests/c_test.ts:3:6",
    "error: it is broken",
    "",
    "FAILED | 7 passed (1 step) | 1 failed | 3 ignored (2s)",
  ];
  for (const size of [1, 7, 10_000]) {
    assert.deepEqual(await reported(output, size), [
      "1 of 3 files: tests/a_test.ts, 2 passed, 0.0 s",
      "2 of 3 files: tests/b_test.ts, 1 passed, 0.0 s",
      "3 of 3 files: tests/c_test.ts, 0 passed, 1 FAILED, 0.0 s",
      " ERRORS ",
      "",
      "six => ./tests/c_test.ts:3:6",
      "error: it is broken",
      "",
      "Left out:",
      "  2 need tmux (apt install tmux)",
      "  1 needs age (.ci/servers)",
      "FAILED | 2 passed (1 step) | 1 failed | 3 ignored (2s)",
    ]);
  }
});

Deno.test("the report adds up what processes tell, and has one list of failures", async () => {
  const printed: string[] = [];
  const report = new TestReport(3, (line) => printed.push(line), () => 0);
  const told = (group: string, failed: number, summary: string): string[] => [
    ...[
      `./${group}.ts => file: tests/${group}_test.ts ... ok (0ms)`,
      `./${group}.ts => one ... ok`,
    ],
    ...[`./${group}.ts => file:  ... ok (0ms)`, ""],
    ...(failed === 0 ? [] : [" ERRORS ", "", `${group} => why`, " FAILURES ", "", `${group} => a`]),
    summary,
  ];
  await Promise.all([
    report.read(streamOf(told("a", 1, "FAILED | 3 passed (1 step) | 2 failed (1 step) (9s)"))),
    report.read(streamOf(told("b", 0, "ok | 3 passed (2 steps) | 0 failed | 4 ignored (1m2s)"))),
    report.read(streamOf(told("c", 1, "FAILED | 3 passed | 1 failed | 2 filtered out (1m2s)"))),
  ]);
  assert.ok(report.end());
  assert.deepEqual(printed.slice(3), [
    ...[" ERRORS ", "", "a => why", "", "c => why", " FAILURES ", "", "a => a", "", "c => a"],
    "FAILED | 3 passed (3 steps) | 3 failed (1 step) | 4 ignored | 2 filtered out (1m2s)",
  ]);
});

Deno.test("results of processes are one file, without those of a process that was killed", async () => {
  await withDirectory((folder) => {
    for (const [at, time] of [[0, "1.500"], [2, "0.250"]] as const) {
      const [flag = ""] = junitFlags(folder, at, "given.xml");
      const counts = `tests="${at + 1}" failures="1" errors="0" time="${time}"`;
      const text = `<testsuites name="deno test" ${counts}>\n<testsuite n="${at}"/>\n</testsuites>`;
      Deno.writeTextFileSync(flag.replace("--junit-path=", ""), text);
    }
    joinJunit(folder, 3, `${folder}/all.xml`);
    assert.deepEqual(Deno.readTextFileSync(`${folder}/all.xml`).split("\n").slice(1, -1), [
      '<testsuites name="deno test" tests="4" failures="2" errors="0" time="1.500">',
      ...['<testsuite n="0"/>', '<testsuite n="2"/>', "</testsuites>"],
    ]);
  });
  assert.deepEqual(junitFlags("/f", 0, undefined), []);
  assert.equal(testArguments(["--junit-path=a.xml"]).junit, "a.xml");
});

Deno.test("the report names a file that never ends", async () => {
  const output = ["./g1.ts => file: tests/a_test.ts ... ok (0ms)", "./g1.ts => one ... ok (0ms)"];
  assert.deepEqual(await reported(output, 100), ["Did not end: tests/a_test.ts"]);
});

Deno.test("a test names the first thing that it needs and that is missing", () => {
  const here = { what: "this", get: "nowhere", met: true };
  const missing = { what: "a moon", get: "wait for the night", met: false };
  assert.deepEqual(needing("a test", here), { name: "a test", ignore: false });
  assert.deepEqual(needing("a test", here, missing), {
    name: "a test (needs a moon: wait for the night)",
    ignore: true,
  });
});

Deno.test("a folder of the library and a file of it choose the tests that mirror them", () => {
  const paths = [
    "tests/a_test.ts",
    "tests/library/search/x_test.ts",
    "tests/library/search/deep/y_test.ts",
  ];
  const files = paths.map((path) => ({ path }));
  const chosen = (...names: string[]): string[] =>
    chosenFiles(names, files).map(({ path }) => path);
  assert.deepEqual(chosen(), paths);
  assert.deepEqual(chosen("lib/library/search"), paths.slice(1));
  assert.deepEqual(chosen("./tests/library/search/", "lib/library/search/x.ts"), paths.slice(1));
  assert.deepEqual(chosen("lib/library/search/deep/y.ts", "tests/a_test.ts"), [paths[2], paths[0]]);
  assert.throws(
    () => chosen("lib/sear"),
    /Cannot find tests of lib\/sear\. Name a folder or a file/,
  );
});

Deno.test("the report says when no test ran", async () => {
  const of = (summary: string): string[] => ["./g1.ts => file:  ... ok (0ms)", summary];
  assert.deepEqual(await reported(of("ok | 1 passed | 0 failed | 3 filtered out (1s)"), 9), [
    "No test has such a name",
  ]);
  assert.deepEqual(await reported(of("ok | 1 passed | 0 failed | 2 ignored (1s)"), 9), [
    "ok | 0 passed | 0 failed | 2 ignored (1s)",
  ]);
});

Deno.test("a filter lets the tests through that name files", () => {
  const filterOf = (...args: string[]): RegExp => {
    const { flags: [name, value = ""] } = testArguments(args);
    assert.equal(name, "--filter");
    return new RegExp(value.slice(1, -1));
  };
  for (const filter of [filterOf("--filter", "a.b"), filterOf("--filter=/a[.]b/")]) {
    for (const name of ["file: tests/a_test.ts", "it reads a.b"]) assert.match(name, filter);
    assert.doesNotMatch("it reads acb", filter);
  }
  const { full_size, flags: [, sized] } = testArguments(["--full-size"]);
  assert.ok(full_size && sized?.includes("full size"));
  assert.deepEqual(testArguments(["lib/core/log", "--fail-fast"]), {
    paths: ["lib/core/log"],
    flags: ["--fail-fast"],
    full_size: false,
  });
});

Deno.test("tests get no variable of Reprise or an agent but those that steer them", () => {
  const variables = {
    ...{
      PATH: "/bin",
      HOME: "/home",
      DENO_DIR: "/deno",
      npm_config_cache: "/npm",
      REPRISE_SEED: "1",
    },
    ...{ REPRISE_CACHE: "x", CODEX_HOME: "x", CLAUDE_CONFIG_DIR: "x", XDG_CACHE_HOME: "x" },
  };
  assert.deepEqual(Object.keys(testEnvironment(variables)), [
    ...["PATH", "HOME", "DENO_DIR", "npm_config_cache", "REPRISE_SEED"],
  ]);
});

Deno.test(
  needing("a run's folder in memory is empty, and those of killed runners are removed", LINUX),
  async () => {
    await withDirectory((parent) => {
      for (const name of ["reprise-tests-999999999", "other-999999999"]) {
        Deno.mkdirSync(`${parent}/${name}/store`, { recursive: true });
      }
      const made = makeMemoryFolder(parent);
      assert.equal(made, `${parent}/reprise-tests-${Deno.pid}`);
      assert.deepEqual([...Deno.readDirSync(made)], []);
      assert.deepEqual([...Deno.readDirSync(parent)].map(({ name }) => name).sort(), [
        "other-999999999",
        `reprise-tests-${Deno.pid}`,
      ]);
      assert.equal(makeMemoryFolder(`${parent}/missing`), undefined);
    });
  },
);

Deno.test("groups of files take equally long, and keep the order of their files", () => {
  const weights = { a: 1, b: 5, c: 1, d: 3, e: 1, f: 1 };
  const files = Object.keys(weights) as (keyof typeof weights)[];
  assert.deepEqual(dealt(files, 2, (file) => weights[file]), [["b", "e"], ["a", "c", "d", "f"]]);
  assert.deepEqual(dealt(["a"], 4, () => 1), [["a"]]);
  assert.deepEqual(dealt([], 4, () => 1), []);
});

Deno.test("the slow files are files that share a group", () => {
  const shared = testFiles().filter(({ alone }) => !alone).map(({ path }) => path);
  assert.deepEqual(Object.keys(SLOW_FILES).filter((path) => !shared.includes(path)), []);
});

Deno.test("a file that cannot be loaded fails by its name, and the others of its group run", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = (path: string, source: string): TestFile => {
      Deno.writeTextFileSync(`${folder}/${path}`, source);
      return { path, url: new URL(`file://${folder}/${path}`).href, ...PLAIN };
    };
    const files = [
      file("a_test.ts", 'throw new Error("it does not load");'),
      file("b_test.ts", 'Deno.test("b runs", () => {});'),
    ];
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "test",
        "-A",
        "--no-check",
        "--no-lock",
        "--parallel",
        ...writeGroups(folder, files, 1).flat(),
      ],
      env: { DENO_JOBS: "2", NO_COLOR: "1" },
    }).output();
    const printed: string[] = [];
    const report = new TestReport(2, (line) => printed.push(line), () => 0);
    await report.read(new Blob([stdout]).stream());
    report.end();
    const text = printed.join("\n");
    assert.match(text, /1 of 2 files: a_test\.ts, 0 passed, 1 FAILED/);
    assert.match(text, /2 of 2 files: b_test\.ts, 1 passed/);
    assert.match(text, /error: Error: it does not load/);
    assert.match(text, /FAILED \| 1 passed \| 1 failed/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
