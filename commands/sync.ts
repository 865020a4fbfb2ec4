/** `reprise sync` */
import { defineCommand } from "./_command.ts";
import { addCommand, removeCommand } from "./sync/add.ts";
import { initCommand, joinCommand } from "./sync/init.ts";
import { checkCommand, pullCommand, pushCommand } from "./sync/push.ts";
import { serviceCommand } from "./sync/service.ts";
import { statusCommand } from "./sync/status.ts";
import { trustCommand } from "./sync/trust.ts";
import { watchCommand } from "./sync/watch.ts";
import { withdrawCommand } from "./sync/withdraw.ts";

const NOTES = `
Only projects that you add are sent. The store can be a folder that your
machines share, a bucket, or a PostgreSQL database (your own or your team's).

Examples:
  laptop$   reprise sync init ~/Sync/reprise
  laptop$   reprise sync add ~/src/my-app
  laptop$   reprise sync push
  desktop$  reprise sync join ~/Sync/reprise --trust KEY
  desktop$  reprise sync add ~/src/my-app
  desktop$  reprise sync pull`;

export const syncCommand = defineCommand({
  description: "Share sessions of chosen projects with your other machines and your team.",
  commands: {
    init: initCommand,
    join: joinCommand,
    add: addCommand,
    remove: removeCommand,
    push: pushCommand,
    pull: pullCommand,
    status: statusCommand,
    check: checkCommand,
    trust: trustCommand,
    watch: watchCommand,
    service: serviceCommand,
    withdraw: withdrawCommand,
  },
  notes: NOTES,
});
