/** Renders the form of filters. */
import { AGENT_NAMES } from "../event/agent_name.ts";
import { directoryText } from "../render/directory_text.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import { type Filter, SPAN_NAMES } from "./filter.ts";

/** What can be chosen. */
export interface FilterChoices {
  /** Directories of sessions, the one with the newest session first. */
  projects: readonly string[];
  home: string | undefined;
}

/** More would make the page long. One that is not listed can be typed in its address. */
const MOST_PROJECTS = 200;

/** The form with what is chosen now; it works without a script. */
export function filterForm(filter: Filter, { projects, home }: FilterChoices): SafeHtml {
  const { words = "", agent = "", project = "", span = "", file = "", archived = false } = filter;
  const listed = projects.slice(0, MOST_PROJECTS);
  const named = project === "" || listed.includes(project) ? listed : [project, ...listed];
  return safe`<form class="filter" action="./" method="get" role="search">
<div class="words"><label for="q">Search everything that was said and done</label><input type="search" id="q" name="q" value="${words}" autocomplete="off"><button type="submit">Show</button></div>
${
    choiceHtml("agent", "Agent", agent, [
      ["", "all"],
      ...AGENT_NAMES.map((name) => [name, name] as const),
    ])
  }
${
    choiceHtml("project", "Project", project, [
      ["", "all"],
      ...named.map((path) => [path, directoryText(path, home)] as const),
    ])
  }
${choiceHtml("since", "Time", span, [["", "any"], ...Object.entries(SPAN_NAMES)])}
<div><label for="file">File that was touched</label><input id="file" name="file" value="${file}" autocomplete="off"></div>
<div class="check"><input type="checkbox" id="archived" name="archived" value="1"${
    archived ? safe` checked` : NOTHING
  }><label for="archived">Archived sessions</label></div>
</form>`;
}

function choiceHtml(
  name: string,
  label: string,
  chosen: string,
  choices: readonly (readonly [value: string, text: string])[],
): SafeHtml {
  const options = choices.map(([value, text]) =>
    safe`<option value="${value}"${value === chosen ? safe` selected` : NOTHING}>${text}</option>`
  );
  return safe`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${
    joinHtml(options)
  }</select></div>`;
}
