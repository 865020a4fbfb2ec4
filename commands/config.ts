/** `reprise config` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { SessionError } from "../lib/event/session_error.ts";
import {
  type Config,
  CONFIG_ENTRIES,
  type ConfigEntry,
  type ConfigKey,
  parseConfigValue,
  ROOTS_ENTRY,
  ROOTS_KEYS,
  ROOTS_NAME,
  toConfigKey,
} from "../lib/workspace/config.ts";
import { configPath, readConfig, writeConfigValue } from "../lib/workspace/config_file.ts";
import { expandHome } from "../lib/workspace/expand_home.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { tellIgnoredSettings } from "./_ignored_settings.ts";
import { printExact, say } from "./_message.ts";
import { checkedRecipients, splitRecipients } from "./_recipients.ts";
import { contextStore } from "./_store.ts";

/** Reads and changes settings. */
export function configCommand(context: Context): Command {
  const root = (): string => contextStore(context).root;
  const command = new Command("config")
    .summary("read and change settings")
    .description("Read and change the settings, which are in config.json in the data root.")
    .addHelpText(
      "after",
      `\nSettings:\n${describeSettings()}\n\nOnly \`prune\` applies the limits of storage and age; \`list\` warns about them.` +
        "\n\nExamples:\n  reprise config set session.retention_days 90\n  reprise config unset session.retention_days",
    );
  command.command("list")
    .summary("print all settings")
    .description("Print all settings, including those that are not set.")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise config list\n  reprise config list --json | jq -r '.[\"session.durability\"]'",
    )
    .option("--json", "as one JSON object")
    .action(async ({ json }) => {
      await tellIgnoredSettings(context, root());
      await printConfig(context, readConfig(root()), json ?? false);
    });
  command.command("get")
    .summary("print one setting")
    .description("Print one setting, or an empty line if it is not set.")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise config get session.retention_days\n  reprise config get redact.on_export",
    )
    .argument("<key>")
    .action(async (key) => {
      const known = asUsage(() => toConfigKey(key));
      await printExact(context, String(readConfig(root())[known] ?? ""));
    });
  command.command("set")
    .summary("change a setting")
    .description("Change a setting. The rest of the file stays as it is.")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise config set session.retention_days 90\n  reprise config set redact.on_export false" +
        "\n  reprise config set agents.claude.roots ~/.claude-work,/mnt/d/.claude",
    )
    .argument("<key>")
    .argument("<value>")
    .action(async (key, value) => {
      const known = asUsage(() => toConfigKey(key));
      const parsed = asUsage(() => parseConfigValue(known, value));
      if (known === "encrypt.recipients") await checkedRecipients(splitRecipients(value));
      if (known === "prices.file") return await setPricesFile(context, root(), value);
      if (ROOTS_KEYS.has(known)) return await setRoots(context, root(), known, value);
      writeConfigValue(root(), known, parsed);
    });
  command.command("unset")
    .summary("reset a setting to its default")
    .description("Reset a setting to its default.")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise config unset session.retention_days\n  reprise config unset redact.on_export",
    )
    .argument("<key>")
    .action((key) => writeConfigValue(root(), asUsage(() => toConfigKey(key)), undefined));
  command.command("path")
    .summary("print the path of the settings")
    .description("Print the path of the settings file, even if the file does not exist.")
    .addHelpText("after", '\nExamples:\n  reprise config path\n  cat "$(reprise config path)"')
    .action(() => printExact(context, configPath(root())));
  return command as unknown as Command;
}

/** Keeps the absolute path of a file whose prices can be read. */
async function setPricesFile({ cwd }: Context, root: string, value: string): Promise<void> {
  const path = resolve(cwd, value);
  const { assertPrices } = await import("../lib/library/usage/load_prices.ts");
  await assertPrices(path);
  writeConfigValue(root, "prices.file", path);
}

/** Keeps absolute paths of folders, and names those that are not there. */
async function setRoots(
  context: Context,
  root: string,
  key: ConfigKey,
  value: string,
): Promise<void> {
  const home = context.variable("HOME") || context.variable("USERPROFILE") || "";
  const paths = value.split(",").map((path) => path.trim()).filter((path) => path !== "")
    .map((path) => resolve(context.cwd, expandHome(path, home)));
  writeConfigValue(root, key, paths.join(","));
  for (const path of paths) {
    if (!existsSync(path)) await say(context, `reprise: ${path} is not there yet`);
  }
}

/** What was typed is no setting, or nothing that it takes: as wrong as an option's value. */
function asUsage<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof SessionError) throw new UsageError(error.message);
    throw error;
  }
}

async function printConfig({ stdout }: Context, config: Config, json: boolean): Promise<void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  const { sanitizeLine } = await import("../lib/render/sanitize.ts");
  if (json) return stdout.write(toJsonLine(config));
  const roots = Object.keys(config).filter((key) => ROOTS_KEYS.has(key));
  for (const key of [...Object.keys(CONFIG_ENTRIES), ...roots] as ConfigKey[]) {
    stdout.write(`${key} = ${sanitizeLine(String(config[key] ?? "(not set)"))}\n`);
  }
}

function describeSettings(): string {
  const entries: [string, ConfigEntry][] = [
    ...Object.entries(CONFIG_ENTRIES),
    [ROOTS_NAME, ROOTS_ENTRY],
  ];
  return entries.map(([key, { description, default: value }]) =>
    `  ${key}${value === undefined ? "" : ` (default: ${value})`}\n    ${description}`
  ).join("\n");
}
