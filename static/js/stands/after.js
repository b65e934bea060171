/** What the watchers said, for those who have played: from the end of the match on, not before (docs/protocol.md). */

import { socketUrl } from "../net/address.js";
import { LiveSocket } from "../net/socket.js";
import { Chat } from "./chat.js";

const data = JSON.parse(document.getElementById("after-data").textContent);
const table = JSON.parse(document.getElementById("table-data").textContent);
const board = document.getElementById("board");
const root = document.getElementById("after-chat");

function begin() {
  let may = "yes";
  // Nobody needs it to play, so the table does not wait for it.
  const styles = document.createElement("link");
  styles.rel = "stylesheet";
  styles.href = root.dataset.styles;
  document.head.append(styles);
  const socket = new LiveSocket(socketUrl(table.socket), {
    onMessage(message) {
      if (message.t !== "chat") return;
      // Others may still see the match as being played: then it is not time yet.
      may = message.may || may;
      if (message.may === "playing") setTimeout(() => socket.send({ t: "listen" }), 5000);
      chat.take(message);
      const said = chat.lines.children.length;
      // Where nobody has said anything it is only there for who may begin.
      root.hidden = may === "playing" || may === "off" || (!said && may !== "yes");
      root.querySelector('[data-part="after-count"]').textContent = said ? `(${said})` : "";
    },
    onLine: (line) => line === "open" && chat.listen(),
    isFinal: (code) => code === "no_such_match" || code === "signed_out",
  });
  const chat = new Chat(root, { send: (message) => socket.send(message), post }, { ...data, chatIsOn: true });
  socket.start();
}

function post(url, fields = {}) {
  const token = document.querySelector("#stands-token input").value;
  return fetch(url, { method: "POST", headers: { "X-CSRFToken": token }, body: new URLSearchParams(fields) });
}

const watch = new MutationObserver(look);

function look() {
  if (board.dataset.phase !== "over") return;
  watch.disconnect();
  begin();
}

if (data.chatIsOn) {
  watch.observe(board, { attributes: true, attributeFilter: ["data-phase"] });
  look();
}
