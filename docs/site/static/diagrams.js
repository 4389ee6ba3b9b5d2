// Draw the state machines. Without JavaScript their text stays readable.
mermaid.initialize({
  startOnLoad: true,
  securityLevel: "strict",
  theme: window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "neutral",
});
