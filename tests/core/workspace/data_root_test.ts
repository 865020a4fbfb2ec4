import { join } from "node:path";
import {
  DATA_ROOT_VARIABLES,
  dataRoot,
  expandHome,
} from "../../../lib/core/workspace/data_root.ts";
import assert from "node:assert/strict";

type Variables = Record<string, string>;

function rootOf(variables: Variables, windows = false): string | undefined {
  return dataRoot((name) => {
    assert.ok(DATA_ROOT_VARIABLES.includes(name as "HOME"), `${name} is asked for, and not listed`);
    return variables[name];
  }, windows);
}

const ALL: Variables = {
  REPRISE_HOME: "/own",
  XDG_STATE_HOME: "/state",
  HOME: "/home/ada",
  LOCALAPPDATA: "C:\\Local",
};

Deno.test("the data root is the first that is set, system by system", () => {
  const { REPRISE_HOME: _own, ...noOwn } = ALL;
  const { XDG_STATE_HOME: _state, ...noState } = noOwn;
  const { HOME: _home, ...noHome } = noState;
  const { LOCALAPPDATA: _local, ...noLocal } = noOwn;
  const table: [Variables, boolean, string | undefined][] = [
    [ALL, false, "/own"],
    [noOwn, false, join("/state", "reprise")],
    [noState, false, join("/home/ada", ".local", "state", "reprise")],
    [noHome, false, undefined],
    [ALL, true, "/own"],
    [noOwn, true, join("C:\\Local", "reprise")],
    [noLocal, true, undefined],
    [{}, false, undefined],
  ];
  for (const [variables, windows, root] of table) {
    assert.equal(rootOf(variables, windows), root, JSON.stringify([variables, windows]));
  }
});

Deno.test("a variable that is set and empty counts as not set", () => {
  assert.equal(rootOf({ ...ALL, REPRISE_HOME: "" }), join("/state", "reprise"));
  assert.equal(
    rootOf({ ...ALL, REPRISE_HOME: "", XDG_STATE_HOME: "" }),
    join("/home/ada", ".local", "state", "reprise"),
  );
  assert.equal(rootOf({ LOCALAPPDATA: "" }, true), undefined);
});

Deno.test("`~` is the home", () => {
  assert.equal(expandHome("~/x", "/home/me"), "/home/me/x");
  assert.equal(expandHome("~", "/home/me"), "/home/me");
  assert.equal(expandHome("/a/~/x", "/home/me"), "/a/~/x");
});
