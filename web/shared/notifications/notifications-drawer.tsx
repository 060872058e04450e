// What happened to one's goods and money: the list behind the bell. Each line opens what it is about.
import { BellRing, Check } from "lucide-react";
import { useEffect, useEffectEvent, type RefObject } from "react";
import { Link } from "react-router-dom";
import type { Notification, NotificationKind } from "#features/notifications/contract.ts";
import {
  markReadRequest,
  notificationsDoneResponse,
  notificationsResponse,
  type MarkReadRequest,
} from "#features/notifications/contract.ts";
import { useAction } from "#web/lib/action.ts";
import type { ApiError } from "#web/lib/api-error.ts";
import { pathOf, send } from "#web/lib/http.ts";
import { withIsolatedNames } from "#web/lib/isolated.ts";
import { usePagedRead } from "#web/lib/read.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { DateTime } from "#web/ui/date-time.tsx";
import { Drawer } from "#web/ui/drawer.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ErrorLine } from "#web/ui/error-line.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { sameIndex, useFocusKept } from "#web/ui/focus-kept.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { LoadMore } from "#web/ui/load-more.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { OfferIcon, PayoutIcon, SaleIcon, ShipmentIcon, TradeIcon } from "#web/ui/thing-icons.ts";

const icons: Readonly<Record<NotificationKind, typeof SaleIcon>> = {
  sale: SaleIcon,
  "payout-paid": PayoutIcon,
  "payout-deleted": PayoutIcon,
  "payout-returned": PayoutIcon,
  "payout-requested": PayoutIcon,
  "payout-for-me": PayoutIcon,
  "shipment-processed": ShipmentIcon,
  offer: OfferIcon,
  counter: OfferIcon,
  answer: OfferIcon,
  expiry: OfferIcon,
  "trade-fulfilled": TradeIcon,
};

async function markRead(body: MarkReadRequest, key: string): Promise<void> {
  await send({
    method: "POST",
    path: "/notifications/read",
    body: markReadRequest.parse(body),
    answer: notificationsDoneResponse,
    key,
  });
}

function useNotifications() {
  return usePagedRead({
    pathOf: (_page, previous) =>
      pathOf("/notifications", { limit: "20", before: previous?.next ?? undefined }),
    schema: notificationsResponse,
    rowsOf: ({ notifications }) => notifications,
    hasMoreAfter: ({ next }) => next !== null,
  });
}

function SavingError({ error }: { readonly error: ApiError | undefined }) {
  return (
    <ErrorLine>{error === undefined ? undefined : `Error saving: ${error.message}`}</ErrorLine>
  );
}

type LineProps = {
  readonly notification: Notification;
  readonly onOpen: () => void;
};

function Line({ notification, onOpen }: LineProps) {
  // Of its own, so that one that is on its way does not swallow the next.
  const reading = useAction(markRead);
  const { id, kind, title, text, path, happenedAt, isRead } = notification;
  return (
    <li className="group flex items-start gap-2 border-b border-border last:border-b-0">
      <Link
        to={path}
        onClick={() => {
          if (!isRead) {
            void reading.run({ id });
          }
          onOpen();
        }}
        className="-mx-2 flex min-w-0 grow items-start gap-3 rounded-control px-2 py-3 -outline-offset-2 hover:bg-hover"
      >
        <span
          className={`mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-pill ${isRead ? "bg-fill text-muted" : "bg-accent-tint text-accent"}`}
        >
          <Icon of={icons[kind]} />
        </span>
        <span className="flex min-w-0 grow flex-col gap-0.5">
          <span className="flex items-baseline justify-between gap-x-3 max-sm:flex-col">
            <span className={`wrap-anywhere ${isRead ? "" : "font-semibold"}`}>
              {isRead ? null : <span className="sr-only">Unread: </span>}
              {withIsolatedNames(title)}
            </span>
            <DateTime at={happenedAt} className="shrink-0 text-12 text-muted" />
          </span>
          <span className="text-muted wrap-anywhere">{withIsolatedNames(text)}</span>
          <SavingError error={reading.error} />
        </span>
      </Link>
      <span className="flex size-(--control) shrink-0 self-center">
        {isRead ? null : (
          <IconButton
            icon={Check}
            label={`Mark as read: ${title}`}
            onClick={() => void reading.run({ id })}
          />
        )}
      </span>
    </li>
  );
}

function Waiting() {
  return (
    <div className="flex flex-col gap-4 py-2">
      {[0, 1, 2, 3].map((row) => (
        <span key={row} className="flex gap-3">
          <Skeleton className="size-8 rounded-pill" />
          <span className="flex grow flex-col gap-2">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-1/3" />
          </span>
        </span>
      ))}
    </div>
  );
}

type Kept = {
  readonly lines: RefObject<HTMLUListElement | null>;
  readonly footer: RefObject<HTMLSpanElement | null>;
};

/** Where no line is unread any more, the first line is the next thing to open. */
function useKept(isBusy: boolean): Kept {
  const firstLine = () => document.querySelector<HTMLElement>("[aria-label=Notifications] li a");
  const lines = useFocusKept<HTMLUListElement>(
    isBusy,
    (buttons, index) => sameIndex(buttons, index) ?? firstLine(),
  );
  return { lines, footer: useFocusKept(isBusy, ([button]) => button ?? firstLine()) };
}

export type NotificationsDrawerProps = {
  /** The bell's number: it is read until it has the newest events, and the list follows it. */
  readonly unread: number;
  readonly onClose: () => void;
};

export function NotificationsDrawer({ unread, onClose }: NotificationsDrawerProps) {
  const list = useNotifications();
  const again = useEffectEvent(list.refresh);
  useEffect(() => {
    if (unread >= 0) {
      again();
    }
  }, [unread]);
  const reading = useAction(markRead);
  const { rows, error, refresh } = list;
  const { lines, footer } = useKept(reading.isBusy);
  const newest = rows?.at(0);
  // Also those below the lines that are loaded.
  const hasUnread = unread > 0 || rows?.some(({ isRead }) => !isRead) === true;
  return (
    <Drawer
      title="Notifications"
      onClose={onClose}
      footer={
        <>
          <Link
            to={paths.profile}
            onClick={onClose}
            className="me-auto self-center text-accent hover:underline"
          >
            Choose which ones you get
          </Link>
          <span ref={footer} className="flex">
            <Button
              icon={Check}
              isBusy={reading.isBusy}
              disabled={newest === undefined || !hasUnread}
              onClick={() =>
                newest === undefined
                  ? undefined
                  : void reading.run({ id: newest.id, through: true })
              }
            >
              Mark all as read
            </Button>
          </span>
        </>
      }
    >
      <SavingError error={reading.error} />
      {rows === undefined ? (
        error === undefined ? (
          <Waiting />
        ) : (
          <ErrorState title="Notifications could not be loaded" error={error} onRetry={refresh} />
        )
      ) : rows.length === 0 ? (
        <EmptyState icon={BellRing} title="Nothing has happened yet">
          Sales, payouts, shipments and offers appear here.
        </EmptyState>
      ) : (
        <ul ref={lines} aria-label="Notifications" className="flex flex-col">
          {rows.map((notification) => (
            <Line key={notification.id} notification={notification} onOpen={onClose} />
          ))}
        </ul>
      )}
      <LoadMore list={list} className="mt-4 w-full" />
    </Drawer>
  );
}
