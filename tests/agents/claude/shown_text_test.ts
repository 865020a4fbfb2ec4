import assert from "node:assert/strict";
import { shownText } from "../../../lib/agents/claude/shown_text.ts";

Deno.test("shows texts in tags as Claude Code does", () => {
  const cases: [told: string, shown: string][] = [
    ["Fix it", "Fix it"],
    ["<div> is not closed", "<div> is not closed"],
    ["a <system-reminder>b</system-reminder>", "a <system-reminder>b</system-reminder>"],
    ["<system-reminder>\nThe list is empty.\n</system-reminder>\n", ""],
    ["<system-reminder>a</system-reminder>\n<system-reminder>b</system-reminder>", ""],
    [
      "<system-reminder>a</system-reminder>Fix it<system-reminder>b</system-reminder>",
      "<system-reminder>a</system-reminder>Fix it<system-reminder>b</system-reminder>",
    ],
    ["<local-command-caveat>Caveat: …</local-command-caveat>", ""],
    [
      "<command-name>/model</command-name>\n   <command-message>model</command-message>\n   <command-args>opus</command-args>",
      "/model opus",
    ],
    [
      "<command-message>init is running</command-message>\n<command-name>/init</command-name>",
      "/init",
    ],
    ["<command-message>no name</command-message>", "<command-message>no name</command-message>"],
    ["<local-command-stdout>Set to \u001b[1mopus\u001b[22m</local-command-stdout>", "Set to opus"],
    ["<local-command-stdout></local-command-stdout>", ""],
    ["<local-command-stderr>Error: no</local-command-stderr>", "Error: no"],
    ["<local-command-stdout>cut off", "cut off"],
    ["<bash-input>ls -l</bash-input>", "! ls -l"],
    ["<bash-stdout>a\nb\n</bash-stdout><bash-stderr></bash-stderr>", "a\nb"],
    ["<bash-stdout></bash-stdout><bash-stderr>no such file\n</bash-stderr>", "no such file"],
  ];
  for (const [told, shown] of cases) assert.equal(shownText(told), shown, told);
});

Deno.test("shows long hostile texts quickly", () => {
  const many = 200_000;
  const texts = [
    `<bash-stdout></bash-stdout>${" ".repeat(many)}x`,
    `<bash-stdout>${"</bash-stdout><bash-stderr>".repeat(many)}`,
    `<bash-stdout>${"</bash-stdout> ".repeat(many)}`,
    `<system-reminder>${"</system-reminder> ".repeat(many)}`,
    "<system-reminder>".repeat(many),
    `<local-command-stdout>${"</local-command-stdout> ".repeat(many)}x`,
  ];
  for (const text of texts) assert.ok(shownText(text).length > many);
});
