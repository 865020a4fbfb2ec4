/**
 * Makes hostile Markdown by a grammar: quotes, tabs, lists, code, HTML, references, autolinks and
 * entities, nested and broken off at random.
 */

const SCHEMES = [
  ...[
    "javascript:alert(1)",
    "JaVaScRiPt:x",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
  ],
  ...["java&#115;cript:x", "&#106;avascript:x", "javascript&colon;x", "javascript&#58;x"],
  ...["java\\script:x", "javascript\\:x", "java script:x", "%6aavascript:x", "x-y+z.1:a"],
  ...["java&Tab;script:x", "java&NewLine;script:x", "JAVASCRIPT&#x3a;x", "a/../javascript:x"],
];
const SAFE = ["https://e.example/a?b=c", "#part", "mailto:a@e.example", "http://e.example"];
const HEADINGS = [
  ...["## User (event 4, 2026-11-21 20:21 UTC)", "### Assistant (event 5)", "# Title", "##\tUser"],
  ...["## User (event 4)\n", "User (event 4)\n---", "User (event 4)\n===", "User\n  ==", "#", "##"],
  ...["User (event 4)\n> ---", "a\nUser (event 4)\n-", "User `a\n---", "###### a", "####### a"],
  ...["User [a\n---", "User *a\n====  ", "User\n\t---", "## User ##", "\\## User", "&#35;# User"],
];
const HTML = [
  ...["<b>", "</b>", "<script>x</script>", "<!-- a", "-->", "<?a", "<!D a>", "<![CDATA[a]]>"],
  ...["<div\n a>", '<a href="javascript:x">', "<img src=x>", "<std::string>", "Map<a, b>", "<"],
];
const PREFIXES = [
  ...["", "", "", "> ", ">", "> > ", ">\t", "> \t", "\t", " \t", "    ", "  ", "   ", "- ", "-\t"],
  ...[
    "* ",
    "+   ",
    "1. ",
    "12) ",
    "- - ",
    "- > ",
    "> - ",
    "1.\t",
    "-     ",
    ">     ",
    "| ",
    "  > ",
  ],
  ...["- [ ] ", "\t> ", "   >\t", "10.  > - "],
];
const FENCES = ["```", "````", "~~~", "```js", "~~~~ a", "``` a`b", "~~~`", "``", "```\t", "`````"];
const BROKEN = [
  ...[
    "`",
    "``",
    "*",
    "**",
    "_",
    "~~",
    "[",
    "]",
    "(",
    ")",
    "![",
    "\\",
    "<",
    ">",
    "|",
    "&",
    "#",
    "-",
  ],
  ...[
    "\t",
    "    ",
    "\\\n",
    "  \n",
    "&amp;",
    "&lt;",
    "\u00a0",
    "\u2028",
    "\u0085",
    "\f",
    "\v",
    "\r",
  ],
  ...[
    "---",
    "===",
    "***",
    "|---|",
    "a | b\n---|---\n",
    "[^1]",
    "[^1]: a",
    "[x]",
    "[x][]",
    "]:",
    "](",
  ],
];

/** Returns one document; the same for the same numbers. */
export function hostileMarkdown(random: () => number): string {
  const lines = Array.from({ length: 1 + below(random, 7) }, () => line(random));
  return lines.join(pick(random, ["\n", "\n", "\n", "\n\n", "\r\n", "\n \n"]));
}

function line(random: () => number): string {
  const prefix = pick(random, PREFIXES) + (random() < 0.2 ? pick(random, PREFIXES) : "");
  const chance = random();
  if (chance < 0.12) return prefix + pick(random, FENCES);
  if (chance < 0.27) return prefix + pick(random, HEADINGS);
  if (chance < 0.35) return `${prefix}[x]:${gap(random)}${target(random)}${gap(random)}`;
  const pieces = Array.from({ length: 1 + below(random, 4) }, () => inline(random));
  return prefix + pieces.join(pick(random, ["", "", " "]));
}

function inline(random: () => number, depth = 0): string {
  switch (below(random, depth > 2 ? 5 : 9)) {
    case 0:
      return pick(random, BROKEN);
    case 1:
      return pick(random, HTML);
    case 2:
      return `<${target(random)}>`;
    case 3:
      return pick(random, ["a", "word", "1", "é"]);
    case 4:
      return pick(random, BROKEN) + pick(random, BROKEN);
    case 5: {
      const mark = pick(random, ["`", "``", "*", "**", "_", "~~"]);
      return mark + inline(random, depth + 1) + pick(random, [mark, mark, "`", ""]);
    }
    case 6:
      return `${pick(random, ["", "!"])}[${inline(random, depth + 1)}][${pick(random, ["x", ""])}]`;
    default: {
      const bracket = pick(random, ["[", "[", "![", "\\[", "[["]);
      const title = pick(random, ["", "", ' "t"', "\t't'", "\n(t)"]);
      const close = pick(random, [")", ")", ")", "", " )"]);
      return `${bracket}${inline(random, depth + 1)}](${gap(random)}${
        target(random)
      }${title}${close}`;
    }
  }
}

function target(random: () => number): string {
  const url = random() < 0.7 ? pick(random, SCHEMES) : pick(random, SAFE);
  const chance = random();
  if (chance < 0.2) return `<${url}>`;
  return chance < 0.25 ? `${url.slice(0, 4)}${pick(random, BROKEN)}${url.slice(4)}` : url;
}

function gap(random: () => number): string {
  return pick(random, ["", "", " ", "\t", "\n", "\n\t", "\n> ", "\n  ", "  "]);
}

function below(random: () => number, limit: number): number {
  return Math.floor(random() * limit);
}

function pick(random: () => number, items: readonly string[]): string {
  return items[below(random, items.length)] ?? "";
}
