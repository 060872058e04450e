// What the settings screen reads and changes.
import {
  settingsChangedResponse,
  settingsResponse,
  type ChangeDetailsRequest,
  type ChangeRatesRequest,
  type ChangeTimeZoneRequest,
  type SettingsChangedResponse,
  type SettingsResponse,
} from "#features/settings/contract.ts";
import { timeZonesResponse, type TimeZonesResponse } from "#features/settings/contract-days.ts";
import { ApiError } from "#web/lib/api-error.ts";
import { send, type Method } from "#web/lib/http.ts";
import { useRead, type Read } from "#web/lib/read.ts";

export function useSettings(): Read<SettingsResponse> {
  return useRead("/settings", settingsResponse);
}

export function useTimeZones(): Read<TimeZonesResponse> {
  return useRead("/settings/time-zones", timeZonesResponse);
}

export type Saved =
  | { readonly kind: "saved"; readonly message: string }
  /** Another admin was quicker; nothing was saved. */
  | { readonly kind: "changed" };

async function put(path: string, body: object, key: string): Promise<Saved> {
  try {
    const answer = settingsChangedResponse;
    const { message } = await send({ method: "PUT", path: `/settings/${path}`, body, answer, key });
    return { kind: "saved", message };
  } catch (error) {
    if (error instanceof ApiError && error.code === "settings_changed") {
      return { kind: "changed" };
    }
    throw error;
  }
}

/** Throws ApiError, as all of these. */
export function saveRates(body: ChangeRatesRequest, key: string): Promise<Saved> {
  return put("rates", body, key);
}

export function saveDetails(body: ChangeDetailsRequest, key: string): Promise<Saved> {
  return put("details", body, key);
}

export function saveTimeZone(body: ChangeTimeZoneRequest, key: string): Promise<Saved> {
  return put("time-zone", body, key);
}

export type LogoChange = {
  /** Null removes it. */
  readonly file: File | null;
  /** Identifies the file: files have no fields that JSON would include. */
  readonly fileKey: string;
};

export function saveLogo({ file }: LogoChange, key: string): Promise<SettingsChangedResponse> {
  const method: Method = file === null ? "DELETE" : "PUT";
  const form = new FormData();
  if (file !== null) {
    form.append("file", file);
  }
  return send({
    method,
    path: "/settings/logo",
    ...(file === null ? {} : { form }),
    answer: settingsChangedResponse,
    key,
  });
}
