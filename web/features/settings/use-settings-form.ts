// A form for one section. Only edited values are a draft, and another admin's change is shown before it can be overwritten.
import { useState } from "react";
import type { SettingsResponse } from "#features/settings/contract.ts";
import type { FieldErrors } from "#web/lib/form-errors.ts";
import { useSubmission, type Submission } from "#web/lib/submission.ts";
import { showToast } from "#web/ui/toast.ts";
import type { Saved } from "./settings-api.ts";
import { newestPosition } from "./settings-draft.ts";

type Options<Draft, Body> = {
  readonly settings: SettingsResponse;
  /** The section's values and version as the server has them now. */
  readonly base: Draft;
  readonly version: number;
  readonly requestOf: (draft: Draft, expectedVersion: number) => Body;
  readonly send: (body: Body, key: string) => Promise<Saved>;
  readonly onSaved: () => void;
};

export type SettingsForm<Draft, Body> = {
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
  readonly isDirty: boolean;
  readonly submission: Submission<Body, Saved>;
  /** Changes after this position are new to this form; undefined while there are none. */
  readonly newsSince: number | undefined;
  readonly body: Body;
  readonly save: (wrong: FieldErrors) => Promise<void>;
};

export function useSettingsForm<Draft extends object, Body>(
  options: Options<Draft, Body>,
): SettingsForm<Draft, Body> {
  const { settings, base, version, requestOf, send, onSaved } = options;
  const [touched, setTouched] = useState<Partial<Draft>>({});
  const [seen] = useState({ version, position: newestPosition(settings.changes) });
  const [isOvertaken, setOvertaken] = useState(false);
  const submission = useSubmission(send);
  const draft: Draft = { ...base, ...touched };
  // Once the other change is on screen, saving again is intended.
  const body = requestOf(draft, isOvertaken ? version : seen.version);

  async function save(wrong: FieldErrors): Promise<void> {
    const saved = await submission.submit(wrong, body);
    if (saved === undefined) {
      return;
    }
    if (saved.kind === "saved") {
      showToast(saved.message);
      onSaved();
      return;
    }
    setOvertaken(true);
  }

  return {
    draft,
    set(changes) {
      setTouched({ ...touched, ...changes });
      submission.clear();
    },
    isDirty: Object.entries(touched).some(([name, value]) => Reflect.get(base, name) !== value),
    submission,
    newsSince: isOvertaken ? seen.position : undefined,
    body,
    save,
  };
}
