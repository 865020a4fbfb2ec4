/** Reads which files commits changed. Git runs only a few times for any number of commits. */
import { present } from "../../../core/event/present.ts";
import type { CommitFacts } from "./named_commits.ts";
import type { Repository } from "./repository.ts";

export interface CommitFile {
  /** The path below the repository's top in this commit. `name_before`: in the previous commit. */
  name: string;
  name_before: string;
  /** Git's hash of the content in this commit. `blob_before` is absent if the file is new. */
  blob: string;
  blob_before?: string;
  /** Number of added lines; absent for a file that is not text. */
  added?: number;
}

export interface CommitFiles {
  /** The commit; absent for the index. */
  commit?: CommitFacts;
  files: CommitFile[];
  /** Paths of deleted files. A new file of the commit may have taken lines from these files. */
  deleted: string[];
}

const FORM = [
  ...["-r", "-z", "--raw", "--numstat", "--no-abbrev", "-M", "-l400"],
  ...["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
];
/** Git's file mode for a submodule. */
const SUBMODULE = "160000";

/** Returns what each commit changes, compared with its first parent. */
export async function committedChanges(
  repository: Repository,
  commits: readonly CommitFacts[],
): Promise<CommitFiles[]> {
  const asked = commits.map(({ sha, parent }) => `${sha}${parent ? ` ${parent}` : ""}\n`).join("");
  const output = await repository.ask(["diff-tree", "--stdin", "--root", ...FORM], asked);
  if (output === undefined) throw repository.damage();
  const found = parseChanges(output);
  return commits.map((commit) => ({ commit, ...found.get(commit.sha) ?? NOTHING }));
}

export async function stagedChanges(repository: Repository): Promise<CommitFiles> {
  // Before the first commit, every file is new.
  const head = await repository.ask(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]) ??
    await repository.ask(["hash-object", "-t", "tree", "--stdin"]);
  const output = await repository.ask(["diff-index", "--cached", ...FORM, head?.trim() ?? "HEAD"]);
  if (output === undefined) throw repository.damage();
  return parseChanges(output).get("") ?? NOTHING;
}

const NOTHING: CommitFiles = { files: [], deleted: [] };

/** Parses git's NUL-separated changes and line counts, by commit. The key "" has staged changes. */
function parseChanges(output: string): Map<string, CommitFiles> {
  const changes = new Map<string, CommitFiles>();
  const tokens = output.split("\0").values();
  const next = (): string => tokens.next().value ?? "";
  let files = new Map<string, CommitFile>();
  let own: CommitFiles = { files: [], deleted: [] };
  changes.set("", own);
  for (const token of tokens) {
    const [, mode, before = "", blob = "", status = ""] =
      /^:\d+ (\d+) (\w+) (\w+) ([A-Z])\d*$/.exec(token) ?? [];
    const [, added, named = ""] = /^(\d+|-)\t[\d-]+\t(.*)$/s.exec(token) ?? [];
    if (mode !== undefined) {
      const name_before = next();
      const name = "RC".includes(status) ? next() : name_before;
      if (status === "D") own.deleted.push(name);
      if (mode === SUBMODULE || "DU".includes(status)) continue;
      const blob_before = /^0*$/.test(before) ? undefined : before;
      const file: CommitFile = present({ name, name_before, blob, blob_before });
      files.set(name, file);
      own.files.push(file);
    } else if (added !== undefined) {
      const [, name = ""] = named ? ["", named] : [next(), next()];
      const file = files.get(name);
      if (file !== undefined && added !== "-") file.added = Number(added);
    } else if (token !== "") {
      files = new Map();
      changes.set(token, own = { files: [], deleted: [] });
    }
  }
  return changes;
}

/** Character before a commit's time. A path that begins with it may give a wrong time. */
const MARK = "\x01";

const MOST_COMMITS = 2_000;

/**
 * Returns the times when commits changed each file: author times in seconds, the oldest commit
 * first. If the search reaches its limit, each file also gets the last examined commit's time.
 *
 * @param commits The newest commits to search. `^COMMIT` leaves out that commit and its ancestors.
 */
export async function changeTimes(
  repository: Repository,
  commits: readonly string[],
  names: readonly string[],
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>();
  if (commits.length === 0 || names.length === 0) return times;
  const options = ["-z", "--format=%x01%at", "--name-only", "--no-renames", "--no-textconv"];
  const most = [`--max-count=${MOST_COMMITS}`, "--no-show-signature", "--no-ext-diff"];
  const output = await repository.ask(
    ["--literal-pathspecs", "log", ...options, ...most, "--stdin"],
    [...commits, "--", ...names.filter((name) => !name.includes("\n")), ""].join("\n"),
  );
  if (output === undefined) throw repository.damage();
  let [count, time] = [0, 0];
  for (const token of output.split("\0")) {
    if (token.startsWith(MARK)) [count, time] = [count + 1, Number(token.slice(1)) || 0];
    else if (token !== "") {
      const name = token.replace(/^\n/, "");
      times.set(name, [time, ...times.get(name) ?? []]);
    }
  }
  if (count < MOST_COMMITS) return times;
  for (const name of names) times.set(name, [time, ...times.get(name) ?? []]);
  return times;
}
