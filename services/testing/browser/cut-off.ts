// Finds parts of a screen that reach beyond their window or card, where they cannot be read.
import type { Locator, Page } from "playwright-core";

/** How many pixels stick out of the window or of a card. */
export function sticksOut(page: Page): Promise<number> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll(".card")].reduce(
      (most, box) => Math.max(most, box.scrollWidth - box.clientWidth),
      0,
    ),
  );
}

/** Names in a table of which fewer than 15 characters can be read. */
export function cutNames(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main td [class*=truncate]")].flatMap((part) => {
      const text = part.textContent;
      const readable = (text.length * part.clientWidth) / part.scrollWidth;
      return part.scrollWidth > part.clientWidth && readable < 15 ? [text] : [];
    }),
  );
}

/** Amounts that reach beyond the card that they are in. */
export function cutAmounts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("main .card *")].flatMap((part) => {
      const [box, card] = [part, part.closest(".card") ?? part].map((each) =>
        each.getBoundingClientRect(),
      );
      const isAmount = part.children.length === 0 && /\$\d/u.test(part.textContent);
      const isCut =
        box !== undefined &&
        card !== undefined &&
        box.width > 1 &&
        (box.right > card.right + 1 || box.left < card.left - 1);
      return isAmount && isCut ? [part.textContent] : [];
    }),
  );
}

/** Words and amounts that begin in one line and end in the next. */
export function brokenWords(part: Locator): Promise<readonly string[]> {
  return part.evaluate((box) => {
    const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const broken: string[] = [];
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[\p{L}\p{N}$−+.,]+/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set(Array.from(range.getClientRects(), ({ bottom }) => bottom));
        broken.push(...(lines.size > 1 ? [word] : []));
      }
    }
    return broken;
  });
}

/**
 * The widths of phones at which the text of a list's first card has more than three lines, or is not all after its
 * picture. The last width stays.
 */
export async function highCards(
  page: Page,
  list: string,
  widths: readonly number[],
): Promise<readonly number[]> {
  const high: number[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    if (width < 640 && !(await hasThreeLines(page, list))) {
      high.push(width);
    }
  }
  return high;
}

function hasThreeLines(page: Page, list: string): Promise<boolean> {
  const card = page.getByRole("list", { name: list }).getByRole("listitem").first();
  return card.evaluate((drawn) => {
    const boxOf = (part: string) => drawn.querySelector(part)?.getBoundingClientRect();
    const [picture, name] = [boxOf("[data-picture]"), boxOf("[data-row-main]")];
    const facts = boxOf(".text-12 > span");
    return (
      (facts?.bottom ?? Infinity) - (name?.top ?? 0) < 80 &&
      Math.min(name?.left ?? 0, facts?.left ?? 0) > (picture?.right ?? Infinity)
    );
  });
}
