// When a note of the security log was first counted, by which lists go, and until when.
import { formatExact, formatTime } from "#web/lib/formats.ts";
import { DateTime } from "#web/ui/date-time.tsx";

type NotedTimeProps = { readonly notedAt: string; readonly lastAt: string };

export function NotedTime({ notedAt, lastAt }: NotedTimeProps) {
  const last = new Date(lastAt);
  const until = formatTime(last);
  return (
    <>
      <DateTime at={notedAt} />
      {until === formatTime(new Date(notedAt)) ? null : (
        <span
          className="whitespace-nowrap text-muted tabular-nums"
          data-tip={formatExact(last)}
        >{` to ${until}`}</span>
      )}
    </>
  );
}
