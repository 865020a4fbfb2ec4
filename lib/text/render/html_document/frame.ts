/** Renders the beginning of every page: its policy, and its one style and script. */
import { createHash } from "node:crypto";
import { sanitizeLine } from "../sanitize.ts";
import { NOTHING, safe, type SafeHtml, trustedHtml } from "./html.ts";

/** The style of a page, and its script if it has one. Both are texts of this program. */
interface PageAssets {
  style: string;
  script?: string;
  /** True if the script adds more scripts. Then the policy allows them from any address. */
  adds_scripts?: true;
  /** Returns the address of a style or script outside the page. @default {in the page} */
  link?: (text: string, ending: "css" | "js") => string;
}

interface FrameHead {
  title: string;
  /** Name and version of the program that writes the page. */
  generator: string;
}

/** A page's own style and script, and the policy that allows no others. */
interface Frame {
  /**
   * The content security policy. It forbids all network access, except what `directives` allow. If
   * style and script are linked files, only the HTTP header contains the policy, with the files'
   * full addresses.
   */
  policy: string;
  /** Returns the page up to the end of its head. */
  head(facts: FrameHead): SafeHtml;
  /** The element with the script, for the end of the body; empty without a script. */
  script: SafeHtml;
}

/**
 * Makes the frame of pages. The content security policy allows the page's own style, script and
 * images. `directives` allow more.
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

/** Returns the hash by which a policy allows a style or script. */
function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
