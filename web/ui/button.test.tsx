// A button while its action is under way.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Button } from "./button.tsx";

it("a busy button cannot be pressed again, and keeps the focus, which a disabled one loses", () => {
  const busy = renderToStaticMarkup(<Button isBusy>Delete</Button>);
  expect(busy).toContain('aria-disabled="true"');
  expect(busy).not.toContain('disabled=""');
  const deaf = renderToStaticMarkup(<Button aria-disabled>Pay</Button>);
  expect(deaf).toContain('aria-disabled="true"');
  expect(renderToStaticMarkup(<Button disabled>Delete</Button>)).toContain('disabled=""');
});
