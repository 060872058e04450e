// A button while its action is under way, and the names in what is read out.
import { X } from "lucide-react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Button } from "./button.tsx";
import { Checkbox } from "./checkbox.tsx";
import { IconButton } from "./icon-button.tsx";
import { Menu } from "./menu.tsx";

it("a busy button cannot be pressed again, and keeps the focus, which a disabled one loses", () => {
  const busy = renderToStaticMarkup(<Button isBusy>Delete</Button>);
  expect(busy).toContain('aria-disabled="true"');
  expect(busy).not.toContain('disabled=""');
  const deaf = renderToStaticMarkup(<Button aria-disabled>Pay</Button>);
  expect(deaf).toContain('aria-disabled="true"');
  expect(renderToStaticMarkup(<Button disabled>Delete</Button>)).toContain('disabled=""');
});

it("a name written from right to left does not reorder the label that a screen reader shows in Braille", () => {
  const label = "Pay דנה $20.00";
  const controls = [
    <Button key="button" aria-label={label}>
      Pay
    </Button>,
    <IconButton key="icon" icon={X} label={label} />,
    <Menu key="menu" label={label} items={[]} />,
    <Checkbox key="checkbox" label={label} isLabelHidden isChecked onChecked={() => undefined} />,
  ];
  for (const control of controls) {
    expect(renderToStaticMarkup(control)).toContain('aria-label="Pay \u2068דנה\u2069 $20.00"');
  }
});
