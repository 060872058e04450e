// Which product a link leads to, and which picture a page of the retailer shows.
import { describe, expect, it } from "vitest";
import { pageOf, picturesOn, productOf, smallerPicture } from "#features/images/product-page.ts";

const hosts = new Set(["www.amazon.com", "amazon.com"]);

describe("a link", () => {
  it.each([
    "https://www.amazon.com/dp/B0ABCDEF12",
    "https://www.amazon.com/Some-Name/dp/B0ABCDEF12/ref=sr_1_1?keywords=x&tag=somebody-20",
    "http://amazon.com/gp/product/b0abcdef12?th=1",
    "https://www.amazon.com/gp/aw/d/B0ABCDEF12/",
    "https://www.amazon.com/exec/obidos/ASIN/B0ABCDEF12",
  ])("%s names its product", (link) => {
    expect(productOf(link, hosts)?.asin).toBe("B0ABCDEF12");
  });

  it.each([
    ["of another shop", "https://www.example.com/dp/B0ABCDEF12"],
    ["of a shop that looks alike", "https://www.amazon.com.example.com/dp/B0ABCDEF12"],
    ["with the host only in its path", "https://example.com/www.amazon.com/dp/B0ABCDEF12"],
    ["with the host as a name", "https://www.amazon.com@example.com/dp/B0ABCDEF12"],
    ["to a search", "https://www.amazon.com/s?k=headphones"],
    ["with too long a number", "https://www.amazon.com/dp/B0ABCDEF123"],
    ["that is not an address", "amazon"],
    ["of a script", "javascript:alert('www.amazon.com/dp/B0ABCDEF12')"],
  ])("%s names none", (_what, link) => {
    expect(productOf(link, hosts)).toBeNull();
  });

  it("is asked for without what it carries along", () => {
    const product = productOf("https://www.amazon.com/x/dp/B0ABCDEF12/?tag=somebody-20", hosts);
    expect(product === null ? null : pageOf(product)).toBe("https://www.amazon.com/dp/B0ABCDEF12");
  });
});

describe("a page", () => {
  const large = "https://m.media-amazon.com/images/I/71large._AC_SL1500_.jpg";
  const small = "https://m.media-amazon.com/images/I/71small._AC_SX300_.jpg";
  const preview = "https://m.media-amazon.com/images/I/81preview.jpg";

  it("gives the picture for previews first, then the largest that it shows", () => {
    const page = `<html><meta property="og:image" content="${preview}">
      <img id='landingImage' src="${small}" data-old-hires="${large}"
        data-a-dynamic-image="{&quot;${small}&quot;:[300,200]}"></html>`;
    expect(picturesOn(page)).toEqual([preview, large, small]);
  });

  it("without a preview gives the largest of the sizes", () => {
    const page = `<img alt="x" data-a-dynamic-image='{"${small}":[300,200],"${large}":[1500,900]}' id="landingImage">`;
    expect(picturesOn(page)).toEqual([large]);
  });

  it("that is broken, empty or endless gives nothing, at once", () => {
    const started = performance.now();
    for (const page of [
      "",
      `<img id="landingImage" data-a-dynamic-image="{broken">`,
      `<meta property="og:image" content="http://insecure.example/x.jpg">`,
      `<meta ${"property ".repeat(300_000)}`,
      `<img`.repeat(300_000),
    ]) {
      expect(picturesOn(page)).toEqual([]);
    }
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it("of any size has a picture in the size of lists beside it", () => {
    expect(smallerPicture(large)).toBe("https://m.media-amazon.com/images/I/71large._SL160_.jpg");
    expect(smallerPicture(preview)).toBe(
      "https://m.media-amazon.com/images/I/81preview._SL160_.jpg",
    );
    expect(smallerPicture("https://m.media-amazon.com/other/1.jpg")).toBeNull();
  });
});
