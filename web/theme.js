// Runs before the first paint, so that a dark system never sees a flash of light.
document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches
  ? "dark"
  : "light";
