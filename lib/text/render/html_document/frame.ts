/** Renders the head of every page with its content security policy, style and script. */
import { createHash } from "node:crypto";
import { sanitizeLine } from "../sanitize.ts";
import { NOTHING, safe, type SafeHtml, trustedHtml } from "./html.ts";

/** Constant texts of this program, which are not escaped. */
interface PageAssets {
  style: string;
  script?: string;
  /** True if the script adds more scripts. The content security policy then allows any address. */
  adds_scripts?: true;
  /** Returns the address of a style or script file. @default {style and script are inlined} */
  link?: (text: string, ending: "css" | "js") => string;
}

interface FrameHead {
  title: string;
  /** Name and version of the program that writes the page. */
  generator: string;
}

interface Frame {
  /**
   * The content security policy. It forbids network access, except what the directives given to
   * {@linkcode createFrame} allow. If style and script are linked files, only the HTTP header
   * contains the policy, with the files' full addresses.
   */
  policy: string;
  head(facts: FrameHead): SafeHtml;
  /** The script element for the end of the body. Empty if the page has no script. */
  script: SafeHtml;
}

/**
 * Creates a frame whose content security policy allows only the page's style and script, and
 * inlined images. `directives` are added to the policy.
 */
export function createFrame(
  { style, script, adds_scripts, link }: PageAssets,
  directives: readonly string[],
): Frame {
  const added = adds_scripts ? " 'strict-dynamic'" : "";
  const policy = [
    "default-src 'none'",
    `style-src ${link?.(style, "css") ?? sourceOf(style)}`,
    ...(script === undefined
      ? []
      : [`script-src ${link?.(script, "js") ?? sourceOf(script)}${added}`]),
    "img-src data:",
    "base-uri 'none'",
    ...directives,
  ].join("; ");
  return {
    policy,
    head: ({ title, generator }) =>
      safe`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
${
        link === undefined
          ? safe`<meta http-equiv="Content-Security-Policy" content="${trustedHtml(policy)}">\n`
          : NOTHING
      }<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${sanitizeLine(generator)}">
<title>${title}</title>
${
        link === undefined
          ? safe`<style>${trustedHtml(style)}</style>`
          : safe`<link rel="stylesheet" href="${link(style, "css")}">`
      }
</head>
`,
    script: script === undefined
      ? NOTHING
      : link === undefined
      ? safe`<script>${trustedHtml(script)}</script>\n`
      : safe`<script src="${link(script, "js")}"></script>\n`,
  };
}

/** Returns the hash source by which a content security policy allows an inline style or script. */
function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
