// A form with fields and files, byte by byte: as a browser sends it, or as no browser would.
import type { Sent } from "./send.ts";

const BOUNDARY = "attack-boundary-5f1c";

/** Files are Latin-1 text, named `<field>.pdf` unless `fileName` says otherwise. */
export function formOf(
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  fileName?: string,
): Pick<Sent, "raw" | "headers"> {
  const parts = [
    ...Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value)),
    ...Object.entries(files).map(([name, value]) =>
      part(
        `name="${name}"; filename="${fileName ?? `${name}.pdf`}"\r\nContent-Type: application/pdf`,
        value,
      ),
    ),
  ];
  return {
    raw: Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`, "latin1"),
    headers: { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

function part(disposition: string, value: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
}
