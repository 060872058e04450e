// The bell in the top bar: how many notifications are unread, kept up to date by live events. Their list is loaded when it is opened.
import { Bell as BellIcon } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { unreadResponse } from "#features/notifications/contract-unread.ts";
import { useRead } from "#web/lib/read.ts";
import type { NotificationsDrawerProps } from "#web/shared/notifications/notifications-drawer.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { onDemand } from "#web/ui/on-demand.tsx";

const NotificationsDrawer = onDemand<NotificationsDrawerProps>(() =>
  import("#web/shared/notifications/notifications-drawer.tsx").then(
    (file) => file.NotificationsDrawer,
  ),
);

/** The worker looks through new events once a second. */
const SOON_MS = 1_000;

export function Bell() {
  const { data, refresh } = useRead("/notifications/unread", unreadResponse);
  const [isOpen, setOpen] = useState(false);
  const again = useEffectEvent(refresh);
  useEffect(() => {
    const timer = data?.isBehind === true ? setTimeout(() => again(), SOON_MS) : undefined;
    return () => clearTimeout(timer);
  }, [data]);
  const unread = data?.unread ?? 0;
  return (
    <>
      <span className="relative flex">
        <IconButton
          icon={BellIcon}
          label={
            unread === 0 ? "Notifications" : `Notifications, ${unread > 99 ? "99+" : unread} unread`
          }
          aria-haspopup="dialog"
          onPointerEnter={NotificationsDrawer.preload}
          onFocus={NotificationsDrawer.preload}
          onClick={() => setOpen(true)}
        />
        {unread === 0 ? null : (
          <span
            aria-hidden
            className="pointer-events-none absolute end-0 top-0 min-w-4 rounded-pill leading-4 bg-accent px-1 text-center text-12 font-semibold text-on-accent tabular-nums"
          >
            {unread > 99 ? "99+" : unread}
          </span>
        )}
      </span>
      {isOpen ? <NotificationsDrawer unread={unread} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
