/** What every page has: choices that take effect at once, the sheet of keys, times of the reader's own day, forms that stay good, what can be put away, players by name. */

import "./choices.js";
import "./dismiss.js";
import "./find.js";
import "./sheet.js";
import "./times.js";
import "./token.js";
