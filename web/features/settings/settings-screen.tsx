// /admin/settings: what the store is called, by which rates it sells and trades, and when its days begin.
import { useEffect, useState } from "react";
import type { SettingsResponse } from "#features/settings/contract.ts";
import { toCents } from "#ledger/money.ts";
import { useNow } from "#web/lib/use-now.ts";
import { ErrorState } from "#web/ui/error-state.tsx";
import { FactList } from "#web/ui/fact-list.tsx";
import { FreshnessLine } from "#web/ui/freshness-line.tsx";
import { Money } from "#web/ui/money.tsx";
import { Page } from "#web/ui/page.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { noteStoreBrand } from "#web/ui/store-name.ts";
import { Unknown } from "#web/ui/unknown.tsx";
import { DetailsForm } from "./details-form.tsx";
import { LogoPart } from "./logo-part.tsx";
import { RatesForm } from "./rates-form.tsx";
import { useSettings } from "./settings-api.ts";
import { SettingsSection } from "./settings-section.tsx";
import { TimeZoneForm, timeIn } from "./time-zone-form.tsx";

type OpenForm = "details" | "rates" | "time-zone";

export function SettingsScreen() {
  const { data, error, freshness, refresh } = useSettings();
  const [form, setForm] = useState<OpenForm>();
  const close = (): void => setForm(undefined);
  useBrandOf(data);

  if (data === undefined && error !== undefined) {
    return (
      <Page title="Settings">
        <ErrorState title="The settings could not be loaded" error={error} onRetry={refresh} />
      </Page>
    );
  }
  return (
    <Page title="Settings" subtitle={<FreshnessLine freshness={freshness} />}>
      <SettingsSection
        title="Store"
        description="What people see about the store. Changes apply from now on."
        sections={["details", "logo"]}
        changes={data?.changes}
        editLabel="Edit details"
        onEdit={() => setForm("details")}
      >
        {data === undefined ? (
          <Skeleton className="h-40 w-full" />
        ) : (
          <>
            <LogoPart address={data.logo.address} />
            <FactList facts={detailFacts(data.details)} />
          </>
        )}
      </SettingsSection>
      <SettingsSection
        title="Rates"
        description="Changes apply from now on. Recorded sales and trades keep their rates."
        sections={["rates"]}
        changes={data?.changes}
        editLabel="Edit rates"
        onEdit={() => setForm("rates")}
      >
        {data === undefined ? (
          <Skeleton className="h-24 w-full" />
        ) : (
          <FactList facts={rateFacts(data.rates)} />
        )}
      </SettingsSection>
      <SettingsSection
        title="Time zone"
        description="The store's days and months begin at midnight in this time zone. Changes apply from now on."
        sections={["time-zone"]}
        changes={data?.changes}
        editLabel={data?.timeZone.fixed === true ? undefined : "Edit time zone"}
        onEdit={() => setForm("time-zone")}
      >
        {data === undefined ? (
          <Skeleton className="h-12 w-full" />
        ) : (
          <TimeZoneFact timeZone={data.timeZone} />
        )}
      </SettingsSection>
      {data === undefined || form === undefined ? null : (
        <OpenedForm form={form} settings={data} onClose={close} />
      )}
    </Page>
  );
}

/** The top bar has a new name or logo at once, not only at the next visit. */
function useBrandOf(settings: SettingsResponse | undefined): void {
  useEffect(() => {
    if (settings !== undefined) {
      const { storeName } = settings.details;
      noteStoreBrand({
        storeName: storeName === "" ? null : storeName,
        logo: settings.logo.address,
      });
    }
  }, [settings]);
}

type OpenedFormProps = {
  readonly form: OpenForm;
  readonly settings: SettingsResponse;
  readonly onClose: () => void;
};

function OpenedForm({ form, settings, onClose }: OpenedFormProps) {
  switch (form) {
    case "details":
      return <DetailsForm settings={settings} onClose={onClose} />;
    case "rates":
      return <RatesForm settings={settings} onClose={onClose} />;
    default:
      return <TimeZoneForm settings={settings} onClose={onClose} />;
  }
}

function textOr(text: string, reason: string) {
  return text === "" ? (
    <Unknown reason={reason} />
  ) : (
    <span className="whitespace-pre-line">{text}</span>
  );
}

function detailFacts({ shippingAddress, ...details }: SettingsResponse["details"]) {
  const { name, street, city, state, zip, country } = shippingAddress;
  const place = street === "" ? "" : `${city}, ${state} ${zip}`;
  const address = [name, street, place, country].filter((part) => part !== "").join("\n");
  return [
    { label: "Store name", value: textOr(details.storeName, "no name yet") },
    { label: "Shipping address", value: textOr(address, "no address yet") },
    { label: "Return policy", value: textOr(details.returnPolicy, "no return policy yet") },
    {
      label: "Community chat",
      value:
        details.chatLink === "" ? (
          <Unknown reason="no link yet" />
        ) : (
          <a
            href={details.chatLink}
            target="_blank"
            rel="noreferrer"
            className="text-accent hover:underline"
          >
            {details.chatLink}
          </a>
        ),
    },
    {
      label: "Venmo name",
      value: textOr(details.venmoName === "" ? "" : `@${details.venmoName}`, "no name yet"),
    },
  ];
}

function rateFacts(rates: SettingsResponse["rates"]) {
  return [
    { label: "Tax rate", value: `${rates.taxRateBasisPoints / 100}%` },
    { label: "Default consignor share", value: `${rates.defaultConsignorPercentage}%` },
    { label: "Trade commission", value: `${rates.tradeCommissionPercentage}%` },
    { label: "Trade shipping fee", value: <Money cents={toCents(rates.tradeShippingFee)} /> },
  ];
}

function TimeZoneFact({ timeZone }: Pick<SettingsResponse, "timeZone">) {
  const { name, fixed } = timeZone;
  const time = timeIn(name, useNow());
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium">{name.replaceAll("_", " ")}</p>
      {time === undefined ? null : <p className="text-muted">{`${time}.`}</p>}
      {fixed ? (
        <p className="text-muted">
          STORE_TIME_ZONE in the server&apos;s environment fixes it, so it cannot be changed here.
        </p>
      ) : null}
    </div>
  );
}
