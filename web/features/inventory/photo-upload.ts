// Sends the photo that a person takes for an item, makes saving wait for it, and keeps one that is late off the next item.
import { useRef, useState } from "react";
import { asApiError } from "#web/lib/api-error.ts";
import type { FoundPicture } from "./item-draft.ts";
import { uploadPhoto } from "./picture-api.ts";
import { shrinkPhoto } from "./shrink-photo.ts";

/** A photo that came too late for its item; with its address, if it is there by now. */
export type MissedPhoto = { readonly imageUrl: string | undefined };

type PhotoUpload = {
  readonly isUploading: boolean;
  /** Why a photo was not taken. */
  readonly error: string | undefined;
  readonly upload: (file: File) => void;
  /** The photo that is on its way, if it arrives while saving waits for it. */
  readonly inTime: () => Promise<FoundPicture | undefined>;
  /** Gives up the photo that is still on its way. */
  readonly leave: () => MissedPhoto | undefined;
};

/** `imageUrl` is there once it was sent, also when the form no longer wants it. */
type Photo = { readonly sent: Promise<FoundPicture | undefined>; imageUrl: string | undefined };

/** Saving waits no longer: a picture can come later, an item cannot. */
const WAITS_MS = 4_000;

/** What comes of a picture within the time that saving waits. */
export async function inTime(
  picture: Promise<FoundPicture | undefined> | undefined,
): Promise<FoundPicture | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), WAITS_MS);
  const found = await Promise.race([picture, late]);
  clearTimeout(timer);
  return found;
}

/** Only the newest photo is used. */
export function usePhoto(onFound: (picture: FoundPicture) => void): PhotoUpload {
  const [isUploading, setUploading] = useState(false);
  const [error, setError] = useState<string>();
  const current = useRef<Photo | undefined>(undefined);
  const missed = useRef<Photo | undefined>(undefined);

  async function send(file: File): Promise<FoundPicture | undefined> {
    const small = await shrinkPhoto(file).catch(() => undefined);
    if (small === undefined) {
      setError("This photo cannot be read. Choose a PNG, JPEG or WebP picture");
      return undefined;
    }
    try {
      return { link: null, imageUrl: await uploadPhoto(small), asin: "" };
    } catch (thrown) {
      setError(`Error uploading the photo: ${asApiError(thrown).message}`);
      return undefined;
    }
  }

  async function take(photo: Photo): Promise<void> {
    const picture = await photo.sent;
    photo.imageUrl = picture?.imageUrl;
    if (current.current === photo) {
      current.current = undefined;
      setUploading(false);
      if (picture !== undefined) {
        onFound(picture);
      }
    }
  }

  return {
    isUploading,
    error,
    upload(file) {
      setError(undefined);
      setUploading(true);
      current.current = { sent: send(file), imageUrl: undefined };
      void take(current.current);
    },
    async inTime() {
      const photo = current.current;
      const picture = await inTime(photo?.sent);
      missed.current = picture === undefined ? photo : undefined;
      return picture;
    },
    leave() {
      const photo = missed.current;
      missed.current = undefined;
      if (photo === undefined) {
        return undefined;
      }
      setError(undefined);
      if (current.current === photo) {
        current.current = undefined;
        setUploading(false);
      }
      return { imageUrl: photo.imageUrl };
    },
  };
}
