// The password that a person chooses on the page of a letter's link: a new one, or the first.
import { passwordHelp } from "#web/shared/account/login-api.ts";
import { Field } from "#web/ui/field.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";

type NewPasswordFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onValue: (typed: string) => void;
};

export function NewPasswordField({ label, value, error, onValue }: NewPasswordFieldProps) {
  return (
    <Field label={label} error={error} help={passwordHelp}>
      {(control) => (
        <PasswordInput
          {...control}
          name="new-password"
          autoComplete="new-password"
          value={value}
          onValue={onValue}
        />
      )}
    </Field>
  );
}
