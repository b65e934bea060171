/**
 * The line of a page, begun before the page's scripts are here: on a slow phone that is half a second.
 *
 * A classic script, `<script async data-socket="/ws/…">`, so that it waits for nothing. `LiveSocket` (net/socket.js)
 * takes the line over, with what it has said and when; once it has looked, `earlyLine` is null and this comes too late.
 * Pings are answered at once, or the line would seem as slow as the page.
 */
if (window.earlyLine === undefined) {
  // As in net/address.js, which a classic script cannot import.
  const url = new URL(document.currentScript.dataset.socket, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url.href);
  /** @type {[string, number][]} frames, and when they came (`performance.now`) */
  const said = [];
  socket.onmessage = ({ data }) => {
    if (data.startsWith('{"t":"ping"')) socket.send(JSON.stringify({ t: "pong", n: JSON.parse(data).n }));
    else said.push([data, performance.now()]);
    // Nobody takes it over: the page's scripts did not come.
    if (said.length > 500) socket.close();
  };
  window.earlyLine = { socket, said };
}
