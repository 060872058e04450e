// Attacks with files: uploads that are not what they say, and downloads that become formulas in a spreadsheet.
import Papa from "papaparse";
import { labelPdf } from "#testing/service/label-pdf.ts";
import { type Attack, judge, notTried, type Outcome } from "./attack.ts";
import { formOf } from "./form.ts";
import type { Ground } from "./ground.ts";
import { done, textIn } from "./send.ts";

const NO_ADMIN = notTried("an admin must make a trade or an item first");
const HTML = "<html><script>alert(1)</script></html>";

const badLabels: Readonly<Record<string, string>> = {
  "a web page": HTML,
  "a web page that begins like a PDF": `%PDF-1.4\n${HTML}`,
  "a PDF with a script": labelPdf("9 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj"),
  "a PDF with a script in disguise": labelPdf("9 0 obj\n<< /S /J#61vaScript /J#53 (x) >>\nendobj"),
  "a PDF that starts a program": labelPdf("9 0 obj\n<< /S /Launch /F (cmd.exe) >>\nendobj"),
  "a PDF with a form that sends": labelPdf("9 0 obj\n<< /S /SubmitForm /F (http://x) >>\nendobj"),
  "a PDF with a file in it": labelPdf("9 0 obj\n<< /EmbeddedFiles << >> >>\nendobj"),
  "an encrypted PDF": labelPdf("9 0 obj\n<< /Encrypt 1 0 R >>\nendobj"),
  "half a PDF": labelPdf().slice(0, 300),
  "an archive": "PK\x03\x04 archive",
  "an SVG": '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  nothing: "",
};

async function labels({ send, things, victim }: Ground): Promise<Outcome> {
  if (things === null) {
    return NO_ADMIN;
  }
  const call = `POST /api/trades/${things.trade}/shipping-label`;
  const fields = { trackingNumber: "9400-2", carrier: "USPS" };
  const problems: string[] = [];
  for (const [what, bytes] of Object.entries(badLabels)) {
    const { status } = await send(call, { as: victim, ...formOf(fields, { label: bytes }) });
    if (![400, 413].includes(status)) {
      problems.push(`${what} was answered ${status}`);
    }
  }
  return judge(problems, `400, ${Object.keys(badLabels).length} kinds`);
}

async function largeLabel({ send, things, victim }: Ground): Promise<Outcome> {
  if (things === null) {
    return NO_ADMIN;
  }
  const form = formOf(
    { trackingNumber: "9400-3", carrier: "USPS" },
    { label: labelPdf(" ".repeat(11 * 1_048_576)) },
  );
  const call = `POST /api/trades/${things.trade}/shipping-label`;
  // A server may also hang up before everything was sent.
  const reply = await send(call, { as: victim, ...form }).catch(() => null);
  return judge(
    reply === null || reply.status === 413 ? [] : [`it was answered ${reply.status}`],
    reply === null ? "the connection was ended" : "413",
  );
}

async function fileNames({ send, things, victim }: Ground): Promise<Outcome> {
  if (things === null) {
    return NO_ADMIN;
  }
  const form = formOf(
    { trackingNumber: "9400-4", carrier: "USPS" },
    { label: labelPdf() },
    "../../../../tmp/x.html",
  );
  await send(`POST /api/trades/${things.trade}/shipping-label`, { as: victim, ...form });
  const { headers } = await done(send(`GET /api/trades/${things.trade}/label`, { as: victim }));
  const disposition = headers["content-disposition"] ?? "";
  const policy = String(headers["content-security-policy"]);
  return judge(
    [
      ...(/^attachment; filename="[\w-]+\.pdf"$/.test(disposition) ? [] : [`named ${disposition}`]),
      ...(headers["content-type"] === "application/pdf" ? [] : [String(headers["content-type"])]),
      ...(policy.includes("sandbox") ? [] : ["not in a sandbox"]),
    ],
    `an attachment with a name of the store's: ${disposition}`,
  );
}

async function logos({ send, admin }: Ground): Promise<Outcome> {
  if (admin === null) {
    return NO_ADMIN;
  }
  const problems: string[] = [];
  for (const bytes of [
    HTML,
    '<svg onload="alert(1)"/>',
    `GIF89a${HTML}`,
    "\x89PNG\r\n\x1a\n" + HTML,
  ]) {
    const form = formOf({}, { file: bytes }, "logo.png");
    const { status } = await send("PUT /api/settings/logo", { as: admin, ...form });
    if (status < 400) {
      problems.push(`${bytes.slice(0, 12)} was answered ${status}`);
    }
  }
  return judge(problems, "400");
}

const formulas = [
  '=HYPERLINK("http://evil.example","x")',
  "+1+1",
  "-2+3",
  "@SUM(1)",
  "\uFF1D1+1",
  "x;=1+1",
  "x,=1+1",
  '"=1+1"',
  ' =1+1;"=2',
];

/** The cells as a spreadsheet sees them that takes this for their borders. */
function cellsOf(text: string, delimiter: string): readonly string[] {
  return Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { delimiter }).data.flat();
}

async function csvFormulas({ send, admin, newPerson }: Ground): Promise<Outcome> {
  if (admin === null) {
    return NO_ADMIN;
  }
  const person = await newPerson();
  for (const itemName of formulas) {
    const body = {
      consignorID: person.uid,
      itemName,
      barcode1: `F${formulas.indexOf(itemName)}`,
      quantity: 1,
    };
    await done(send("POST /api/inventory/consignor", { as: admin, body }));
    const sale = { consignorID: person.uid, itemName, amount: 1 };
    await done(send("POST /api/sales/custom", { as: admin, body: sale }));
  }
  const files = ["/api/inventory/search/export", `/api/sales/ledger/${person.uid}/export`];
  const problems: string[] = [];
  for (const path of files) {
    const { text } = await done(send(`GET ${path}`, { as: person }));
    for (const delimiter of [",", ";", "\t"]) {
      const live = cellsOf(text, delimiter).find((cell) =>
        /^\s*(?:[=+@\uFF1D]|-(?![\d.]))/.test(cell),
      );
      if (live !== undefined) {
        problems.push(
          `${path} with ${JSON.stringify(delimiter)} between cells has the cell ${live}`,
        );
      }
    }
  }
  return judge(problems, "no cell begins like a formula, with commas, semicolons and tabs");
}

async function importedFormulas({ send, admin, victim }: Ground): Promise<Outcome> {
  if (admin === null) {
    return NO_ADMIN;
  }
  const item = { consignorID: victim.uid, itemName: "=1+1", barcode1: "ROUND", quantity: 1 };
  const added = await done(send("POST /api/inventory/consignor", { as: admin, body: item }));
  const read = await done(send(`GET /api/inventory/items/${textIn(added, "id")}`, { as: admin }));
  return judge(
    read.text.includes('"=1+1"') ? [] : ["the name was changed where it is not a cell"],
    "names stay as they were typed outside of files",
  );
}

export const fileAttacks: readonly Attack[] = [
  { name: "labels that are not plain PDFs", expected: "400", run: labels },
  { name: "a label of 11 MB", expected: "413", run: largeLabel },
  {
    name: "a label with a path as its name",
    expected: "an attachment, named by the store",
    run: fileNames,
  },
  { name: "logos that are not images", expected: "400", run: logos },
  { name: "formulas in exported files", expected: "no cell is one", run: csvFormulas },
  { name: "formulas outside of files", expected: "unchanged", run: importedFormulas },
];
