/** `reprise sync` */
import { defineCommand } from "./_command.ts";
import { MACHINE_FLAGS, syncMachinesHere } from "./sync/machines.ts";
import { checkCommand, pullCommand, pushCommand } from "./sync/push.ts";
import { removeCommand } from "./sync/remove.ts";
import { serviceCommand } from "./sync/service.ts";
import { teamCommand } from "./sync/team.ts";
import { watchCommand } from "./sync/watch.ts";
import { withdrawCommand } from "./sync/withdraw.ts";
import { wordsCommand } from "./sync/words.ts";

export const syncCommand = defineCommand({
  description:
    "Keep the sessions of your machines in step, encrypted, through a place that they share: a " +
    "folder, ssh://HOST/FOLDER, s3://BUCKET, or postgresql://…. The first machine shows words, the " +
    "next ones ask for them. Without PLACE, say how things stand.",
  arguments: [["[place]"]],
  flags: MACHINE_FLAGS,
  commands: {
    words: wordsCommand,
    watch: watchCommand,
    service: serviceCommand,
    remove: removeCommand,
    team: teamCommand,
    push: pushCommand,
    pull: pullCommand,
    check: checkCommand,
    withdraw: withdrawCommand,
  },
  examples: ["reprise sync ~/Sync/reprise", "reprise sync --once"],
  run: syncMachinesHere,
});
