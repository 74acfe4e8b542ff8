// Each frame says how tall it wants to be.
addEventListener("message", ({ data, source }) => {
  if (data?.type !== "playground-height") return;
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.contentWindow === source) frame.style.height = `${data.height}px`;
  }
});
