/** Write into the page only what is different there: to write the same again costs the browser a layout. */

/** @param {Node} node @param {string} text */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {Element} element @param {string} name @param {string} value */
export function putAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
