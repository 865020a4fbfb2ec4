/** `reprise sync` */
import { type CommandTable, defineCommand } from "./_command.ts";
import { addCommand, removeCommand } from "./sync/add.ts";
import { MACHINE_FLAGS, syncMachinesHere } from "./sync/machines.ts";
import { initCommand, joinCommand } from "./sync/init.ts";
import { checkCommand, pullCommand, pushCommand } from "./sync/push.ts";
import { serviceCommand } from "./sync/service.ts";
import { statusCommand } from "./sync/status.ts";
import { trustCommand } from "./sync/trust.ts";
import { watchCommand } from "./sync/watch.ts";
import { withdrawCommand } from "./sync/withdraw.ts";

const NOTES = `
With a team: sync init, join, add, remove, push, pull, status, check, trust,
withdraw; each has --help.`;

/** Leaves a command for teams out of the list, which is for one user's machines. */
function ofTeams(table: CommandTable): CommandTable {
  return { ...table, hidden: true };
}

export const syncCommand = defineCommand({
  description:
    "Keep the sessions of your machines in step, encrypted, through a place that they share: a " +
    "folder, ssh://HOST/FOLDER, s3://BUCKET, or postgresql://…. The first machine shows words, the " +
    "next ones ask for them. Then list shows all, and resume continues any under its id.",
  arguments: [["[place]"]],
  flags: MACHINE_FLAGS,
  commands: {
    init: ofTeams(initCommand),
    join: ofTeams(joinCommand),
    add: ofTeams(addCommand),
    remove: ofTeams(removeCommand),
    push: ofTeams(pushCommand),
    pull: ofTeams(pullCommand),
    status: ofTeams(statusCommand),
    check: ofTeams(checkCommand),
    trust: ofTeams(trustCommand),
    watch: watchCommand,
    service: serviceCommand,
    withdraw: ofTeams(withdrawCommand),
  },
  notes: NOTES,
  examples: ["reprise sync ~/Sync/reprise", "reprise sync --once"],
  run: syncMachinesHere,
});
