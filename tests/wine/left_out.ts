/** Test files that cannot run under Wine, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "tests/agents/cases_test.ts": "makes 160 homes: more than the 400 s that a group has",
  "tests/agents/contract_test.ts": "makes some 900 homes: more than the 400 s that a group has",
};
