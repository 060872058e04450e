// Makes a photo small enough to send and to show by drawing it again in the browser, which also removes where it was taken.

export type SmallPhoto = { readonly photo: Blob; readonly thumbnail: Blob };

const PHOTO_PIXELS = 1_200;
const THUMBNAIL_PIXELS = 160;
const QUALITY = 0.82;

/** Rejects if the browser cannot read the file as a picture. */
export async function shrinkPhoto(file: Blob): Promise<SmallPhoto> {
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const photo = await drawn(bitmap, PHOTO_PIXELS);
    return { photo, thumbnail: await drawn(bitmap, THUMBNAIL_PIXELS) };
  } finally {
    bitmap.close();
  }
}

/** At most `pixels` wide and high. */
async function drawn(bitmap: ImageBitmap, pixels: number): Promise<Blob> {
  const scale = Math.min(1, pixels / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("This browser cannot draw pictures");
  }
  // JPEG has no transparency: what is behind would be black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const webp = await encoded(canvas, "image/webp");
  // Safari writes no WebP, and sends PNG instead.
  return webp.type === "image/webp" ? webp : encoded(canvas, "image/jpeg");
}

async function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob(
    (blob) => (blob === null ? reject(new Error("The picture is too large")) : resolve(blob)),
    type,
    QUALITY,
  );
  return promise;
}
