/** `reprise config` */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { counted } from "../lib/core/event/counted.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import { commandLine, commandWords } from "../lib/core/platform/shell_word.ts";
import {
  type Config,
  CONFIG_ENTRIES,
  type ConfigEntry,
  type ConfigKey,
  parseConfigValue,
  READER_ENTRY,
  READER_NAME,
  readerName,
  ROOTS_ENTRY,
  ROOTS_KEYS,
  ROOTS_NAME,
  toConfigKey,
} from "../lib/core/workspace/config.ts";
import { configPath, readConfig, writeConfigValue } from "../lib/core/workspace/config_file.ts";
import { expandHome } from "../lib/core/workspace/data_root.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { contextStore, tellIgnoredSettings } from "./_store.ts";
import { printExact, printFitted, printJson, say } from "./_message.ts";
import { checkedRecipients, splitRecipients } from "./_seal_keys.ts";
import { userProgram } from "./_user_program.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";

export const configCommand = defineCommand({
  description: "Read and change the settings, which are in config.json in the data folder.",
  notes: `\nSettings:\n${describeSettings()}\n
\`reprise list\` warns about sessions over the age and size limits;
\`reprise delete --over-limits\` moves them to the trash.\n`,
  examples: [
    "reprise config set session.retention_days 90",
    "reprise config unset session.retention_days",
  ],
  commands: {
    list: defineCommand({
      summary: "print all settings",
      description: "Print all settings, including those that are not set.",
      flags: { "--json": "print one JSON object" },
      examples: [
        "reprise config list",
        "reprise config list --json | jq -r '.[\"session.durability\"]'",
      ],
      run: async (context, { json }) => {
        await tellIgnoredSettings(context, rootOf(context));
        await printConfig(context, readConfig(rootOf(context)), json ?? false);
      },
    }),
    get: defineCommand({
      summary: "print one setting",
      description: "Print one setting, or an empty line if it is not set.",
      arguments: [["<key>"]],
      examples: [
        "reprise config get session.retention_days",
        "reprise config get redact.on_export",
      ],
      run: async (context, key) => {
        const known = asUsage(() => toConfigKey(key));
        await printExact(context, String(readConfig(rootOf(context))[known] ?? ""));
      },
    }),
    set: defineCommand({
      summary: "change a setting",
      description: "Change a setting. The rest of the file is not changed.",
      arguments: [
        ["<key>"],
        ["<value>"],
      ],
      examples: [
        "reprise config set session.retention_days 90",
        "reprise config set redact.on_export false",
        "reprise config set agents.claude.roots ~/.claude-work,/mnt/d/.claude",
        'reprise config set agents.junie.reader "python3 ~/junie.py"',
      ],
      run: async (context, key, value) => {
        const known = asUsage(() => toConfigKey(key));
        const parsed = asUsage(() => parseConfigValue(known, value));
        if (known === "encrypt.recipients") await checkedRecipients(splitRecipients(value));
        if (known === "prices.file") return await setPricesFile(context, rootOf(context), value);
        const reader = readerName(known);
        if (reader !== undefined) return await setReader(context, known, reader, value);
        if (ROOTS_KEYS.has(known)) return await setRoots(context, rootOf(context), known, value);
        writeConfigValue(rootOf(context), known, parsed);
      },
    }),
    unset: defineCommand({
      summary: "reset a setting to its default",
      description: "Reset a setting to its default.",
      arguments: [["<key>"]],
      examples: [
        "reprise config unset session.retention_days",
        "reprise config unset redact.on_export",
      ],
      run: (context, key) =>
        writeConfigValue(rootOf(context), asUsage(() => toConfigKey(key)), undefined),
    }),
    path: defineCommand({
      summary: "print the path of the settings file",
      description: "Print the path of the settings file, even if the file does not exist.",
      examples: ["reprise config path", 'cat "$(reprise config path)"'],
      run: (context) => printExact(context, configPath(rootOf(context))),
    }),
  },
});

function rootOf(context: Context): string {
  return contextStore(context).root;
}

async function setPricesFile({ cwd }: Context, root: string, value: string): Promise<void> {
  const path = resolve(cwd, value);
  const { assertPrices } = await import("../lib/library/counts/usage/load_prices.ts");
  await assertPrices(path);
  writeConfigValue(root, "prices.file", path);
}

async function setRoots(
  context: Context,
  root: string,
  key: ConfigKey,
  value: string,
): Promise<void> {
  const home = homeFolder(context.variable) ?? "";
  const paths = value.split(",").map((path) => path.trim()).filter((path) => path !== "")
    .map((path) => resolve(context.cwd, expandHome(path, home)));
  writeConfigValue(root, key, paths.join(","));
  for (const path of paths) {
    if (!existsSync(path)) await say(context, `reprise: ${path} does not exist yet`);
  }
}

/** Stores a reader program's command with absolute paths. First runs it to count its sessions. */
async function setReader(
  context: Context,
  key: ConfigKey,
  name: string,
  value: string,
): Promise<void> {
  const home = homeFolder(context.variable) ?? "";
  const [first = "", ...more] = commandWords(value);
  const program = /^~|[\\/]/.test(first)
    ? resolve(context.cwd, expandHome(first, home))
    : userProgram(context, first, context.cwd);
  if (program === undefined) {
    throw new UsageError(`Cannot set ${key}: there is no program ${first} on PATH; give its path`);
  }
  // A reader runs in no directory of the user's, so that its words may name no file there.
  const words = more.map((word) => {
    const path = resolve(context.cwd, expandHome(word, home));
    return existsSync(path) ? path : word;
  });
  const argv = [program, ...words];
  const { countPrinted } = await import("../lib/library/machine/own_readers.ts");
  const count = await countPrinted(name, argv, contextLibrary(context).place.environment);
  writeConfigValue(rootOf(context), key, commandLine(argv));
  await say(
    context,
    `reprise: the reader program prints ${counted(count, "session")}; to list them: ` +
      `reprise list --agent ${name} --all`,
  );
}

function asUsage<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof SessionError) throw new UsageError(error.message);
    throw error;
  }
}

async function printConfig(context: Context, config: Config, json: boolean): Promise<void> {
  if (json) return await printJson(context, config);
  const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
  const agents = Object.keys(config).filter((key) =>
    ROOTS_KEYS.has(key) || readerName(key) !== undefined
  );
  for (const key of [...Object.keys(CONFIG_ENTRIES), ...agents] as ConfigKey[]) {
    await printFitted(context, `${key} = ${sanitizeLine(String(config[key] ?? "(not set)"))}`);
  }
}

function describeSettings(): string {
  const entries: [string, ConfigEntry][] = [
    ...Object.entries(CONFIG_ENTRIES),
    [ROOTS_NAME, ROOTS_ENTRY],
    [READER_NAME, READER_ENTRY],
  ];
  return entries.map(([key, { description, default: value }]) =>
    `  ${key}${value === undefined ? "" : ` (default: ${value})`}\n    ${description}`
  ).join("\n");
}
