// The second step of an import: match columns to fields, with samples from the file next to each choice.
import { Info } from "lucide-react";
import {
  fieldsOf,
  inventoryColumnNames,
  requiredInventoryFields,
  type InventoryField,
} from "#features/import/contract.ts";
import { formatCount } from "#web/lib/formats.ts";
import { ChoiceGroup } from "#web/ui/choice-group.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Select, type Choice } from "#web/ui/select.tsx";
import { ConsignorField } from "#web/shared/consignor/consignor-field.tsx";
import type { StockFile } from "./import-file.ts";
import { fieldLabels, withColumn, type Reading } from "./import-reading.ts";

type ImportColumnsProps = {
  readonly file: StockFile;
  readonly reading: Reading;
  readonly onReading: (reading: Reading) => void;
};

const required: ReadonlySet<string> = new Set(requiredInventoryFields);
const none = "none";
const previewRows = 3;
const sampleRows = 20;

function columnChoices(header: readonly string[]): readonly Choice<string>[] {
  return [
    { value: none, label: "Not in this file" },
    ...header.map((name, index) => ({
      value: String(index),
      label: name === "" ? `Column ${formatCount(index + 1)}` : name,
    })),
  ];
}

/** The first value in a column. */
function sampleOf({ rows }: StockFile, index: number): string {
  return rows.slice(0, sampleRows).find(({ cells }) => cells[index])?.cells[index] ?? "";
}

export function ImportColumns({ file, reading, onReading }: ImportColumnsProps) {
  const choices = columnChoices(file.header);
  const { owner, pick, columns } = reading;
  const missing = requiredInventoryFields.filter((field) => columns[field] === undefined);
  return (
    <>
      {file.isGuessedText ? (
        <p className="flex items-start gap-2 rounded-control bg-pending-tint px-3 py-2 text-pending">
          <Icon of={Info} className="mt-0.5" />
          <span>
            This file is not UTF-8. It was read as Western European text, so check the accents
            below.
          </span>
        </p>
      ) : null}
      <div className="flex flex-col gap-2 pt-0.5">
        {fieldsOf(inventoryColumnNames).map((field) => (
          <ColumnRow
            key={field}
            field={field}
            file={file}
            choices={choices}
            reading={reading}
            onReading={onReading}
          />
        ))}
      </div>
      <output className="text-danger empty:hidden">
        {missing.length === 0
          ? null
          : `Still needed: ${missing.map((field) => fieldLabels[field]).join(", ")}`}
      </output>
      <ChoiceGroup
        label={
          columns.consignor === undefined
            ? "These items belong to"
            : "Lines without a consignor belong to"
        }
        value={owner}
        onValue={(next) => onReading({ ...reading, owner: next })}
        choices={[
          { value: "master", label: "The store" },
          { value: "consignor", label: "A consignor" },
        ]}
      />
      {owner === "master" ? null : (
        <ConsignorField
          pick={pick}
          onPick={(next) =>
            onReading({ ...reading, pick: typeof next === "function" ? next(pick) : next })
          }
          error={undefined}
        />
      )}
      <Preview file={file} reading={reading} />
    </>
  );
}

type ColumnRowProps = ImportColumnsProps & {
  readonly field: InventoryField;
  readonly choices: readonly Choice<string>[];
};

function ColumnRow({ field, file, choices, reading, onReading }: ColumnRowProps) {
  const index = reading.columns[field];
  const sample = index === undefined ? "" : sampleOf(file, index);
  const label = fieldLabels[field];
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)_minmax(0,1fr)] items-center gap-3 max-sm:grid-cols-[7rem_minmax(0,1fr)]">
      <span className="font-medium">{label}</span>
      <Select
        aria-label={`Column for ${label}`}
        aria-invalid={(required.has(field) && index === undefined) || undefined}
        value={index === undefined ? none : String(index)}
        onValue={(value) =>
          onReading(withColumn(reading, field, value === none ? undefined : Number(value)))
        }
        choices={choices}
      />
      <span className="truncate text-12 text-muted max-sm:hidden">
        {sample === "" ? "" : `e.g. “${sample}”`}
      </span>
    </div>
  );
}

/** The first lines as they will be imported. */
function Preview({ file, reading }: Pick<ImportColumnsProps, "file" | "reading">) {
  const shown = fieldsOf(inventoryColumnNames).flatMap((field) => {
    const index = reading.columns[field];
    return index === undefined ? [] : [{ field, index }];
  });
  if (shown.length === 0) {
    return null;
  }
  return (
    <section
      aria-label="The first lines as they are read"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto rounded-card border border-border"
    >
      <table className="w-full text-12">
        <thead>
          <tr className="bg-fill text-muted">
            <th scope="col" className="h-8 px-3 text-end font-medium">
              Line
            </th>
            {shown.map(({ field }) => (
              <th
                key={field}
                scope="col"
                className={`px-3 font-medium whitespace-nowrap ${field === "quantity" ? "text-end" : "text-start"}`}
              >
                {fieldLabels[field]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {file.rows.slice(0, previewRows).map(({ line, cells }) => (
            <tr key={line} className="border-t border-border">
              <td className="h-8 px-3 text-end text-muted tabular-nums">{formatCount(line)}</td>
              {shown.map(({ field, index }) => (
                <td
                  key={field}
                  className={`max-w-48 truncate px-3 ${field === "quantity" ? "text-end tabular-nums" : ""}`}
                >
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
