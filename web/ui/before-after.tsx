// What an action would change in a person's money: before, after, and the change.
import { Money } from "#web/ui/money.tsx";

type BeforeAfterProps = {
  readonly rows: readonly {
    readonly label: string;
    /** Cents. */
    readonly before: number;
    /** Undefined while the inputs are invalid. */
    readonly after: number | undefined;
  }[];
  /** Says "owed to the store" for negative balances. */
  readonly isBalance?: boolean;
};

export function BeforeAfter({ rows, isBalance = false }: BeforeAfterProps) {
  return (
    <table className="w-full text-12" aria-label="Before and after">
      <thead>
        <tr className="text-muted">
          <th scope="col" className="h-6">
            <span className="sr-only">Who</span>
          </th>
          <th scope="col" className="text-end font-medium">
            Before
          </th>
          <th scope="col" className="text-end font-medium">
            After
          </th>
          <th scope="col" className="text-end font-medium">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, before, after }) => (
          <tr key={label} className="border-t border-border">
            <th scope="row" className="h-8 max-w-32 truncate pe-2 text-start font-medium">
              {label}
            </th>
            <td className="text-end">
              <Money cents={before} isBalance={isBalance} />
            </td>
            <td className="text-end">
              {after === undefined ? "—" : <Money cents={after} isBalance={isBalance} />}
            </td>
            <td className="text-end font-semibold">
              {after === undefined ? "—" : <Money cents={after - before} isChange />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
