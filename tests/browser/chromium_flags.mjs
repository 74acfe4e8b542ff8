// How Chromium is started here: without asking anybody anything, and drawing without a graphics card.

export const chromiumPath = "/usr/bin/chromium";
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];
