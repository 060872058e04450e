import { launchChromium } from "./chromium.ts";
import { readFileSync } from "node:fs";
const [, , out, scale, ...files] = process.argv;
const b = await launchChromium();
const p = await b.newPage({ viewport: { width: 1900, height: 1000 } });
await p.setContent(
  `<body style="margin:0;background:#888;display:flex;flex-wrap:wrap;gap:8px">${files.map((f) => `<img style="zoom:${scale}" src="data:image/png;base64,${readFileSync(f).toString("base64")}">`).join("")}</body>`,
);
await p.waitForTimeout(500);
await p.screenshot({ path: out!, fullPage: true });
await b.close();
