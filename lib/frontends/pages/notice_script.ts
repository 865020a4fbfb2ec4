/** The part of the pages' script that says in the title and by notices which sessions wait. */

/** Script that defines `tellWaits` and `tells`. Needs `make`, `one`, `all` and `hrefOf`. */
export const NOTICES = String.raw`
const title = document.title;
// A browser asks its person before a page may send notices; this tab sends them when switched on.
const tells = () => sessionStorage.getItem("notices") !== null &&
  globalThis.Notification?.permission === "granted";
let states;
const tellWaits = () => {
  const count = one("[data-waiting]")?.dataset.waiting;
  document.title = count === undefined ? title : "(" + count + " wait) " + title;
  if (one("#list") === null) return;
  const now = new Map(all(".now li").map((card) => [hrefOf(card), {
    state: card.className, name: card.querySelector("a").textContent,
    doing: card.querySelector(".doing").textContent,
  }]));
  if (states !== undefined && tells()) {
    for (const [href, { state, name, doing }] of now) {
      const before = states.get(href)?.state;
      if (state === before || state === "working") continue;
      notify(href, name, doing);
    }
    for (const [href, { name }] of states) if (!now.has(href)) notify(href, name, "has ended");
  }
  states = now;
};
const notify = (href, name, text) => {
  const notice = new Notification(name, { body: text, tag: href });
  notice.onclick = () => {
    focus();
    location.href = href;
  };
};
if (globalThis.Notification !== undefined) {
  const bell = make("button", { type: "button", className: "notices", textContent: "Notices" });
  bell.title = "Say when a session waits for you or has ended";
  const show = () => bell.setAttribute("aria-pressed", String(tells()));
  bell.addEventListener("click", async () => {
    if (tells()) sessionStorage.removeItem("notices");
    else if (await Notification.requestPermission() === "granted") {
      sessionStorage.setItem("notices", "1");
    } else announce.textContent = "Cannot send notices: the browser forbids it";
    show();
  });
  show();
  one(".bar .ask-keys")?.before(bell);
}
`;
