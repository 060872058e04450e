// A person's choices of notifications and channels, whether messages arrive, and test messages.
import { useEffect, useEffectEvent } from "react";
import {
  notificationSettings,
  type ChooseRequest,
  type ConfirmDiscordRequest,
  type NotificationSettings,
  type TestRequest,
} from "#features/notifications/contract.ts";
import { send } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

const SOON_MS = 1_000;

/** Read again while a test message or a code is under way. */
export function useNotificationSettings(): Read<NotificationSettings> {
  const read = useRead("/notifications/settings", notificationSettings);
  const again = useEffectEvent(read.refresh);
  const { data } = read;
  const isWaiting =
    data?.discord.confirmation === "waiting" ||
    [data?.discord.test, data?.email.test].some((test) => test?.state === "waiting");
  useEffect(() => {
    const timer = isWaiting ? setInterval(() => again(), SOON_MS) : undefined;
    return () => clearInterval(timer);
  }, [isWaiting]);
  return read;
}

/** Throws ApiError. */
export function choose(body: ChooseRequest, key: string): Promise<NotificationSettings> {
  return send({
    method: "PUT",
    path: "/notifications/settings",
    body,
    answer: notificationSettings,
    key,
  });
}

/** Throws ApiError. */
export function sendTest(body: TestRequest, key: string): Promise<NotificationSettings> {
  return send({
    method: "POST",
    path: "/notifications/test",
    body,
    answer: notificationSettings,
    key,
  });
}

/** Throws ApiError. */
export function sendDiscordCode(_body: undefined, key: string): Promise<NotificationSettings> {
  return send({
    method: "POST",
    path: "/notifications/discord",
    answer: notificationSettings,
    key,
  });
}

/** Throws ApiError. */
export function confirmDiscord(
  body: ConfirmDiscordRequest,
  key: string,
): Promise<NotificationSettings> {
  return send({
    method: "PUT",
    path: "/notifications/discord",
    body,
    answer: notificationSettings,
    key,
  });
}
