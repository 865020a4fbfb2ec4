/** The formats that the engine makes readers of, by the name of their agent. */
import { aiderFormat } from "../../lib/agents/aider/aider_agent.ts";
import { antigravityFormat } from "../../lib/agents/antigravity/antigravity_agent.ts";
import { auggieFormat } from "../../lib/agents/auggie/auggie_agent.ts";
import { autohandFormat } from "../../lib/agents/autohand/autohand_agent.ts";
import { clineFormat } from "../../lib/agents/cline/cline_agent.ts";
import { continueFormat } from "../../lib/agents/continue/continue_agent.ts";
import { copilotFormat } from "../../lib/agents/copilot/copilot_agent.ts";
import { crushFormat } from "../../lib/agents/crush/crush_agent.ts";
import { cursorFormat } from "../../lib/agents/cursor/cursor_agent.ts";
import { deepseekFormat } from "../../lib/agents/deepseek/deepseek_agent.ts";
import { droidFormat } from "../../lib/agents/droid/droid_agent.ts";
import { fenFormat } from "../../lib/agents/fen/fen_agent.ts";
import { geminiFormat } from "../../lib/agents/gemini/gemini_agent.ts";
import { gooseFormat } from "../../lib/agents/goose/goose_agent.ts";
import { grokFormat } from "../../lib/agents/grok/grok_agent.ts";
import { hermesFormat } from "../../lib/agents/hermes/hermes_agent.ts";
import { keenFormat } from "../../lib/agents/keen/keen_agent.ts";
import { kimiFormat } from "../../lib/agents/kimi/kimi_agent.ts";
import { kiroFormat } from "../../lib/agents/kiro/kiro_agent.ts";
import { opencodeFormat } from "../../lib/agents/opencode/opencode_agent.ts";
import { openhandsFormat } from "../../lib/agents/openhands/openhands_agent.ts";
import { vibeFormat } from "../../lib/agents/vibe/vibe_agent.ts";
import { vscodeFormat } from "../../lib/agents/vscode/vscode_agent.ts";
import { zedFormat } from "../../lib/agents/zed/zed_agent.ts";
import type { SessionFormat } from "../../lib/agents/engine/session_format.ts";

export const FORMATS: Readonly<Record<string, SessionFormat<unknown>>> = {
  aider: aiderFormat,
  antigravity: antigravityFormat,
  auggie: auggieFormat,
  autohand: autohandFormat,
  cline: clineFormat,
  continue: continueFormat,
  copilot: copilotFormat,
  crush: crushFormat,
  cursor: cursorFormat,
  deepseek: deepseekFormat,
  droid: droidFormat,
  fen: fenFormat,
  gemini: geminiFormat,
  goose: gooseFormat,
  grok: grokFormat,
  hermes: hermesFormat,
  keen: keenFormat,
  kimi: kimiFormat,
  kiro: kiroFormat,
  opencode: opencodeFormat,
  openhands: openhandsFormat,
  vibe: vibeFormat,
  vscode: vscodeFormat,
  zed: zedFormat,
};
