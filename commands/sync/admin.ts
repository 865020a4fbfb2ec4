/** `reprise sync admin`: a team's store, as its owner sees it. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import { counted } from "../../lib/core/event/counted.ts";
import type {
  StoreAdministration,
  StoreHold,
  StoreRules,
} from "../../lib/features/team/postgres/administration.ts";
import { defineCommand, type Flags, type FlagsOf } from "../_command.ts";
import type { Context } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { printJsonLines, say } from "../_message.ts";
import { parseCount, parseSize } from "../_values.ts";
import { databaseOptions, neededSettings } from "./connection.ts";

const JSON_FLAG = { "--json": "print each row as one line of JSON" } as const;

const RULE_FLAGS = {
  "--forms <list>":
    "the kinds of sharing that the store accepts: copy (redacted), sealed (encrypted), " +
    "log (original sessions); separated by commas",
  "--makers <role>": "the database role whose members may add new projects",
  "--member-quota <size>": {
    help: "the maximum total size of the sessions of one member",
    parse: parseSize,
  },
  "--project-quota <size>": {
    help: "the maximum total size of the sessions of one project",
    parse: parseSize,
  },
  "--keep-days <count>": {
    help: "the number of days after which `sync admin expire` deletes an unchanged session",
    parse: parseCount,
  },
  "--audit <state>": { help: "record who reads whose sessions", choices: ["on", "off"] },
  "--no-limits": "remove the limits set by --member-quota, --project-quota and --keep-days",
  ...JSON_FLAG,
} as const satisfies Flags;

const HOLD_FLAGS = {
  "--member <name>": "protect this member's sessions from deletion",
  "--project <id>": "protect this project's sessions from deletion",
  "--session <id>": "protect this session from deletion (full id required)",
  "--reason <text>": "why the sessions are protected",
  "--release <number>": {
    help: "end the protection (the hold) with this number",
    parse: parseCount,
  },
  ...JSON_FLAG,
} as const satisfies Flags;

export const adminCommand = defineCommand({
  summary: "administer a store, as its owner",
  description: "See the members, projects and sizes of the store that this machine uses, and set " +
    "its rules. Only the store's owner can do this.",
  commands: {
    members: defineCommand({
      summary: "list members, how much they store, and when they last pushed",
      description: "List current and former members, sorted by stored bytes, most first.",
      flags: JSON_FLAG,
      examples: ["reprise sync admin members"],
      run: (context, { json }) =>
        list(context, json, (store) => store.members(), ({ member, ...one }, format) => [
          member,
          counted(one.sessions, "session"),
          format(one.stored_bytes),
          one.last_push ?? "no push",
          ...one.is_member ? [] : ["no longer a member"],
        ]),
    }),
    projects: defineCommand({
      summary: "list projects, who can read them, and how large they are",
      description: "List the projects that are shared with others, the largest first.",
      flags: JSON_FLAG,
      examples: ["reprise sync admin projects"],
      run: (context, { json }) =>
        list(context, json, (store) => store.projects(), ({ project, ...one }, format) => [
          project,
          one.readers ?? "nobody",
          counted(one.sessions, "session"),
          counted(one.members, "member"),
          format(one.stored_bytes),
          one.last_push ?? "no push",
        ]),
    }),
    rules: defineCommand({
      summary: "show or change what may be shared, and how long it is kept",
      description:
        "Show the store's rules. With flags, change those rules. Sessions that are already in " +
        "the store are not affected.",
      flags: RULE_FLAGS,
      examples: [
        "reprise sync admin rules",
        "reprise sync admin rules --forms copy,sealed --makers team_leads",
        "reprise sync admin rules --member-quota 20GB --keep-days 365 --audit on",
      ],
      run: (context, flags) =>
        list(
          context,
          flags.json,
          async (store) => {
            await store.changeRules(changesOf(flags));
            return [await store.rules()];
          },
          (rules, format) => [ruleText(rules, format)],
        ),
    }),
    revoke: defineCommand({
      summary: "remove a member, but keep the member's sessions",
      description:
        "Remove a member. The member can no longer read or write. The member's sessions stay in " +
        "the store.",
      arguments: [["<member>", "the member's role"]],
      examples: ["reprise sync admin revoke ada"],
      run: (context, member) =>
        administer(context, async (store) => {
          const is_out = await store.revoke(member);
          await say(context, `Revoked: ${member} can no longer read or write`);
          if (!is_out) {
            await say(
              context,
              "The database role can still log in. Only a database administrator can prevent a " +
                "login",
            );
          }
        }),
    }),
    hold: defineCommand({
      summary: "protect sessions from deletion",
      description:
        "Protect the sessions that match all flags: nobody can delete them until you end the " +
        "protection (the hold) with --release. Without flags, list the holds.",
      flags: HOLD_FLAGS,
      examples: [
        "reprise sync admin hold",
        "reprise sync admin hold --member ada --reason 'case 7'",
        "reprise sync admin hold --release 1",
      ],
      run: hold,
    }),
    expire: defineCommand({
      summary: "delete shared sessions that are older than --keep-days allows",
      description:
        "Delete sessions that have not changed for the number of days in the rule --keep-days. " +
        "Also delete sessions that members withdrew while they were protected (see: reprise sync " +
        "admin hold), if the protection has ended. Run this command regularly, for example with " +
        "cron.",
      examples: ["reprise sync admin expire"],
      run: (context) =>
        administer(context, async (store) => {
          await say(context, `Deleted: ${counted(await store.expire(), "session")}`);
        }),
    }),
    readings: defineCommand({
      summary: "list who read whose session, and when",
      description:
        "List who read whose session, the latest first. To record reads: reprise sync admin " +
        "rules --audit on.",
      arguments: [["[session]", "show only who read this session; give its full id"]],
      flags: {
        "-n, --limit <count>": { help: "maximum number of rows", parse: parseCount, default: 100 },
        ...JSON_FLAG,
      },
      examples: ["reprise sync admin readings", "reprise sync admin readings 3f6a2b91-… --json"],
      run: (context, session, { limit, json }) =>
        list(context, json, (store) => store.readings(session, limit), (one) => [
          one.time,
          one.reader,
          `${one.owner}/${one.session}@${one.n}`,
        ]),
    }),
  },
  examples: ["reprise sync admin members", "reprise sync admin rules"],
});

async function administer<Result>(
  context: Context,
  work: (store: StoreAdministration) => Promise<Result>,
): Promise<Result> {
  const settings = await neededSettings(context, "administer a store");
  const options = await databaseOptions(context, settings, "administer the store");
  const { StoreAdministration } = await import(
    "../../lib/features/team/postgres/administration.ts"
  );
  await using store = await StoreAdministration.open(settings.url, options);
  return await work(store);
}

/** Prints rows that the store gives. */
async function list<Row extends object>(
  context: Context,
  json: boolean | undefined,
  read: (store: StoreAdministration) => Promise<Row[]>,
  fields: (row: Row, format: (bytes: number) => string) => string[],
): Promise<void> {
  const rows = await administer(context, read);
  if (json) return await printJsonLines(context, rows);
  const { sanitizeText } = await import("../../lib/text/render/sanitize.ts");
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  context.stdout.write(
    rows.map((row) => `${sanitizeText(fields(row, formatBytes).join("  "))}\n`).join(""),
  );
}

