// When a ledger line happened. A late one also says when it was recorded, because it stands there.
import { DateTime } from "#web/ui/date-time.tsx";

type Line = {
  readonly happenedAt: string;
  readonly recordedAt: string;
  readonly isLate: boolean;
};

export function LineDate({ line }: { readonly line: Line }) {
  return line.isLate ? (
    // A phone's card cuts its line. Both dates have to be readable.
    <span className="whitespace-normal">
      <DateTime at={line.happenedAt} show="day" />,{" "}
      <span className="whitespace-nowrap">
        recorded <DateTime at={line.recordedAt} show="day" />
      </span>
    </span>
  ) : (
    <DateTime at={line.happenedAt} />
  );
}
