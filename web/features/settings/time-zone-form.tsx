// The form for the store's time zone, in which its days and months begin.
import { changeTimeZoneRequest, type SettingsResponse } from "#features/settings/contract.ts";
import { errorsIn } from "#web/lib/form-errors.ts";
import { useNow } from "#web/lib/use-now.ts";
import { Field } from "#web/ui/field.tsx";
import { FormDialog } from "#web/ui/form-dialog.tsx";
import { Select } from "#web/ui/select.tsx";
import { ChangedSettings } from "./changed-settings.tsx";
import { saveTimeZone, useTimeZones } from "./settings-api.ts";
import { changesSince } from "./settings-draft.ts";
import { useSettingsForm } from "./use-settings-form.ts";

type TimeZoneFormProps = { readonly settings: SettingsResponse; readonly onClose: () => void };

/** The current one is in the list even if the server would not offer it. */
function choicesWith(current: string, offered: readonly string[]) {
  return [...new Set([...offered, current])]
    .sort()
    .map((name) => ({ value: name, label: name.replaceAll("_", " ") }));
}

/** Until the server's list is there: browsers have one name of each time zone, some of them the older one. */
function browsersOwn(): readonly string[] {
  return [...Intl.supportedValuesOf("timeZone"), "UTC"];
}

/** "It is 14:05 there now"; undefined if this browser does not know the time zone. */
export function timeIn(timeZone: string, now: Date): string | undefined {
  try {
    const time = new Intl.DateTimeFormat("en-US", {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone,
    }).format(now);
    return `It is ${time} there now`;
  } catch {
    return undefined;
  }
}

export function TimeZoneForm({ settings, onClose }: TimeZoneFormProps) {
  const { timeZone, changes } = settings;
  const form = useSettingsForm({
    settings,
    base: { timeZone: timeZone.name },
    version: timeZone.version,
    requestOf: (draft, expectedVersion) => ({ ...draft, expectedVersion }),
    send: saveTimeZone,
    onSaved: onClose,
  });
  const { draft, submission, newsSince } = form;
  const now = useNow();
  const offered = useTimeZones().data?.timeZones ?? browsersOwn();
  return (
    <FormDialog
      title="Edit time zone"
      description="Days and months begin at midnight there from now on, including those on new statements. Closed months and counted days of the till stay as they are. In open months, entries within hours of midnight may come into the day or month beside it: close past months first if they were reported."
      isDirty={form.isDirty}
      submission={submission}
      errorPrefix="Error saving the time zone"
      saveLabel="Save time zone"
      canSave={form.isDirty}
      onClose={onClose}
      onSubmit={() => void form.save(errorsIn(changeTimeZoneRequest, form.body))}
    >
      {newsSince === undefined ? null : (
        <ChangedSettings news={changesSince(changes, "time-zone", newsSince)} />
      )}
      <Field
        label="Time zone"
        error={submission.errors["timeZone"]}
        help={timeIn(draft.timeZone, now)}
      >
        {(control) => (
          <Select
            {...control}
            value={draft.timeZone}
            onValue={(name) => form.set({ timeZone: name })}
            choices={choicesWith(timeZone.name, offered)}
          />
        )}
      </Field>
    </FormDialog>
  );
}
