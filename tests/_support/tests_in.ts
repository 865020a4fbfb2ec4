/** Tests that are declared with what they need and with the place that each of them gets. */
import { LINUX, needing, type Requirement, UNIX } from "./needing.ts";

/** Declares tests by name; `Given` is what each gets. */
export interface Tests<Given> {
  test(name: string, body: (given: Given) => void | Promise<void>): void;
}

/** Tests that each run in a place that `make` makes and removes. */
export function testsIn<Given>(
  make: (test: (given: Given) => Promise<void>) => void | Promise<void>,
  ...requirements: readonly Requirement[]
): Tests<Given> {
  return {
    test: (name, body) =>
      Deno.test({
        ...needing(name, ...requirements),
        fn: async () => await make(async (given) => await body(given)),
      }),
  };
}

/** Tests that each get what `make` makes, which is disposed of behind them. */
export function testsWith<Given extends Disposable | AsyncDisposable>(
  make: () => Given | Promise<Given>,
  ...requirements: readonly Requirement[]
): Tests<Given> {
  return testsIn<Given>(async (test) => {
    await using given = await make();
    await test(given);
  }, ...requirements);
}

/** Tests that are left out where a requirement is missing. */
export function testsNeeding(...requirements: readonly Requirement[]): Tests<Deno.TestContext> {
  return { test: (name, fn) => Deno.test({ ...needing(name, ...requirements), fn }) };
}

export const onUnix = testsNeeding(UNIX);
export const onLinux = testsNeeding(LINUX);
