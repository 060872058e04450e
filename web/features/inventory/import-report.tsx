// What a file would do, and what it did: numbers first, then the lines, and every refused line with its reason.
import { CircleCheck, Download, OctagonAlert } from "lucide-react";
import type { RefusedLine } from "#features/import/contract.ts";
import { guardCell } from "#ledger/csv-cell.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import type { StockFile } from "./import-file.ts";
import { linesOfKnownNew, type ImportDone, type ImportForecast } from "./import-run.ts";
import { saveText } from "./save-text.ts";

const shownLines = 8;
const shownRefusals = 100;

function Figure({ label, value }: { readonly label: string; readonly value: number }) {
  return (
    <div className="flex min-w-0 flex-col rounded-card border border-border px-3 py-2">
      <dt className="text-12 text-muted">{label}</dt>
      <dd className="order-first text-20 font-semibold tabular-nums">{formatCount(value)}</dd>
    </div>
  );
}

const numbers = "grid grid-cols-4 gap-2 max-sm:grid-cols-2";

export function ImportForecastView({
  forecast,
  file,
}: {
  readonly forecast: ImportForecast;
  readonly file: StockFile;
}) {
  const { newItems, knownItems, units, refused, done } = forecast;
  return (
    <>
      <dl className={numbers}>
        <Figure label="New items" value={newItems} />
        <Figure label="Existing items" value={knownItems} />
        <Figure label="Units received" value={units} />
        <Figure label="Lines refused" value={refused.length} />
      </dl>
      {done === 0 ? null : (
        <p className="text-muted">
          {`${formatQuantity(done, "line")} ${done === 1 ? "was" : "were"} imported earlier from this file and will not be imported again.`}
        </p>
      )}
      <FirstLines forecast={forecast} />
      {linesOfKnownNew(forecast.planned).size === 0 ? null : (
        <p className="text-muted">
          Of several lines with one new barcode, the first sets the name and the price. The others
          add units.
        </p>
      )}
      <Refusals refused={refused} file={file} />
    </>
  );
}

const words = { new: "New item", more: "More units", done: "Already imported" };

function FirstLines({ forecast: { planned } }: { readonly forecast: ImportForecast }) {
  if (planned.length === 0) {
    return null;
  }
  const repeated = linesOfKnownNew(planned);
  return (
    <SmallTable
      label="The first lines to import"
      columns={[
        { label: "Line", align: "end", isNarrow: true },
        { label: "Item" },
        { label: "Units", align: "end" },
        { label: "What happens" },
      ]}
    >
      {planned.slice(0, shownLines).map(({ line, kind, itemName, barcode1, units }) => (
        <tr key={line} className="border-b border-border">
          <td className="h-8 text-end text-muted tabular-nums">{formatCount(line)}</td>
          <td className="max-w-0 min-w-32 truncate">
            {itemName} <span className="font-mono text-muted">{barcode1}</span>
          </td>
          <td className="text-end tabular-nums">{formatCount(units)}</td>
          <td className="whitespace-nowrap">
            {repeated.has(line) ? "More units of an item above" : words[kind]}
          </td>
        </tr>
      ))}
    </SmallTable>
  );
}

export function ImportResultView({
  done,
  forecast,
  file,
  total,
}: {
  readonly done: ImportDone;
  readonly forecast: ImportForecast;
  readonly file: StockFile;
  readonly total: number;
}) {
  const refused = [...forecast.refused, ...done.refused].toSorted((a, b) => a.line - b.line);
  const isWhole = done.answered === total;
  const left = total - done.answered;
  return (
    <>
      <p className="flex items-start gap-2 font-medium">
        <Icon
          of={isWhole ? CircleCheck : OctagonAlert}
          className={`mt-0.5 ${isWhole ? "text-credit" : "text-pending"}`}
        />
        <output>
          {`${formatQuantity(done.imported, "line")} imported.${isWhole ? "" : ` ${formatQuantity(left, "line")} left. Continue to import them; no line is imported twice.`}`}
        </output>
      </p>
      <dl className={numbers}>
        <Figure label="Lines imported" value={done.imported} />
        <Figure label="Already imported" value={done.repeated + forecast.done} />
        <Figure label="Lines refused" value={refused.length} />
        {isWhole ? null : <Figure label="Lines remaining" value={left} />}
      </dl>
      <Refusals refused={refused} file={file} />
    </>
  );
}

/** The refused lines as their own file, which can be fixed and imported again. */
async function saveRefused(refused: readonly RefusedLine[], file: StockFile): Promise<void> {
  const { default: Papa } = await import("papaparse");
  const cellsOf = new Map(file.rows.map(({ line, cells }) => [line, cells]));
  const text = Papa.unparse(
    {
      fields: [...file.header, "Line in the original file", "Why it was refused"],
      data: refused.map(({ line, message }) => {
        const cells = cellsOf.get(line) ?? [];
        const whole = file.header.map((_, index) => cells[index] ?? "");
        return [...whole, String(line), message].map(guardCell);
      }),
    },
    { newline: "\n" },
  );
  saveText(`${file.name.replace(/\.\w+$/, "")}-refused.csv`, `${text}\n`);
}

function RefusedRow({ refusal }: { readonly refusal: RefusedLine }) {
  const { line, itemName, barcode1, quantity, consignor, message } = refusal;
  return (
    <tr className="border-b border-border align-top">
      <td className="py-1.5 text-end text-muted tabular-nums">{formatCount(line)}</td>
      <td className="py-1.5 wrap-anywhere">
        {itemName} <span className="font-mono text-muted">{barcode1}</span>
        {consignor === "" ? null : <span className="block text-12 text-muted">{consignor}</span>}
      </td>
      <td className="py-1.5 text-end tabular-nums wrap-anywhere">{quantity}</td>
      <td className="py-1.5 wrap-anywhere">{message}</td>
    </tr>
  );
}

function Refusals({
  refused,
  file,
}: {
  readonly refused: readonly RefusedLine[];
  readonly file: StockFile;
}) {
  if (refused.length === 0) {
    return null;
  }
  return (
    <section aria-label="Refused lines" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-16 font-semibold">{`Refused: ${formatQuantity(refused.length, "line")}`}</h3>
        <Button icon={Download} onClick={() => void saveRefused(refused, file)}>
          Save them as CSV
        </Button>
      </div>
      <SmallTable
        label="Refused lines"
        columns={[
          { label: "Line", align: "end", isNarrow: true },
          { label: "Item" },
          { label: "Quantity", align: "end" },
          { label: "Why" },
        ]}
      >
        {refused.slice(0, shownRefusals).map((refusal) => (
          <RefusedRow key={refusal.line} refusal={refusal} />
        ))}
      </SmallTable>
      {refused.length > shownRefusals ? (
        <p className="text-12 text-muted">{`And ${formatQuantity(refused.length - shownRefusals, "more line")}. The CSV has all of them.`}</p>
      ) : null}
    </section>
  );
}
