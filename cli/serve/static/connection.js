// The WebSocket of a seat: requests with answers, a new connection after a lost one, and acts that are done once.

const FIRST_WAIT = 500, LONGEST_WAIT = 10_000, NEVER_AGAIN = new Set(["unknown", "replaced", "closed", "left", "full"]);

export class Refusal extends Error {
  constructor(message) {
    super(message.text);
    this.code = message.code;
    this.rule = message.rule;
  }
}

// `on` has the functions `seated`, `frame`, `gone` and `state`; the state is "connecting", "open" or "lost".
export class Connection {
  constructor(table, token, on) {
    Object.assign(this, { table, token, on, wait: FIRST_WAIT, requests: new Map(), count: 0, timer: 0, socket: null, ended: false });
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.retry());
  }

  open() {
    this.ended = false;
    this.on.state("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => this.#send({ t: "sit", table: this.table, token: this.token });
    socket.onmessage = (event) => socket === this.socket && this.#receive(JSON.parse(event.data));
    socket.onclose = () => socket === this.socket && this.#lost();
  }

  // Connect at once instead of at the end of the waiting time.
  retry() {
    if (this.ended || this.socket) return;
    clearTimeout(this.timer);
    this.open();
  }

  // Send a request and return its answer.  An act is sent again after a reconnection; all others fail with it.
  request(message) {
    const id = message.t === "act" ? randomId() : ++this.count;
    const sent = { ...message, id };
    return new Promise((resolve, reject) => {
      this.requests.set(id, { sent, resolve, reject });
      if (this.socket?.readyState === WebSocket.OPEN) this.#send(sent);
      else if (message.t !== "act") this.#fail(id, "lost", "There is no connection to the table.");
    });
  }

  #send(message) {
    this.socket.send(JSON.stringify(message));
  }

  #receive(message) {
    switch (message.t) {
      case "seated":
        this.wait = FIRST_WAIT;
        this.on.state("open");
        this.on.seated(message);
        for (const { sent } of this.requests.values()) this.#send(sent);
        break;
      case "frame":
        this.on.frame(message);
        break;
      case "gone":
        this.ended = NEVER_AGAIN.has(message.why);
        if (this.ended) this.on.gone(message);
        break;
      case "refused":
        if (message.frame) this.on.frame(message.frame);
        this.#take(message.id)?.reject(new Refusal(message));
        break;
      default:
        this.#take(message.id)?.resolve(message);
    }
  }

  #take(id) {
    const found = this.requests.get(id);
    this.requests.delete(id);
    return found;
  }

  #fail(id, code, text) {
    this.#take(id)?.reject(new Refusal({ code, text, rule: null }));
  }

  #lost() {
    this.socket = null;
    for (const [id, { sent }] of this.requests) {
      if (this.ended || sent.t !== "act") this.#fail(id, "lost", "The connection to the table was lost.");
    }
    if (this.ended) return;
    this.on.state("lost");
    const wait = this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
    this.timer = setTimeout(() => this.open(), wait);
  }
}

// A page that comes over plain HTTP in a local network has no crypto.randomUUID.
function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
