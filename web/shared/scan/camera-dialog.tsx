// The camera as a scanner: the live picture with an aim, the codes read, lamp and camera choice, and why there is no picture.
import { CircleCheck, Flashlight, FlashlightOff, RotateCw } from "lucide-react";
import { useRef, useState, type ReactNode, type RefObject } from "react";
import { formatQuantity } from "#web/lib/formats.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Select } from "#web/ui/select.tsx";
import { aimInset } from "./read-area.ts";
import { faultWords } from "./scanner-faults.ts";
import { playGood } from "./sounds.ts";
import { useScanner, type Scanner, type ScannerState } from "./use-scanner.ts";

export type CameraDialogProps = {
  readonly title: string;
  /** Closes after one code, or reads one after another until it is closed. */
  readonly takes: "one" | "many";
  /** The caller plays the tone, because only the caller knows whether the code is good. */
  readonly isSilent?: boolean;
  readonly onCode: (code: string) => void;
  readonly onClose: () => void;
  /** Shown below the picture: the result of the codes. */
  readonly children?: ReactNode;
};

type Taken = { readonly count: number; readonly last: string };

const vibrateMs = 60;

export function CameraDialog({ title, takes, onClose, children, ...view }: CameraDialogProps) {
  return (
    <Dialog
      title={title}
      description={
        takes === "one"
          ? "Hold the code inside the frame."
          : "Hold one code after another inside the frame. To count the same code again, take it out of the frame first."
      }
      onClose={onClose}
      footer={
        <Button variant={takes === "one" ? "secondary" : "primary"} onClick={onClose}>
          {takes === "one" ? "Cancel" : "Done"}
        </Button>
      }
    >
      <View {...view} takes={takes} onClose={onClose} />
      {children}
    </Dialog>
  );
}

type ViewProps = Omit<CameraDialogProps, "title" | "children">;

/** Inside the dialog, which renders its content after itself. The camera starts when its video element exists. */
function View({ takes, isSilent = false, onCode, onClose }: ViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [taken, setTaken] = useState<Taken>({ count: 0, last: "" });
  const isDone = useRef(false);
  const scanner = useScanner(video, (code) => {
    if (isDone.current) {
      return;
    }
    isDone.current = takes === "one";
    setTaken(({ count }) => ({ count: count + 1, last: code }));
    if (!isSilent) {
      playGood();
    }
    if ("vibrate" in navigator) {
      navigator.vibrate(vibrateMs);
    }
    onCode(code);
    if (takes === "one") {
      onClose();
    }
  });
  return (
    <>
      <Picture video={video} scanner={scanner} taken={taken} />
      {scanner.state.kind === "live" ? <Controls scanner={scanner} state={scanner.state} /> : null}
      {takes === "many" ? <TakenLine taken={taken} /> : null}
    </>
  );
}

type PictureProps = {
  readonly video: RefObject<HTMLVideoElement | null>;
  readonly scanner: Scanner;
  readonly taken: Taken;
};

/** The picture and the messages in its place have the same size, so that nothing moves. */
function Picture({ video, scanner: { state, retry }, taken }: PictureProps) {
  return (
    <div className="relative shrink-0 overflow-hidden rounded-card bg-fill">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a live picture without sound */}
      <video
        ref={video}
        aria-label="What the camera sees"
        playsInline
        muted
        className={`aspect-4/3 max-h-[50dvh] w-full object-cover ${state.kind === "live" ? "" : "invisible"}`}
      />
      {state.kind === "live" ? <Aim key={taken.count} isHit={taken.count > 0} /> : null}
      {state.kind === "asking" ? (
        <output className="absolute inset-0 flex flex-col justify-center">
          <span className="px-4 text-center font-medium">Starting the camera</span>
          <span className="px-4 text-center text-muted">If the browser asks, allow it.</span>
        </output>
      ) : null}
      {state.kind === "fault" ? <Fault fault={state.fault} onRetry={retry} /> : null}
    </div>
  );
}

type FaultProps = {
  readonly fault: Extract<ScannerState, { kind: "fault" }>["fault"];
  readonly onRetry: () => void;
};

function Fault({ fault, onRetry }: FaultProps) {
  const { icon, title, help } = faultWords[fault];
  return (
    <div role="alert" className="absolute inset-0 flex flex-col justify-center overflow-y-auto">
      <EmptyState
        icon={icon}
        title={title}
        action={
          <Button icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {help}
      </EmptyState>
    </div>
  );
}

/** Codes inside the aim are read. It lights up for a moment with every code. */
function Aim({ isHit }: { readonly isHit: boolean }) {
  return (
    <div
      aria-hidden="true"
      style={{ inset: `${aimInset.y * 100}% ${aimInset.x * 100}%` }}
      className="pointer-events-none absolute rounded-control shadow-[0_0_0_100vmax_var(--color-scrim)] ring-3 ring-accent"
    >
      {isHit ? (
        <div className="size-full bg-credit-tint opacity-0 motion-safe:animate-[flash_400ms_ease-out]" />
      ) : null}
    </div>
  );
}

type ControlsProps = {
  readonly scanner: Scanner;
  readonly state: Extract<ScannerState, { kind: "live" }>;
};

function Controls({ scanner, state }: ControlsProps) {
  const { cameras, canLight, track } = state.camera;
  const isSeveral = cameras.length > 1;
  return isSeveral || canLight ? (
    <div className="-mt-1 flex items-center gap-2">
      {isSeveral ? (
        <div className="min-w-0 grow">
          <Select
            aria-label="Camera"
            value={track.getSettings().deviceId ?? ""}
            onValue={scanner.choose}
            choices={cameras.map(({ id, label }) => ({ value: id, label }))}
          />
        </div>
      ) : null}
      {canLight ? (
        <Button
          icon={state.isLit ? FlashlightOff : Flashlight}
          aria-pressed={state.isLit}
          onClick={() => scanner.light(!state.isLit)}
        >
          Lamp
        </Button>
      ) : null}
    </div>
  ) : null;
}

function TakenLine({ taken }: { readonly taken: Taken }) {
  return (
    <output className="-mt-1 flex min-h-5 min-w-0 items-center gap-2 tabular-nums">
      {taken.count === 0 ? (
        <span className="text-muted">No code read yet</span>
      ) : (
        <>
          <Icon of={CircleCheck} className="text-credit" />
          <span className="font-semibold">{`${formatQuantity(taken.count, "code")} read`}</span>
          <span className="min-w-0 truncate text-muted">
            last <span className="font-mono text-12">{taken.last}</span>
          </span>
        </>
      )}
    </output>
  );
}
