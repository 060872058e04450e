// The till's camera: each code is handled like a scan. The result and any question appear below the picture.
import { useId } from "react";
import { ScanButton } from "#web/shared/scan/scan-button.tsx";
import { ownerName } from "#web/shared/item/owner-chip.tsx";
import { formatCount } from "#web/lib/formats.ts";
import { NoticeLine } from "./notice-line.tsx";
import { enter, pick } from "./till.ts";
import { availableUnits } from "./till-cart.ts";
import { askAgain, type Mode } from "./till-state.ts";
import { useTill } from "./use-till.ts";

type CameraScanProps = {
  /** Text next to the icon. */
  readonly word?: string;
  readonly className?: string;
};

export function CameraScan(props: CameraScanProps) {
  return (
    <ScanButton
      {...props}
      title="Scan with the camera"
      takes="many"
      isSilent
      onCode={(code) => enter(code, code)}
      // After the dialog has returned the focus.
      onClosed={() => void setTimeout(askAgain)}
    >
      {() => <Answer />}
    </ScanButton>
  );
}

function Answer() {
  const { mode, notice, waitingScans } = useTill();
  const isChoosing = mode.kind === "choose";
  return (
    <>
      {notice === undefined ? null : (
        <NoticeLine
          notice={notice}
          waitingScans={isChoosing ? waitingScans : 0}
          isPaying={mode.kind === "pay"}
        />
      )}
      {isChoosing ? <Owners code={mode.code} items={mode.items} /> : null}
    </>
  );
}

type OwnersProps = Omit<Extract<Mode, { kind: "choose" }>, "kind">;

/** The same choice as below the till's field, which is covered while the camera is open. */
function Owners({ code, items }: OwnersProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-medium wrap-anywhere">{`Owners of ${code}`}</h3>
      <ul className="card divide-y divide-border overflow-hidden">
        {items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              onClick={() => pick(item)}
              className="flex min-h-11 w-full items-center justify-between gap-3 px-3 py-2 text-start hover:bg-hover"
            >
              <span className="flex min-w-0 flex-col">
                <span className="truncate font-medium">{ownerName(item)}</span>
                <span className="truncate text-12 text-muted">{item.itemName}</span>
              </span>
              <span className="shrink-0 text-12 text-muted tabular-nums">
                {`${formatCount(availableUnits(item.id))} in stock`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
