// A small label for a kind or state: icon, word and tint together, never color alone.
import {
  ArrowDownLeft,
  ArrowUpRight,
  Check,
  Clock,
  OctagonAlert,
  RotateCcw,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export type ChipKind =
  | "credit"
  | "debit"
  | "pending"
  | "done"
  | "correction"
  | "neutral"
  | "accent"
  | "danger";

const looks: Record<ChipKind, string> = {
  credit: "bg-credit-tint text-credit",
  debit: "bg-fill text-text",
  pending: "bg-pending-tint text-pending",
  done: "bg-credit-tint text-credit",
  correction: "bg-fill text-muted",
  neutral: "bg-fill text-muted",
  accent: "bg-accent-tint text-accent",
  danger: "bg-danger-tint text-danger",
};

const icons: Record<ChipKind, LucideIcon | undefined> = {
  credit: ArrowDownLeft,
  debit: ArrowUpRight,
  pending: Clock,
  done: Check,
  correction: RotateCcw,
  neutral: undefined,
  accent: undefined,
  danger: OctagonAlert,
};

type ChipProps = {
  readonly kind: ChipKind;
  /** Replaces the kind's own icon. */
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
};

export function Chip({ kind, icon = icons[kind], children }: ChipProps) {
  return (
    // Aligned by its word's baseline, so that the chip stands level with the text around it.
    <span
      className={`inline-flex h-5 max-w-full items-baseline gap-1 rounded-pill px-2 text-12 leading-5 font-medium whitespace-nowrap ${looks[kind]}`}
    >
      {icon === undefined ? null : <Icon of={icon} size={14} className="-ms-0.5 self-center" />}
      <span className="truncate">{children}</span>
    </span>
  );
}