function changesOf(flags: FlagsOf<typeof RULE_FLAGS>): Partial<StoreRules> {
  const { forms, makers, memberQuota, projectQuota, keepDays, audit, limits } = flags;
  const none = { member_bytes: null, project_bytes: null, kept_days: null };
  return {
    ...limits === false && none,
    ...forms !== undefined && { forms: forms.split(",") },
    ...makers !== undefined && { makers },
    ...memberQuota !== undefined && { member_bytes: memberQuota },
    ...projectQuota !== undefined && { project_bytes: projectQuota },
    ...keepDays !== undefined && { kept_days: keepDays },
    ...audit !== undefined && { audited: audit === "on" },
  };
}

function ruleText(
  { forms, makers, member_bytes, project_bytes, kept_days, audited }: StoreRules,
  format: (bytes: number) => string,
): string {
  const size = (bytes: number | null): string => bytes === null ? "no limit" : format(bytes);
  return [
    `forms          ${forms.join(", ")}`,
    `makers         ${makers}`,
    `member quota   ${size(member_bytes)}`,
    `project quota  ${size(project_bytes)}`,
    `kept           ${kept_days === null ? "for ever" : counted(kept_days, "day")}`,
    `audit          ${audited ? "on" : "off"}`,
  ].join("\n");
}

async function hold(
  context: Context,
  { member, project, session, reason, release, json }: FlagsOf<typeof HOLD_FLAGS>,
): Promise<void> {
  if (release !== undefined) {
    const is_released = await administer(context, (store) => store.release(release));
    if (is_released) return await say(context, `Ended: protection ${release}`);
    throw new SessionError(
      "not-found",
      `Cannot end protection ${release}: no protection has this number`,
    );
  }
  const is_wanted = [member, project, session].some((one) => one !== undefined);
  if (is_wanted && reason === undefined) {
    throw new UsageError("Cannot protect sessions without a reason. Add: --reason TEXT");
  }
  if (reason !== undefined && !is_wanted) {
    throw new UsageError(
      "Say which sessions to protect from deletion: --member, --project or --session",
    );
  }
  const fields = { owner: member ?? null, project: project ?? null, session: session ?? null };
  const holds = async (store: StoreAdministration): Promise<StoreHold[]> => {
    if (reason !== undefined) await store.hold({ ...fields, reason });
    return await store.holds();
  };
  await list(context, json, holds, (one) => [
    `${one.id}`,
    one.owner ?? "any member",
    one.project ?? "any project",
    one.session ?? "any session",
    one.reason,
  ]);
}
