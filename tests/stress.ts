/**
 * Runs all tests three times beside as many busy processes as there are cores. Names each test that
 * failed in any run; its exit status is 1 where one did.
 */
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const RUNS = 3;
const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
/** As `deno test` lists them at the end. */
const FAILURE = /^.+ => .+\.ts:\d+:\d+/;

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

const busy = Array.from(
  { length: navigator.hardwareConcurrency },
  () => new Deno.Command(Deno.execPath(), { args: ["eval", "for (;;);"] }).spawn(),
);

/** Runs the tests once; returns the failed ones. */
async function runOnce(): Promise<string[]> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--lock=tests/deno.lock", "--frozen", "-A", MAIN, ...Deno.args],
    stdout: "piped",
  }).spawn();
  const [shown, read] = child.stdout.tee();
  const passing = shown.pipeTo(Deno.stdout.writable, { preventClose: true });
  const text = stripVTControlCharacters(await new Response(read).text());
  await passing;
  const { success } = await child.status;
  const listed = text.slice(Math.max(text.lastIndexOf(" FAILURES "), 0));
  const failed = listed.split("\n").flatMap((line) => FAILURE.exec(line) ?? []);
  return success ? [] : failed.length > 0 ? failed : ["the run itself"];
}

const failures = new Map<string, number>();
try {
  for (let run = 0; run < RUNS; run++) {
    const begun = performance.now();
    for (const name of await runOnce()) failures.set(name, (failures.get(name) ?? 0) + 1);
    print(`Run ${run + 1} of ${RUNS}: ${Math.round((performance.now() - begun) / 1000)} s`);
  }
} finally {
  for (const child of busy) child.kill("SIGKILL");
}
for (const [name, count] of failures) print(`Failed in ${count} of ${RUNS} runs: ${name}`);
print(failures.size === 0 ? "No test failed" : `${failures.size} tests failed`);
Deno.exit(failures.size === 0 ? 0 : 1);
