// The calls about an item's picture: finding one by the link, and uploading a photo.
import {
  findImageResponse,
  uploadImageResponse,
  type FindImageResponse,
} from "#features/images/contract.ts";
import { send } from "#web/lib/http.ts";
import { randomId } from "#web/lib/random-id.ts";
import type { SmallPhoto } from "./shrink-photo.ts";

export function findImage(link: string): Promise<FindImageResponse> {
  return send({
    method: "POST",
    path: "/images/find",
    body: { link },
    answer: findImageResponse,
    key: randomId(),
  });
}

/** Returns the photo's address. */
export async function uploadPhoto({ photo, thumbnail }: SmallPhoto): Promise<string> {
  const form = new FormData();
  form.append("photo", photo, "photo");
  form.append("thumbnail", thumbnail, "thumbnail");
  const request = { method: "POST", path: "/images", form, key: randomId() } as const;
  return (await send({ ...request, answer: uploadImageResponse })).imageUrl;
}
