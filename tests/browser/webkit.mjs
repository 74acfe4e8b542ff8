// WebKit (Safari's engine) through its own WebDriver, under a virtual display.

import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";

import { startDisplay } from "./display.mjs";

async function freePort() {
  const server = net.createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

function miniBrowser() {
  for (const folder of fs.readdirSync("/usr/lib")) {
    const path = `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`;
    if (fs.existsSync(path)) return path;
  }
  throw new Error("The browser of the webkit2gtk-driver package is missing: run tools/setup test.");
}

export async function startWebKit() {
  const port = await freePort();
  const display = await startDisplay();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: { ...display.environment, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" },
  });
  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  const stop = () => {
    driver.kill();
    display.stop();
  };

  for (let i = 0; ; ++i) {
    try {
      await call("GET", "/status");
      break;
    } catch (error) {
      if (i === 100) {
        stop();
        throw error;
      }
      await new Promise((done) => setTimeout(done, 100));
    }
  }
  const options = { binary: miniBrowser(), args: ["--automation"] };
  const { sessionId } = await call("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
  });
  const session = `/session/${sessionId}`;
  await call("POST", `${session}/timeouts`, { script: 60000, pageLoad: 60000 });
  return {
    open: (url) => call("POST", `${session}/url`, { url }),
    // Waits for a promise, too.
    run: async (body) => {
      const script = `const done = arguments[arguments.length - 1];
        Promise.resolve((() => { ${body} })()).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const answer = await call("POST", `${session}/execute/async`, { script, args: [] });
      if (answer.error) throw new Error(answer.error);
      return answer.value;
    },
    screenshot: async () => Buffer.from(await call("GET", `${session}/screenshot`), "base64"),
    close: async () => {
      await call("DELETE", session).catch(() => {});
      stop();
    },
  };
}
