/**
 * Common flags, which every command takes before or after its name. They are removed before the
 * arguments are parsed. Words after `--` stay.
 */
import type { Context } from "./_context.ts";

const FLAGS: Readonly<Record<string, (context: Context) => Context>> = {
  "--no-cache": withoutCache,
  "--no-catalogue": withoutCache,
  "--no-color": (context) => ({
    ...context,
    variable: (name) => name === "NO_COLOR" ? "1" : context.variable(name),
  }),
};

/** Names of the common flags, including `--no-catalogue`, the former name of `--no-cache`. */
export const COMMON_FLAGS: readonly string[] = Object.keys(FLAGS);

function withoutCache(context: Context): Context {
  return { ...context, no_cache: true };
}

export function withCommonFlags(
  given: readonly string[],
  at: Context,
): { args: readonly string[]; context: Context } {
  const end = given.indexOf("--");
  const words = given.slice(0, end < 0 ? given.length : end);
  const found = words.filter((word) => COMMON_FLAGS.includes(word));
  if (found.length === 0) return { args: given, context: at };
  const args = [...words.filter((word) => !found.includes(word)), ...given.slice(words.length)];
  return { args, context: found.reduce((context, flag) => FLAGS[flag]?.(context) ?? context, at) };
}
