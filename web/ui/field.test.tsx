// A field that knows from its contract how much text it takes.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { liftHoldRequest } from "#features/holds/contract.ts";
import { Field } from "./field.tsx";
import { TextInput } from "./text-input.tsx";

function fieldWith(text: string, error?: string): string {
  return renderToStaticMarkup(
    <Field label="Reason" typed={{ text, into: liftHoldRequest.shape.reason }} error={error}>
      {(control) => <TextInput {...control} value={text} onValue={() => undefined} />}
    </Field>,
  );
}

it("a reason that was pasted and is too long is kept, and the field says so before it is sent", () => {
  const tooLong = fieldWith("a".repeat(501));
  expect(tooLong).toContain("At most 500 characters");
  expect(tooLong).toContain('aria-invalid="true"');
  expect(tooLong).toContain("a".repeat(501));
});

it("a text that fits has no error yet, also if it is not complete", () => {
  expect(fieldWith(` ${"a".repeat(500)} `)).not.toContain("aria-invalid");
  expect(fieldWith("")).not.toContain("aria-invalid");
  expect(fieldWith("", "Enter a reason")).toContain("Enter a reason");
});
