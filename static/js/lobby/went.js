/** The matches that this tab has been led to: whoever comes back by the browser's button is not sent off to them again. */

const KEY = "spit.went";
/** So many are kept, the latest ones. */
const MOST = 20;

/** Whether this tab has been led there. Without storage it never has. @param {string} url @returns {boolean} */
export function hasGone(url) {
  return addresses().includes(url);
}

/** This tab is led there now. @param {string} url */
export function rememberGoing(url) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...addresses().filter((one) => one !== url), url].slice(-MOST)));
  } catch {
    // No storage: then it may be sent off again.
  }
}

/** @returns {string[]} */
function addresses() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
