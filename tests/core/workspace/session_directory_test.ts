import assert from "node:assert/strict";
import { namedPath, sessionDirectory } from "../../../lib/core/workspace/session_directory.ts";
import { isRoot, namesBelow, type PathRules } from "../../../lib/core/workspace/system_path.ts";

const LINUX: PathRules = { windows: false, composes: false, wsl: undefined };
const WSL = { ...LINUX, wsl: "Ubuntu" };
const WINDOWS = { ...LINUX, windows: true };
const MAC = { ...LINUX, composes: true };
const ALL = [LINUX, WSL, WINDOWS, MAC];

/** One directory in two spellings, and the machines on which they are known as one. */
const SAME: [string, string, PathRules[]][] = [
  ["/home/ada/src", "/home/ada//./src/", ALL],
  ["C:\\Users\\Ada", "c:/users/ada/", ALL],
  ["C:\\Users\\Ada", "\\\\?\\c:\\Users\\x\\..\\Ada", ALL],
  ["\\\\Server\\Share\\x", "\\\\server/share\\X\\", ALL],
  ["\\\\server\\share\\x", "\\\\?\\UNC\\server\\share\\x", ALL],
  ["\\\\server\\share", "//server/share", [WINDOWS]],
  ["C:\\Users\\ada", "/mnt/c/Users/Ada", [WSL]],
  ["\\\\wsl$\\Ubuntu\\home\\ada", "\\\\wsl.localhost\\ubuntu\\home\\ada", ALL],
  ["\\\\wsl$\\Ubuntu\\home\\ada", "/home/ada", [WSL]],
  ["/home/ada/e\u0301", "/home/ada/\u00e9", [MAC]],
];

/** Directories that are not one, nor one below the other. */
const APART: [string, string][] = [
  ["/home/ada", "/home/adab"],
  ["/home/ada", "/home/ADA"],
  ["C:\\Users\\ada", "D:\\Users\\ada"],
  ["C:\\Users\\ada", "C:\\Users\\adab"],
  ["C:\\Users\\ada", "C:\\Users\\ada\\..\\bob"],
  ["/", "C:\\"],
  ["/home/ada", "\\\\home\\ada"],
  ["\\\\wsl$\\Ubuntu\\home\\ada", "\\\\wsl$\\Ubuntu\\home\\Ada"],
  ["\\\\wsl$\\Debian\\home\\ada", "/home/ada"],
];

const NONE = ["", ".", "work", "../x", "~", "~/work", "C:", "C:work", "\\work", "\\\\server"]
  .concat(
    ["file:///home/ada", "vscode-remote://ssh-remote/home/ada", "/home/a\0b", "C:\\a\0b"],
    ["/" + "x".repeat(10_000), "C:\\" + "x".repeat(40_000), "\\\\?\\Volume{1}\\x"],
  );

Deno.test("a session's directory is compared by the rules of its own system", () => {
  for (const rules of ALL) {
    const isIn = (path: string, top: string) => sessionDirectory(path, rules)?.isIn([top]);
    for (const [one, other, known] of SAME) {
      const text = JSON.stringify([one, other, rules]);
      assert.equal(isIn(one, other), known.includes(rules), text);
      if (!known.includes(rules)) continue;
      assert.ok(isIn(other, one) && isIn(`${one}/below`, other), text);
    }
    for (const [one, other] of APART) {
      assert.ok(!isIn(one, other) && !isIn(other, one), JSON.stringify([one, other, rules]));
    }
    for (const written of NONE) assert.equal(sessionDirectory(written, rules), undefined, written);
  }
  assert.equal(sessionDirectory("/home/ada/e\u0301", LINUX)?.isIn(["/home/ada/\u00e9"]), false);
  assert.equal(sessionDirectory("/mnt/c/x", LINUX)?.isIn(["C:\\x"]), false);
});

Deno.test("a session's directory is local only where its system is this one", () => {
  const cases: [string, PathRules, string | undefined][] = [
    ["/home/ada/../x/", LINUX, "/home/ada/../x/"],
    ["/mnt/c/Users", LINUX, "/mnt/c/Users"],
    ["C:\\Users", LINUX, undefined],
    ["\\\\server\\share", WSL, undefined],
    ["\\\\?\\c:\\Users\\Ada", WSL, "/mnt/c/Users/Ada"],
    ["\\\\wsl.localhost\\ubuntu\\home\\ada", WSL, "/home/ada"],
    ["\\\\wsl$\\Debian\\home", WSL, undefined],
    ["C:/Users", WINDOWS, "C:/Users"],
    ["/mnt/c/Users", WINDOWS, undefined],
  ];
  for (const [written, rules, local] of cases) {
    assert.equal(sessionDirectory(written, rules)?.local, local, written);
  }
});

Deno.test("a session's files are named below its directory, by its own rules", () => {
  const cases: [cwd: string, path: string, name: string | undefined][] = [
    ["/home/ada", "src/a.ts", "src/a.ts"],
    ["/home/ada", "/home/ada/src/../b\\c.ts", "b\\c.ts"],
    ["/home/ada", "../bob/a.ts", undefined],
    ["/home/ada", "C:\\home\\ada\\a.ts", undefined],
    ["C:\\Users\\ada", "src\\a.ts", "src/a.ts"],
    ["C:\\Users\\ada", "c:/users/ADA/src/A.ts", "src/A.ts"],
    ["C:\\Users\\ada", "..\\bob\\a.ts", undefined],
    ["C:\\Users\\ada", "/home/ada/a.ts", undefined],
    ["\\\\server\\share\\x", "a.ts", "a.ts"],
  ];
  for (const [cwd, path, name] of cases) {
    assert.equal(sessionDirectory(cwd, LINUX)?.nameOf(path), name, `${cwd} ${path}`);
  }
});

Deno.test("a whole drive is a root, and a home lies below its drive", () => {
  for (const path of ["C:\\", "c:/", "\\\\?\\C:\\", "\\\\server\\share\\"]) {
    assert.ok(isRoot(path, WINDOWS), path);
  }
  assert.ok(isRoot("/", LINUX) && isRoot("/mnt/c", WSL));
  assert.ok(!isRoot("C:\\Users", WINDOWS) && !isRoot("/mnt/c", LINUX));
  assert.deepEqual(namesBelow("C:\\", "c:/Users/Ada", WINDOWS), ["Users", "Ada"]);
});

Deno.test("a user may name a directory of another system", () => {
  const cases = [["a/../b", "/w/b"], ["/x/", "/x"], ["~", "/w/~"], ["", "/w"]] as const;
  for (const [given, path] of cases) assert.equal(namedPath("/w", given), path);
  if (Deno.build.os !== "windows") assert.equal(namedPath("/w", "c:\\x\\"), "C:\\x");
});
