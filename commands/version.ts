/** `reprise version` */
import { defineCommand } from "./_command.ts";

export const versionCommand = defineCommand({
  summary: "print the version",
  description: "Print the version of Reprise.",
  examples: ["reprise version", "reprise --version"],
  run: (context) => context.stdout.write(`${context.version}\n`),
});
