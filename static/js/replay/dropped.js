/**
 * A replay file on its way from the page that it was dropped on to the page that opens it. It is kept in this browser,
 * as a file of some megabytes is too large for the storage of a tab; once taken it is gone.
 */

const NAME = "spit.dropped";
const STORE = "files";
/** In the address of the page that is to take it. */
const MARK = "#dropped";

/** @param {IDBTransactionMode} mode @param {(files: IDBObjectStore) => IDBRequest} ask @returns {Promise<any>} what was asked for */
function asked(mode, ask) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const work = database.transaction(STORE, mode);
      const request = ask(work.objectStore(STORE));
      work.oncomplete = () => {
        database.close();
        resolve(request.result);
      };
      work.onabort = () => {
        database.close();
        reject(work.error);
      };
    };
  });
}

/** Keep it, and go to the page that opens it; where nothing can be kept that page asks for it again. @param {File} file @param {string} page */
export async function carry(file, page) {
  let mark = MARK;
  try {
    await asked("readwrite", (files) => files.put(file, NAME));
  } catch {
    mark = "";
  }
  location.assign(page + mark);
}

/** What was dropped on the page before; null if nothing was. @returns {Promise<File|null>} */
export async function takeDropped() {
  if (location.hash !== MARK) return null;
  history.replaceState(null, "", location.pathname);
  try {
    const file = await asked("readonly", (files) => files.get(NAME));
    await asked("readwrite", (files) => files.delete(NAME));
    return file ?? null;
  } catch {
    return null;
  }
}
