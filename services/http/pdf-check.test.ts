// What counts as a PDF with only pages, judged by the file's content and not its name.
import { deflateSync } from "node:zlib";
import PdfDocument from "pdfkit";
import { describe, expect, it } from "vitest";
import { MAX_PDF_BYTES, problemOfPdf } from "#http/pdf-check.ts";
import { labelPdf } from "#testing/service/label-pdf.ts";

const problemOf = (text: string) => problemOfPdf(Buffer.from(text, "latin1"));

describe("accepted", () => {
  it("a label with only pages", async () => {
    expect(await problemOf(labelPdf())).toBeNull();
  });

  it("a typical PDF, with fonts, compressed drawings and links", async () => {
    const document = new PdfDocument({ compress: true, info: { Title: "Label" } });
    document.text("Ship to: the store").link(0, 0, 100, 20, "https://shop.test/track");
    document.end();
    const bytes: Buffer[] = [];
    for await (const chunk of document) {
      bytes.push(chunk as Buffer);
    }
    expect(await problemOfPdf(Buffer.concat(bytes))).toBeNull();
  });

  it("suspicious letters that occur by chance in a drawing", async () => {
    const drawing = "<< /Length 20 >>\nstream\n(/JS /JavaScript )\nendstream";
    expect(await problemOf(labelPdf(`4 0 obj\n${drawing}\nendobj`))).toBeNull();
  });

  it("objects that are packed into a stream", async () => {
    expect(await problemOf(withObjects("<< /Type /Annot /Subtype /Link >>"))).toBeNull();
  });
});

describe("refused", () => {
  it.each([
    ["nothing at all", "", "empty_file"],
    ["a renamed web page", "<!doctype html><script>alert(1)</script>", "not_a_pdf"],
    ["a web page followed by a PDF", `<script>alert(1)</script>${labelPdf()}`, "not_a_pdf"],
    ["a PDF that was cut off", labelPdf().slice(0, -40), "incomplete_pdf"],
    [
      "a PDF followed by something else",
      `${labelPdf()}<script>alert(1)</script>`,
      "incomplete_pdf",
    ],
  ])("%s", async (_what, text, problem) => {
    expect(await problemOf(text)).toBe(problem);
  });

  it("more than 10 MB", async () => {
    const padding = `% ${" ".repeat(MAX_PDF_BYTES)}`;
    expect(await problemOf(labelPdf(padding))).toBe("file_too_large");
  });

  it.each([
    ["a script", "4 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj"],
    ["a script under a name with odd letters", "4 0 obj\n<< /S /J#61vaScript >>\nendobj"],
    ["a program to start", "4 0 obj\n<< /S /Launch /F (calc.exe) >>\nendobj"],
    ["an attached file", "4 0 obj\n<< /Type /Filespec /EF << /F 5 0 R >> /EmbeddedFiles 6 0 R >>"],
    [
      "a file behind a note on the page",
      "4 0 obj\n<< /Subtype /FileAttachment /FS 5 0 R >>\nendobj",
    ],
    [
      "an attached file without a type",
      "4 0 obj\n<< /Type /Filespec /EF << /F 5 0 R >> >>\nendobj",
    ],
    ["a form that is sent somewhere", "4 0 obj\n<< /S /SubmitForm /F (https://x.test) >>\nendobj"],
  ])("%s", async (_what, object) => {
    expect(await problemOf(labelPdf(object))).toBe("pdf_with_actions");
  });

  it("a script inside packed objects, however they are packed", async () => {
    expect(await problemOf(withObjects("<< /S /J#61vaScript /JS (app.alert(1)) >>"))).toBe(
      "pdf_with_actions",
    );
    const plain = "4 0 obj\n<< /Type /ObjStm /N 1 >>\nstream\n<< /JS (x) >>\nendstream\nendobj";
    expect(await problemOf(labelPdf(plain))).toBe("pdf_with_actions");
    for (const between of [" %x\n", "%x\r%y\n ", "%>>\n", ">%x %y\n\0%>> \r\n"]) {
      const commented = plain.replace(">>\nstream", `>>${between}stream`);
      expect(await problemOf(labelPdf(commented))).toBe("pdf_with_actions");
    }
  });

  it("a file that is nothing but beginnings of comments, as fast as any other", async () => {
    for (const comments of [">>%".repeat(500_000), "%>>\n".repeat(500_000)]) {
      expect(await problemOf(labelPdf(comments))).toBeNull();
    }
  });

  it("a file of nothing but letters spelled as codes, in a fraction of a second", async () => {
    const startedAt = performance.now();
    expect(await problemOf(labelPdf("#4a".repeat(3_000_000)))).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(await problemOf(labelPdf("<< /#4aS (x) /#4g #4"))).toBe("pdf_with_actions");
  });

  it("contents that cannot be checked: encrypted, packed in another way, or far larger than they look", async () => {
    expect(await problemOf(labelPdf("trailer << /Encrypt 9 0 R >>"))).toBe("unreadable_pdf");
    const odd = "4 0 obj\n<< /Type /ObjStm /Filter /LZWDecode >>\nstream\nx\nendstream\nendobj";
    expect(await problemOf(labelPdf(odd))).toBe("unreadable_pdf");
    expect(await problemOf(withObjects(" ".repeat(20 * 1_048_576)))).toBe("unreadable_pdf");
  });
});

function withObjects(objects: string): string {
  const data = deflateSync(Buffer.from(objects, "latin1")).toString("latin1");
  return labelPdf(
    `4 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode >>\nstream\n${data}\nendstream\nendobj`,
  );
}
