/**
 * The line of a page, begun before the page's scripts are here: on a slow phone that is half a second.
 *
 * A classic script, `<script async data-socket="/ws/…">`, so that it waits for nothing. `takeEarly` of net/socket.js
 * takes the line over, and what it has said. Pings are answered at once, or the line would seem as slow as the page.
 */
{
  const url = new URL(document.currentScript.dataset.socket, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url.href);
  const said = [];
  socket.onmessage = ({ data }) => {
    if (data.startsWith('{"t":"ping"')) socket.send(JSON.stringify({ t: "pong", n: JSON.parse(data).n }));
    else said.push(data);
  };
  window.earlyLine = { socket, said };
}
