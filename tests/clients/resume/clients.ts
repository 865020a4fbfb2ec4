/** All clients that can be compared, the quick ones first. */
import { claude } from "./client/claude.ts";
import { codex } from "./client/codex.ts";
import { gemini } from "./client/gemini.ts";
import { opencode } from "./client/opencode.ts";
import { pi } from "./client/pi.ts";
import { qwen } from "./client/qwen.ts";
import type { NpmClient } from "./npm_client.ts";

/** The clients. */
export const CLIENTS: readonly NpmClient[] = [pi, codex, claude, opencode, gemini, qwen];
