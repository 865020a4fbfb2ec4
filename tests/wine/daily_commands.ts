/** What a user types in a day, on the Windows home of `testdata/windows/home`. */

/** The user's home, and the project that all sessions are of. */
export const HOME = "C:\\Users\\ada";
export const PROJECT = `${HOME}\\src\\shop`;

/** The first characters of the ids of two sessions of Claude Code, in folders `C--` and `c--`. */
const [WRITTEN, ASKED] = ["1111", "2222"];
const [CODEX, PI] = ["019a9c00", "3333"];

/** A command line, and what its output must have. */
export interface DailyCommand {
  words: readonly string[];
  says: RegExp;
  /** @default 0 */
  status?: number;
  /** True where Linux must print the same of a copy of the home. */
  same?: true;
}

const FIRST = /Write price\.ts, which writes cents as euros/;

/** The command lines in their order: one may need the effect of another. */
export const DAILY_COMMANDS: readonly DailyCommand[] = [
  { words: ["list", "--all"], says: FIRST, same: true },
  { words: ["list", "--all", "--json"], says: /"agent":"pi"/, same: true },
  { words: ["show", WRITTEN], says: /user #6/, same: true },
  { words: ["show", CODEX], says: /1 € is 1\.00 €/, same: true },
  { words: ["search", "--all", "naïve"], says: /naïve names/, same: true },
  { words: ["stats", "--all"], says: /list prices/, same: true },
  { words: ["export", WRITTEN, "--format", "md"], says: /^# Write price\.ts/, same: true },
  { words: ["export", PI, "--format", "json"], says: /It is the euro\./, same: true },
  { words: ["files", WRITTEN], says: /price\.ts/, same: true },
  { words: ["blame", "price.ts"], says: /^2 proven .*claude:11111111#8/m },
  {
    words: ["conversation", ASKED, "--format", "anthropic"],
    says: /price\.ts alone\./,
    same: true,
  },
  { words: ["digest", "--all", "--since", "2026-11-19"], says: /shop/ },
  { words: ["list"], says: /019a9c00/ },
  { words: ["resume", WRITTEN, "--print"], says: /claude --resume 11111111-2222/ },
  { words: ["resume", CODEX, "--print"], says: /codex resume 019a9c00-/ },
  { words: ["handover", ASKED, "--to", "pi", "--dry-run"], says: /pi/ },
  { words: ["backup", "--agent", "claude", "--agent", "pi"], says: /./ },
  { words: ["rename", ASKED, "Naïve names"], says: /^Renamed claude:2222/m },
  { words: ["record", "--help"], says: /reprise record/ },
  { words: ["tag", ASKED, "windows"], says: /windows/ },
  { words: ["list", "--all", "--tag", "windows"], says: /22222222/ },
  { words: ["note", ASKED, "two cases of C--"], says: /./ },
  { words: ["pin", ASKED], says: /./ },
  { words: ["archive", ASKED], says: /Archived/ },
  { words: ["archive", "--undo", ASKED], says: /./ },
  { words: ["secrets", "--all"], says: /./ },
  { words: ["cache", "status"], says: /./ },
  { words: ["config", "list"], says: /./ },
  { words: ["doctor"], says: /./ },
  { words: ["path", WRITTEN], says: /C--Users-ada-src-shop/ },
  { words: ["trash", "list"], says: /./ },
];

/** What is not the same on two days, or in two homes. */
export function withoutPlace(text: string, home: string): string {
  return text.replaceAll("\r\n", "\n")
    .replaceAll(/[cC]:\\+[Uu]sers\\+ada/g, "~")
    .replaceAll(home, "~")
    .replaceAll(/Exported: .* UTC by/g, "Exported: … by")
    .replaceAll(/~[^\s"]*/g, (path) => path.replaceAll(/\\+/g, "/"));
}
