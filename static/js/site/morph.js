/**
 * Bring a part of a page up to date with the least change: what stays is the same element, under the pointer, in focus, and where
 * somebody reads. Elements with `data-key` are known by it among those beside them; others by their place.
 */

/** @param {Element} part @param {string} html what is to be in it, the site's own template */
export function morph(part, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  children(part, template.content);
}

const keyOf = (node) => node.dataset?.key;

/** @param {Element} old @param {Element|DocumentFragment} fresh */
function children(old, fresh) {
  const wanted = [...fresh.childNodes];
  const keys = new Set(wanted.map(keyOf));
  const known = new Map();
  for (const child of [...old.children]) {
    const key = keyOf(child);
    if (key === undefined) continue;
    if (keys.has(key)) known.set(key, child);
    else child.remove();
  }
  let at = old.firstChild;
  for (const want of wanted) {
    const key = keyOf(want);
    let have = key === undefined ? at : known.get(key);
    if (key === undefined && (!have || keyOf(have) !== undefined || have.nodeName !== want.nodeName)) have = null;
    if (!have) {
      old.insertBefore(want, at);
      continue;
    }
    // Nothing is moved only because something without a name stands before it.
    while (at && at !== have && keyOf(at) === undefined) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
    if (have !== at) old.insertBefore(have, at);
    node(have, want);
    at = have.nextSibling;
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function node(have, want) {
  if (have.isEqualNode(want)) return;
  if (!(have instanceof Element)) {
    have.nodeValue = want.nodeValue;
    return;
  }
  for (const { name } of [...have.attributes]) if (!want.hasAttribute(name)) have.removeAttribute(name);
  for (const { name, value } of want.attributes) if (have.getAttribute(name) !== value) have.setAttribute(name, value);
  children(have, want);
}
