// One letter to a person, as plain text and as HTML. The mailer sends it.

/** The content of a letter: sentences and one link. */
export type Letter = {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action: { readonly label: string; readonly url: string };
  /** What to do if the recipient did not ask for it. */
  readonly closing: string;
};

export function asText({ paragraphs, action, closing }: Letter): string {
  return `${[...paragraphs, `${action.label}:\n${action.url}`, closing].join("\n\n")}\n`;
}

export function asHtml({ subject, paragraphs, action, closing }: Letter): string {
  const url = escapeHtml(action.url);
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="font-family:sans-serif;line-height:1.5;max-width:36em">',
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    `<p><a href="${url}">${escapeHtml(action.label)}</a></p>`,
    `<p>If the link does not open, copy this address into your browser:<br>${url}</p>`,
    `<p>${escapeHtml(closing)}</p>`,
    "</body></html>",
  ].join("\n");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
