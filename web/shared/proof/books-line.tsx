// "Books balanced at 03:00, position 18,204": what the last proof of the books found.
import { CircleCheck, Clock, TriangleAlert } from "lucide-react";
import { Link } from "react-router-dom";
import type { ProofResponse } from "#features/alerts/contract.ts";
import { paths } from "#web/paths.ts";
import { formatCount, formatDayTime, formatQuantity, formatTime } from "#web/lib/formats.ts";
import { useNow } from "#web/lib/use-now.ts";
import { useConnection } from "#web/lib/use-connection.ts";
import { Icon } from "#web/ui/icon.tsx";
import { useProof } from "./proof-api.ts";

/** Only the time of day if it was today. */
function timeText(at: string, now: Date): string {
  const date = new Date(at);
  return date.toDateString() === now.toDateString() ? formatTime(date) : formatDayTime(date, now);
}

/** What is known of the books. */
type BooksState = Pick<ProofResponse, "last" | "openAlerts">;

function textOf({ last }: BooksState, now: Date): string {
  if (last === null) {
    return "The books have not been proved yet";
  }
  const at = `${timeText(last.at, now)}, position ${formatCount(last.position)}`;
  return last.findings === 0
    ? `Books balanced at ${at}`
    : `${formatQuantity(last.findings, "problem")} in the books at ${at}`;
}

/** For a screen without an answer of its own about the books. */
export function BooksLine() {
  return <BooksText books={useProof().data} />;
}

/** Renders nothing while `books` is undefined, nor without a connection. */
export function BooksText({ books: data }: { readonly books: BooksState | undefined }) {
  const now = useNow();
  const connection = useConnection();
  if (data === undefined) {
    return <p className="h-4 text-12" />;
  }
  if (connection !== "connected") {
    return null;
  }
  const isWell = data.openAlerts === 0 && (data.last?.findings ?? 0) === 0;
  return (
    <p
      className={`flex flex-wrap items-center gap-1 text-12 tabular-nums ${isWell ? "text-faint" : "text-pending"}`}
    >
      <span className="flex gap-1">
        <Icon
          of={!isWell ? TriangleAlert : data.last === null ? Clock : CircleCheck}
          size={14}
          className="mt-px"
        />
        <span>{textOf(data, now)}</span>
      </span>
      {data.openAlerts === 0 ? null : (
        <Link to={`${paths.operations}#alerts`} className="text-accent hover:underline">
          {formatQuantity(data.openAlerts, "open alert")}
        </Link>
      )}
    </p>
  );
}
