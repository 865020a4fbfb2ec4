/** The helper of the pages' scripts that makes elements. */

/** Source text that defines `make`. It makes only elements and texts. */
export const MAKE_ELEMENT = `
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};`;
