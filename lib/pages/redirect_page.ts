/** A page that leads on to another address by itself. */
import { safe, type SafeHtml } from "../render/html_document/safe_html.ts";

/** Writes the page. It needs no script, and tells the other address nothing of its own. */
export function redirectPage(address: string): SafeHtml {
  const refresh = `0; url=${address}`;
  return safe`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="${refresh}">
<title>Reprise</title>
</head>
<body><p><a href="${address}">Show the sessions</a></p></body>
</html>
`;
}
