// What a switch to rebuilt or older tables would change: how many rows, under which keys, and by which amounts.
import type { KeyDifference, TableDifference } from "#features/operations/contract.ts";
import { toCents } from "#ledger/money.ts";
import { formatCount, formatQuantity } from "#web/lib/formats.ts";
import { CutCode } from "#web/ui/cut-code.tsx";
import { Money } from "#web/ui/money.tsx";
import { SmallTable } from "#web/ui/small-table.tsx";
import { EventLink } from "./event-link.tsx";

type DifferencesProps = { readonly differences: readonly TableDifference[] | null };

export function Differences({ differences }: DifferencesProps) {
  if (differences === null) {
    return <p className="text-muted">Rows were not compared.</p>;
  }
  if (differences.every(({ rows }) => rows === 0)) {
    return <p>A switch changes nothing: both tables are equal.</p>;
  }
  return (
    <>
      {differences
        .filter(({ rows }) => rows > 0)
        .map((difference) => (
          <TableDifferences key={difference.table} difference={difference} />
        ))}
    </>
  );
}

const kinds = { added: "not shown now", removed: "only shown now", changed: "changed" } as const;

function TableDifferences({ difference }: { readonly difference: TableDifference }) {
  const { table, rows, keyCount, keys } = difference;
  const columns = [...new Set(keys.flatMap(({ amounts }) => amounts.map(({ column }) => column)))];
  return (
    <div className="flex flex-col gap-2">
      <p>
        <span className="font-medium">{table}</span>
        {`: ${formatQuantity(rows, "row")} under ${formatQuantity(keyCount, "key")} would change`}
      </p>
      <div className="overflow-x-auto" tabIndex={-1}>
        <SmallTable
          label={`Differences of ${table}`}
          columns={[
            { label: "Key" },
            { label: "From event", align: "end" },
            ...columns.map((column) => ({
              label: column.replaceAll("_", " "),
              align: "end" as const,
            })),
          ]}
        >
          {keys.map((key) => (
            <KeyRow key={key.key} difference={key} columns={columns} />
          ))}
        </SmallTable>
      </div>
      {keys.length < keyCount ? (
        <p className="text-12 text-muted">
          {`The first ${formatCount(keys.length)} are listed: those only shown now, then the largest amounts.`}
        </p>
      ) : null}
    </div>
  );
}

type KeyRowProps = { readonly difference: KeyDifference; readonly columns: readonly string[] };

function KeyRow({ difference, columns }: KeyRowProps) {
  const { key, kind, firstPosition, amounts } = difference;
  return (
    <tr className="border-b border-border last:border-b-0 [&_td]:py-1.5">
      <td className="wrap-anywhere">
        <CutCode>{key}</CutCode> <span className="text-muted">{kinds[kind]}</span>
      </td>
      <td className="text-end">
        <EventLink position={firstPosition} />
      </td>
      {columns.map((column) => (
        <td key={column} className="text-end">
          <Money
            isChange
            cents={toCents(amounts.find((amount) => amount.column === column)?.amount ?? 0)}
          />
        </td>
      ))}
    </tr>
  );
}
