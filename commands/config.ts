/** `reprise config` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import {
  CONFIG_ENTRIES,
  type ConfigKey,
  parseConfigValue,
  toConfigKey,
} from "../lib/workspace/config.ts";
import { configPath, readConfig, writeConfigValue } from "../lib/workspace/config_file.ts";
import type { Context } from "./_context.ts";
import { printPath } from "./_message.ts";
import { contextStore } from "./_source.ts";

/** Reads and changes settings. */
export function configCommand(context: Context): Command {
  const root = (): string => contextStore(context).root;
  const print = (text: string): void => context.stdout.write(`${text}\n`);
  const command = new Command("config")
    .summary("read and change settings")
    .description("Read and change the settings, which are in config.json in the data root.")
    .addHelpText(
      "after",
      `\nSettings:\n${describeSettings()}\n\nStorage and age act in \`prune\` alone; \`list\` says when a limit is passed.` +
        "\n\nExamples:\n  reprise config set session.retention_days 90\n  reprise config unset session.retention_days",
    );
  command.command("list")
    .description("print all settings")
    .option("--json", "as one JSON object")
    .action(({ json }) => {
      const config = readConfig(root());
      if (json) return print(JSON.stringify(config));
      for (const key of Object.keys(CONFIG_ENTRIES) as ConfigKey[]) {
        print(`${key} = ${config[key] ?? "(not set)"}`);
      }
    });
  command.command("get")
    .description("print one setting")
    .argument("<key>")
    .action((key) => print(String(readConfig(root())[toConfigKey(key)] ?? "")));
  command.command("set")
    .description("change a setting")
    .argument("<key>")
    .argument("<value>")
    .action((key, value) => {
      const known = toConfigKey(key);
      writeConfigValue(root(), known, parseConfigValue(known, value));
    });
  command.command("unset")
    .description("take a setting back to its default")
    .argument("<key>")
    .action((key) => writeConfigValue(root(), toConfigKey(key), undefined));
  command.command("path")
    .description("print where the settings are")
    .action(() => printPath(context, configPath(root())));
  return command as unknown as Command;
}

function describeSettings(): string {
  return Object.entries(CONFIG_ENTRIES).map(([key, { description, default: value }]) =>
    `  ${key.padEnd(29)} ${description}${value === undefined ? "" : ` (default: ${value})`}`
  ).join("\n");
}
