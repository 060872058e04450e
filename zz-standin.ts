import { startRetailer } from "#testing/service/retailer-stand-in.ts";
const s = await startRetailer(); console.log(s.url); setTimeout(() => process.exit(), 550_000);
