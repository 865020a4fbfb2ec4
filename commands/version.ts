/** `reprise version`: prints the version, and the age of the build and of its prices. */
import { loadPrices } from "../lib/library/counts/usage/load_prices.ts";
import { defineCommand } from "./_command.ts";

/** Date of the built commit, which a build puts here. Running from source leaves this text. */
const BUILD_DAY: string = "BUILD_DAY_OF_SOURCE";

const DAY_MS = 86_400_000;

function ageOf(day: string, now: Date): string {
  const days = Math.floor((now.getTime() - Date.parse(day)) / DAY_MS);
  if (days <= 0) return "today";
  return days === 1 ? "1 day old" : `${days} days old`;
}

export const versionCommand = defineCommand({
  description:
    "Print the version of Reprise. Also print how old this build and its list of model prices " +
    "are. `reprise --version` prints only the version. Neither command looks for updates.",
  examples: ["reprise version", "reprise --version"],
  async run(context): Promise<void> {
    const { as_of } = await loadPrices({ root: undefined });
    const now = context.now();
    const built = /^\d/.test(BUILD_DAY)
      ? `built from the source code of ${BUILD_DAY} (${ageOf(BUILD_DAY, now)})`
      : "running from source";
    const lines = [
      `reprise ${context.version}`,
      built,
      `prices of ${as_of} (${ageOf(as_of, now)})`,
    ];
    context.stdout.write(`${lines.join("\n")}\n`);
  },
});
