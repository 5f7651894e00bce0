// The projector: one room, the code and the count. The link's token is in the fragment, which no server sees; it is taken out of the address
// bar and kept for this tab, so that a photo of the screen does not give it away.
const page = document.body;
const session = page.dataset.session;
const room = `presenter:${session}`;
const key = `qring-presenter-${session}`;

if (location.hash.length > 1) {
  sessionStorage.setItem(key, location.hash.slice(1));
  history.replaceState(null, "", location.pathname + location.search);
}
const token = sessionStorage.getItem(key);

let position = null;
let attempt = 0;
let shownUrl = null;

connect();

function connect() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(`${scheme}//${location.host}/rooms`, "qring.v1");
  socket.onopen = () => {
    if (token) socket.send(JSON.stringify({ authorize: token }));
    socket.send(JSON.stringify({ join: room, ...(position && { since: position }) }));
  };
  socket.onmessage = (event) => apply(JSON.parse(event.data), socket);
  socket.onclose = (event) => {
    if ([4001, 4003, 1008].includes(event.code)) return say(page.dataset.over, false);
    say(page.dataset.reconnecting, false);
    // Everybody lost the server at the same moment; jitter keeps them from coming back at the same moment.
    const wait = Math.min(500 * 2 ** attempt++, 15000) * (0.5 + Math.random());
    setTimeout(connect, wait);
  };
}

function apply(message, socket) {
  if (message.error) {
    // What may not be joined now may not be joined in a moment either.
    socket.onclose = null;
    say(message.error.detail, false);
    return socket.close(1000);
  }
  if (message.joined) {
    attempt = 0;
    position = { epoch: message.epoch, sequence: message.sequence };
    say(page.dataset.live, true);
  }
  if (message.room !== room) return;
  if (position) position.sequence = message.sequence;
  const { snapshot } = message;
  if (snapshot) {
    showSession(snapshot.session);
    if (snapshot.code) showCode(snapshot.code);
  }
  if (message.session) showSession(message.session);
  if (message.attendance) showCount(message.attendance);
  if (message.code) showCode(message.code);
}

function say(text, isLive) {
  document.getElementById("state").textContent = text;
  page.classList.toggle("live", isLive);
}

function showSession(session) {
  document.getElementById("name").textContent = session.meetingName;
  document.title = session.meetingName;
  showCount(session.attendance);
}

function showCount(attendance) {
  const count = document.getElementById("count");
  count.textContent = attendance.checkedIn;
  count.style.setProperty("--digits", count.textContent.length);
  document.getElementById("planned").textContent =
    attendance.planned > 0 ? page.dataset.planned.replace("{count}", attendance.planned) : "";
}

async function showCode(code) {
  document.getElementById("join").textContent = code.joinCode;
  if (code.url === shownUrl) return;
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const answer = await fetch(`/api/v1/sessions/${session}/qr.svg`, { headers });
  if (!answer.ok) return;
  const picture = document.getElementById("code");
  const old = picture.src;
  picture.src = URL.createObjectURL(await answer.blob());
  picture.alt = code.url;
  shownUrl = code.url;
  if (old) URL.revokeObjectURL(old);
}
