// What is taken as a picture: an image by its bytes, of a size that browsers can draw.
import { expect, it } from "vitest";
import { checkImage } from "#http/image-check.ts";
import { jpegOf, pngOf, webpOf } from "#testing/service/tiny-images.ts";

it.each([
  ["image/png", pngOf(40, 30)],
  ["image/jpeg", jpegOf(40, 30)],
  ["image/webp", webpOf("VP8 ", 40, 30)],
  ["image/webp", webpOf("VP8L", 40, 30)],
  ["image/webp", webpOf("VP8X", 40, 30)],
])("%s is told by its bytes", (type, bytes) => {
  expect(checkImage(bytes)).toEqual({ kind: "image", type, width: 40, height: 30 });
});

it.each([
  ["PNG", pngOf(4_001, 30)],
  ["JPEG", jpegOf(30, 4_001)],
  ["WebP (lossy)", webpOf("VP8 ", 4_001, 30)],
  ["WebP (lossless)", webpOf("VP8L", 30, 4_001)],
  ["WebP (extended)", webpOf("VP8X", 4_001, 30)],
])("a %s wider or higher than 4,000 pixels is refused", (_name, bytes) => {
  expect(checkImage(bytes)).toEqual({ kind: "refused", problem: "image_too_wide" });
});

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

it.each([
  ["nothing", new Uint8Array(), "empty_file"],
  [
    "a drawing that can run scripts",
    bytesOf("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "not_an_image",
  ],
  [
    "an image's first bytes before a page",
    bytesOf("\x89PNG\r\n\x1a\n<script>alert(1)</script>"),
    "not_an_image",
  ],
  ["half a PNG", pngOf(40, 30).subarray(0, 40), "not_an_image"],
  ["half a JPEG", jpegOf(40, 30).subarray(0, 15), "not_an_image"],
  ["a JPEG without a picture", bytesOf("\xff\xd8\xff\xd9"), "not_an_image"],
  ["a RIFF file with sound", bytesOf(`RIFF\x24\0\0\0WAVEfmt ${"\0".repeat(30)}`), "not_an_image"],
  ["an image without a width", pngOf(0, 30), "not_an_image"],
])("%s is refused", (_what, bytes, problem) => {
  expect(checkImage(bytes)).toEqual({ kind: "refused", problem });
});

it("no bytes make it fail", () => {
  for (const whole of [pngOf(40, 30), jpegOf(40, 30), webpOf("VP8X", 40, 30)]) {
    for (let length = 0; length < whole.length; length += 1) {
      expect(checkImage(whole.subarray(0, length)).kind).toBe("refused");
    }
  }
});
