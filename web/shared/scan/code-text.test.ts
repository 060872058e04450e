// Tests that the camera and a keyboard wedge produce the same text for a code.
import { expect, test } from "vitest";
import { codeText } from "./code-text.ts";

test.each([
  ["a UPC-A code has the 12 digits a scanner types", "EAN13", "0036000291452", "036000291452"],
  ["also where the browser names it so", "upc_a", "036000291452", "036000291452"],
  ["an EAN-13 code keeps its 13", "ean_13", "4006381333931", "4006381333931"],
  ["a UPC-E code has the 8 digits that are printed", "UPCE", "0012345000065", "01234565"],
  ["one that ends in 0 to 2", "UPCE", "0012200003455", "01234525"],
  ["one that ends in 3", "UPCE", "0012300000458", "01234538"],
  ["one that ends in 4", "UPCE", "0012340000053", "01234543"],
  ["and as the browser's own detector gives them", "upc_e", "01234565", "01234565"],
  ["a Code 128 of 13 digits is left as it is", "Code128", "0036000291452", "0036000291452"],
  ["text is trimmed, and one line", "QRCode", " Hällo\r\nthere\u001d42 ", "Hällo there 42"],
  ["blank text is none", "qr_code", " \n", ""],
])("%s", (_name, format, rawValue, text) => {
  expect(codeText(format, rawValue)).toBe(text);
});
