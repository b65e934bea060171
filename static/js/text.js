/**
 * Words for people: Django's JavaScript catalogue when the page has loaded it, else the words themselves.
 *
 * The functions keep their gettext names so that `makemessages -d djangojs` finds the texts.
 */

/** @type {(text: string) => string} */
export const gettext = (text) => (globalThis.gettext ? globalThis.gettext(text) : text);

/** @type {(one: string, many: string, count: number) => string} */
export const ngettext = (one, many, count) =>
  globalThis.ngettext ? globalThis.ngettext(one, many, count) : count === 1 ? one : many;

/**
 * Put named values into a text: `format("%(name)s was earlier", {name})`.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const format = (text, values) =>
  text.replace(/%\((\w+)\)s/g, (whole, name) => (name in values ? String(values[name]) : whole));
