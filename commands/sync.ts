/** `reprise sync` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";
import { acceptCommand } from "./sync/accept.ts";
import { addCommand, removeCommand } from "./sync/add.ts";
import { initCommand, joinCommand } from "./sync/init.ts";
import { pullCommand, pushCommand } from "./sync/push.ts";
import { statusCommand } from "./sync/status.ts";
import { trustCommand } from "./sync/trust.ts";
import { watchCommand } from "./sync/watch.ts";
import { withdrawCommand } from "./sync/withdraw.ts";

const NOTES = `
Nothing leaves this machine but the projects that you add. The store is a
PostgreSQL database of yours or of your team.

Examples:
  laptop$   reprise sync init postgresql://me@db.example.com/sessions
  laptop$   reprise sync add --exact ~/src/my-app
  laptop$   reprise sync push
  desktop$  reprise sync join postgresql://me@db.example.com/sessions
  desktop$  reprise sync trust KEY
  desktop$  reprise sync add --exact ~/src/my-app
  desktop$  reprise sync pull`;

/** Shares sessions with other machines and with a team. */
export function syncCommand(context: Context): Command {
  const command = new Command("sync")
    .summary("share sessions with your other machines and your team")
    .description("Share sessions of chosen projects with your other machines and your team.")
    .addHelpText("after", NOTES) as unknown as Command;
  command.addCommand(initCommand(context));
  command.addCommand(joinCommand(context));
  command.addCommand(addCommand(context));
  command.addCommand(removeCommand(context));
  command.addCommand(pushCommand(context));
  command.addCommand(pullCommand(context));
  command.addCommand(statusCommand(context));
  command.addCommand(trustCommand(context));
  command.addCommand(acceptCommand(context));
  command.addCommand(watchCommand(context));
  command.addCommand(withdrawCommand(context));
  return command;
}
