/**
 * Names the folder for Deno's caches in terminals. No other processes use it: where many begin at
 * once, one may fail to open its caches, and Deno says so on a terminal and nowhere else.
 */
export const TERMINAL_CACHES = "REPRISE_TERMINAL_CACHES";
