/** Suggests the flag for words that people type as a flag, or instead of a flag. */
import { isAgentName } from "../lib/core/event/agent_name.ts";
import { quoteWord } from "../lib/core/platform/shell_word.ts";
import { spokenStretch } from "./_spoken_time.ts";

const INSTEAD: Readonly<Record<string, string>> = {
  ...{ error: "--failed", errors: "--failed", failing: "--failed", deleted: "--gone" },
  ...{ everywhere: "--all", global: "--all", "all-projects": "--all" },
  ...{ after: "--since", from: "--since", before: "--until", today: "--since today" },
  yesterday: "--since yesterday --until yesterday",
  ...{ repo: "--project", dir: "--cwd", directory: "--cwd", path: "--file" },
  ...{ order: "--sort", "order-by": "--sort", expensive: "--sort cost", long: "--sort duration" },
  ...{ longest: "--sort duration", group: "--by", "group-by": "--by", max: "--limit" },
  ...{ top: "--limit", output: "--out", client: "--agent", tool: "--agent" },
};

/** Returns the meant flag, perhaps with a value (`--sort cost`). Undefined if `flags` lacks it. */
export function meantFlag(typed: string, flags: readonly string[]): string | undefined {
  const [word = ""] = typed.replace(/^--?/, "").split("=");
  const meant = Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : undefined;
  return flags.includes(meant?.split(" ")[0] ?? "") ? meant : undefined;
}

/** Returns the filter that words name: a time or an agent. Undefined for other words. */
export function filterMeant(words: string, flags: readonly string[]): string | undefined {
  if (flags.includes("--since") && spokenStretch(words, new Date()) !== undefined) {
    const time = quoteWord(words.replaceAll(/\s+/g, "-"));
    return `--since ${time} --until ${time}`;
  }
  const agent = words.toLowerCase();
  return flags.includes("--agent") && isAgentName(agent) ? `--agent ${agent}` : undefined;
}
