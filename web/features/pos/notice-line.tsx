// The till's last message in words, in addition to the tone. Until there is one, it lists the keys.
import { CircleCheck, OctagonAlert } from "lucide-react";
import { formatQuantity } from "#web/lib/formats.ts";
import { Icon } from "#web/ui/icon.tsx";
import type { Notice } from "./till-state.ts";

type NoticeLineProps = {
  readonly notice: Notice | undefined;
  /** Scans that wait until an owner is chosen. */
  readonly waitingScans: number;
  readonly isPaying: boolean;
};

export function NoticeLine({ notice, waitingScans, isPaying }: NoticeLineProps) {
  const isBad = notice?.kind === "bad";
  return (
    <p
      role={isBad ? "alert" : "status"}
      className={`flex min-h-6 items-center gap-2 ${isBad ? "font-medium text-danger" : "text-muted"} ${notice === undefined ? "touch:hidden" : ""}`}
    >
      {notice === undefined ? (
        <Hints keys={isPaying ? payKeys : keys} />
      ) : (
        <>
          <Icon of={isBad ? OctagonAlert : CircleCheck} className={isBad ? "" : "text-credit"} />
          <span className="min-w-0 wrap-anywhere">{notice.text}</span>
          {waitingScans > 0 ? (
            <span className="text-muted">{`${formatQuantity(waitingScans, "scan")} waiting`}</span>
          ) : null}
        </>
      )}
    </p>
  );
}

const keys = [
  ["F2", "search"],
  ["F4", "quantity"],
  ["F9", "pay"],
  ["Esc", "back"],
] as const;

const payKeys = [
  ["Enter", "cash"],
  ["F8", "card"],
  ["F7", "other"],
  ["Esc", "back"],
] as const;

type HintsProps = { readonly keys: readonly (readonly [key: string, act: string])[] };

function Hints({ keys: shown }: HintsProps) {
  return (
    <span className="flex flex-wrap gap-x-4 text-12 text-muted touch:hidden">
      {shown.map(([key, act]) => (
        <span key={key}>
          <kbd className="rounded-bit border border-border-strong px-1 font-sans font-medium">
            {key}
          </kbd>
          {` ${act}`}
        </span>
      ))}
    </span>
  );
}
