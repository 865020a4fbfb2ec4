import assert from "node:assert/strict";
import { accountSum } from "../../_support/account_sum.ts";
import { count, countSide, emptyAccount } from "../../../lib/agents/contract/source_account.ts";

Deno.test("whatever is counted counts in the total", () => {
  const account = emptyAccount();
  count(account, "events", 5);
  count(account, "dead", 3);
  count(account, "damage", 2);
  count(account, "blank", 1);
  countSide(account, "progress", 7);
  countSide(account, "progress", 7);
  countSide(account, "__proto__", 4);
  assert.equal(account.total, 29);
  assert.equal(accountSum(account), account.total);
  assert.deepEqual(Object.keys(account.side), ["progress", "__proto__"]);
});

Deno.test("without an account nothing is counted", () => {
  count(undefined, "events", 5);
  countSide(undefined, "progress", 5);
  assert.equal(emptyAccount("rows").unit, "rows");
});
