/** The part of the pages' script for menus and forms of filters. */

/** Script that defines `closeMenus`. Needs the page's `all`. */
export const FORMS = String.raw`
const closeMenus = (target = null) => {
  for (const menu of all(".menu[open]")) if (!menu.contains(target)) menu.open = false;
};
addEventListener("click", ({ target }) => closeMenus(target));
// An address has only what was chosen.
addEventListener("formdata", ({ target, formData }) => {
  if (target.method !== "get") return;
  const had = new URLSearchParams(location.search);
  const isSame = (field) => field.options !== undefined
    ? [...field.options].every((one) => one.selected === one.defaultSelected)
    : field.checked === field.defaultChecked && field.value === field.defaultValue;
  for (const name of new Set(formData.keys())) {
    const is_same = [...target.elements].every((one) => one.name !== name || isSame(one));
    if (is_same && !had.has(name) || formData.getAll(name).join("") === "") formData.delete(name);
  }
});
`;
