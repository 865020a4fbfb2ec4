/** Defines the function with which the pages' scripts create elements. */

/** Script source that defines `make`. It creates elements and text nodes, and parses no HTML. */
export const MAKE_ELEMENT = `
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};`;
