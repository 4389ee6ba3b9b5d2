// Shows the frame of a seat as it arrives.
const table = location.pathname.split("/").pop();
const token = location.hash.slice(1);
const scheme = location.protocol === "https:" ? "wss" : "ws";
const socket = new WebSocket(`${scheme}://${location.host}/ws`, "cardgame.1");
const status = document.getElementById("status");
socket.onopen = () => socket.send(JSON.stringify({t: "sit", table, token}));
socket.onmessage = (event) => {
  const message = JSON.parse(event.data);
  if (message.t === "gone") status.textContent = message.text;
  if (message.t === "seated") status.textContent = message.game.title;
  if (message.t === "frame") document.getElementById("frame").textContent = JSON.stringify(message, null, 1);
};
